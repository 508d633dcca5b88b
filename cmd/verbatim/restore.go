package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/erasure"
)

type restoreCommand struct {
	File              string `arg:"" optional:"" help:"The backup: a file that verbatim backup made, from whatever engine." type:"path"`
	IdentityFile      string `help:"File with the secret key of an encrypted backup, as age-keygen makes it." env:"VERBATIM_BACKUP_IDENTITY_FILE" type:"path" placeholder:"FILE"`
	TombstonesOnly    bool   `help:"The database is restored already, as by pg_restore: only delete again what was deleted after its backup."`
	WithoutTombstones bool   `help:"Restore although the recordings and uploads, and with them the tombstones, are lost: what was deleted after the backup comes back."`
}

// Run puts a backup in the place of a database that does not exist or is empty, and deletes again what was deleted after it.
func (cmd *restoreCommand) Run(ctx context.Context, c *Common) error {
	if cmd.TombstonesOnly == (cmd.File != "") {
		return usageError("name the backup to restore, or say --tombstones-only for a database that is restored already")
	}
	if cmd.TombstonesOnly && cmd.WithoutTombstones {
		return usageError("--tombstones-only and --without-tombstones leave nothing to do")
	}
	var objects blob.Store
	if !cmd.WithoutTombstones {
		var err error
		if objects, err = c.tombstoneStore(ctx); err != nil {
			return err
		}
	}
	if cmd.TombstonesOnly {
		if err := c.mustExist(); err != nil {
			return err
		}
		return c.withStore(ctx, func(s *store.Store) error {
			done, err := replayDeletions(ctx, s, objects)
			if err != nil {
				return err
			}
			return c.printRestored(ctx, s, done)
		})
	}
	if file, ok := c.databaseFile(); ok {
		return cmd.intoFile(ctx, c, file, objects)
	}
	return cmd.intoServer(ctx, c, objects)
}

// tombstoneStore opens the recordings and uploads, beside which the tombstones lie, and makes sure that they can be read.
func (c *Common) tombstoneStore(ctx context.Context) (blob.Store, error) {
	objects, err := c.objects()
	if err != nil {
		return nil, err
	}
	if objects == nil {
		return nil, fmt.Errorf("there are no recordings and uploads at %s: put them back first, for the tombstones among them say what was deleted after the backup. "+
			"Name the place by --blobs; where they are lost, or none were ever there, say --without-tombstones", c.blobsAddress())
	}
	if err := objects.Ready(ctx); err != nil {
		return nil, fmt.Errorf("the recordings and uploads, and with them the tombstones, cannot be reached: %w", err)
	}
	return objects, nil
}

// intoFile restores into a SQLite database, which has its name only when it has forgotten what it must.
func (cmd *restoreCommand) intoFile(ctx context.Context, c *Common, file string, objects blob.Store) (err error) {
	for _, name := range []string{file, file + "-wal", file + "-shm"} {
		if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
			return errors.Join(fmt.Errorf("%s exists already: a restore replaces nothing. Move it away with what begins with its name, or restore into another folder by --data", name), err)
		}
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	dir, done, err := temporaryFolder(filepath.Dir(file))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	filling := filepath.Join(dir, "restored")
	if err := decryptFile(cmd.File, filling, cmd.IdentityFile); err != nil {
		return err
	}
	if err := store.CheckFile(ctx, filling); err != nil {
		return fmt.Errorf("%s: %w", cmd.File, err)
	}
	s, err := store.Open(ctx, "sqlite:"+filling, store.Options{})
	if err != nil {
		return err
	}
	forgotten, err := cmd.finish(ctx, s, objects)
	if err = errors.Join(err, s.Close()); err != nil {
		return err
	}
	if err := store.InstallFile(filling, file); err != nil {
		return err
	}
	return c.withDatabase(ctx, func(s *store.Store) error { return c.printRestored(ctx, s, forgotten) })
}

// intoServer restores into a database of a server. When it was cut off, the same command goes on.
func (cmd *restoreCommand) intoServer(ctx context.Context, c *Common, objects blob.Store) (err error) {
	dir, done, err := temporaryFolder(os.TempDir())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	plain := filepath.Join(dir, "backup")
	if err := decryptFile(cmd.File, plain, cmd.IdentityFile); err != nil {
		return err
	}
	if err := store.CheckFile(ctx, plain); err != nil {
		return fmt.Errorf("%s: %w", cmd.File, err)
	}
	from, err := store.Open(ctx, "sqlite:"+plain, store.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	address, options, err := c.database()
	if err != nil {
		return err
	}
	options.Filling = true
	s, err := store.OpenUnused(ctx, address, options)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if _, err := from.Copy(ctx, s, store.CopyOptions{Source: "the backup " + filepath.Base(cmd.File)}); err != nil {
		return err
	}
	forgotten, err := cmd.finish(ctx, s, objects)
	if err == nil {
		err = s.FinishCopy(ctx)
	}
	if err != nil {
		return err
	}
	return c.printRestored(ctx, s, forgotten)
}

// finish brings a restored database up to date and makes it forget.
func (cmd *restoreCommand) finish(ctx context.Context, s *store.Store, objects blob.Store) (replayedDeletions, error) {
	if _, err := s.Migrate(ctx); err != nil {
		return replayedDeletions{}, err
	}
	if cmd.WithoutTombstones {
		return replayedDeletions{}, nil
	}
	return replayDeletions(ctx, s, objects)
}

// forgotten is what a restore did beside putting the database in its place.
type replayedDeletions struct {
	erasure.Replayed
	swept   int // responses deleted before, whose recordings and uploads a copy of these brought back
	written int // tombstones that were missing
}

// forget deletes again what tombstones say was deleted, and carries it out, and writes the tombstones that are missing.
func replayDeletions(ctx context.Context, s *store.Store, objects blob.Store) (done replayedDeletions, err error) {
	graves := erasure.Tombstones{Store: s, Objects: objects}
	if done.Replayed, err = graves.Replay(ctx, true); err != nil {
		return done, fmt.Errorf("reading the tombstones: %w", err)
	}
	if _, err := (&erasure.Worker{Store: s, Objects: objects}).Finish(ctx); err != nil {
		return done, fmt.Errorf("deleting again: %w", err)
	}
	if done.swept, err = graves.Sweep(ctx); err != nil {
		return done, fmt.Errorf("removing recordings and uploads of deleted responses: %w", err)
	}
	done.written, err = graves.Complete(ctx, true)
	return done, err
}

func (c *Common) printRestored(ctx context.Context, s *store.Store, done replayedDeletions) error {
	n, err := s.View().CountResponses(ctx)
	if err != nil {
		return err
	}
	var next strings.Builder
	next.WriteString("verbatim doctor. API keys that were revoked and users who were removed since the backup are there again: see verbatim key list and verbatim user list")
	if done.Foreign > 0 {
		next.WriteString(". Some tombstones are of no response of this installation: are these its recordings and uploads?")
	}
	return c.print(row{
		{"database", s.String()},
		{"responses", n},
		{"tombstones", done.Tombstones},
		{"deletedAgain", done.Restored},
		{"recordingsRemovedAgain", done.swept},
		{"foreignTombstones", done.Foreign},
		{"tombstonesWritten", done.written},
		{"next", next.String()},
	})
}
