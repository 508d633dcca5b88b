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
	File              string `arg:"" optional:"" help:"The backup: a file from verbatim backup, of SQLite or PostgreSQL." type:"path"`
	IdentityFile      string `help:"File with the secret key of an encrypted backup, from age-keygen." env:"VERBATIM_BACKUP_IDENTITY_FILE" type:"path" placeholder:"FILE"`
	TombstonesOnly    bool   `help:"The database is restored already, for example by pg_restore: only repeat the deletions that were made after its backup."`
	WithoutTombstones bool   `help:"Restore although the recordings and uploads, and with them the tombstones, are lost. Responses that were deleted after the backup come back."`
}

// Run restores a backup into a database that does not exist or is empty, and repeats the deletions that were made after it.
func (cmd *restoreCommand) Run(ctx context.Context, c *Common) error {
	if cmd.TombstonesOnly == (cmd.File != "") {
		return usageError("name the backup to restore, or give --tombstones-only if the database is restored already")
	}
	if cmd.TombstonesOnly && cmd.WithoutTombstones {
		return usageError("--tombstones-only and --without-tombstones together leave nothing to do")
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

// tombstoneStore opens the recordings and uploads, which hold the tombstones, and checks that they can be read.
func (c *Common) tombstoneStore(ctx context.Context) (blob.Store, error) {
	objects, err := c.objects()
	if err != nil {
		return nil, err
	}
	if objects == nil {
		return nil, fmt.Errorf("there are no recordings and uploads at %s: put them back first, because the tombstones among them record what was deleted after the backup. "+
			"Set their address by --blobs; if they are lost, or never existed, add --without-tombstones", c.blobsAddress())
	}
	if err := objects.Ready(ctx); err != nil {
		return nil, fmt.Errorf("the recordings and uploads, and with them the tombstones, cannot be reached: %w", err)
	}
	return objects, nil
}

// intoFile restores into a SQLite database. The file gets its final name only after the deletions were repeated.
func (cmd *restoreCommand) intoFile(ctx context.Context, c *Common, file string, objects blob.Store) (err error) {
	for _, name := range []string{file, file + "-wal", file + "-shm"} {
		if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
			return errors.Join(fmt.Errorf("%s exists already, and a restore never overwrites. Move it and the files whose names begin with its name away, or restore into another folder by --data", name), err)
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
	restored := filepath.Join(dir, "restored")
	if err := decryptFile(cmd.File, restored, cmd.IdentityFile); err != nil {
		return err
	}
	if err := store.CheckFile(ctx, restored); err != nil {
		return fmt.Errorf("%s: %w", cmd.File, err)
	}
	s, err := store.Open(ctx, "sqlite:"+restored, store.Options{})
	if err != nil {
		return err
	}
	repeated, err := cmd.finish(ctx, s, objects)
	if err = errors.Join(err, s.Close()); err != nil {
		return err
	}
	if err := store.InstallFile(restored, file); err != nil {
		return err
	}
	return c.withDatabase(ctx, func(s *store.Store) error { return c.printRestored(ctx, s, repeated) })
}

// intoServer restores into a PostgreSQL database. After an interruption the same command continues.
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
	repeated, err := cmd.finish(ctx, s, objects)
	if err == nil {
		err = s.FinishCopy(ctx)
	}
	if err != nil {
		return err
	}
	return c.printRestored(ctx, s, repeated)
}

// finish migrates a restored database and repeats the deletions.
func (cmd *restoreCommand) finish(ctx context.Context, s *store.Store, objects blob.Store) (replayedDeletions, error) {
	if _, err := s.Migrate(ctx); err != nil {
		return replayedDeletions{}, err
	}
	if cmd.WithoutTombstones {
		return replayedDeletions{}, nil
	}
	return replayDeletions(ctx, s, objects)
}

// replayedDeletions counts the deletions that a restore repeated.
type replayedDeletions struct {
	erasure.Replayed
	swept   int // deleted responses whose recordings and uploads were back and were removed again
	written int // missing tombstones that were written
}

// replayDeletions repeats the deletions that the tombstones record, carries them out, and writes missing tombstones.
func replayDeletions(ctx context.Context, s *store.Store, objects blob.Store) (done replayedDeletions, err error) {
	tombstones := erasure.Tombstones{Store: s, Objects: objects}
	if done.Replayed, err = tombstones.Replay(ctx, true); err != nil {
		return done, fmt.Errorf("reading the tombstones: %w", err)
	}
	if _, err := (&erasure.Worker{Store: s, Objects: objects}).Finish(ctx); err != nil {
		return done, fmt.Errorf("repeating deletions: %w", err)
	}
	if done.swept, err = tombstones.Sweep(ctx); err != nil {
		return done, fmt.Errorf("removing recordings and uploads of deleted responses: %w", err)
	}
	done.written, err = tombstones.Complete(ctx, true)
	return done, err
}

func (c *Common) printRestored(ctx context.Context, s *store.Store, done replayedDeletions) error {
	n, err := s.View().CountResponses(ctx)
	if err != nil {
		return err
	}
	var next strings.Builder
	next.WriteString("run verbatim doctor. API keys that were revoked and users who were removed after the backup are back: check verbatim key list and verbatim user list")
	if done.Foreign > 0 {
		next.WriteString(". Some tombstones belong to no response of this installation: check that these are its recordings and uploads")
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
