package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"filippo.io/age"

	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/erasure"
)

// Restore restores a backup.
type Restore struct {
	File         string
	Objects      blob.Store                     // recordings and uploads, with the tombstones; nil: deletions are not repeated
	Identities   func() ([]age.Identity, error) // returns the secret keys, if the backup is encrypted
	IdentityFile string                         // where they come from, for messages
}

// Restored lists the contents of a restored database.
type Restored struct {
	Database  string // its name, without a password
	Responses int
	Deletions Deletions
}

// Deletions counts the deletions that a restore repeated.
type Deletions struct {
	erasure.Replayed
	Swept   int // deleted responses whose recordings and uploads were back and were removed again
	Written int // missing tombstones that were written
}

// Into restores into the database at an address, which must not exist or be empty, and repeats the deletions that were made after the
// backup.
func (r *Restore) Into(ctx context.Context, address string, options store.Options) (_ Restored, err error) {
	defer operation.Wrap(&err, "backup.Restore.Into")
	if file, ok := strings.CutPrefix(address, "sqlite:"); ok {
		return r.intoFile(ctx, file, address, options)
	}
	return r.intoServer(ctx, address, options)
}

// intoFile restores into a SQLite database. The file gets its final name only after the deletions were repeated.
func (r *Restore) intoFile(ctx context.Context, file, address string, options store.Options) (_ Restored, err error) {
	for _, name := range []string{file, file + "-wal", file + "-shm"} {
		if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
			return Restored{}, errors.Join(fmt.Errorf("%s exists already, and a restore never overwrites. Move it and the files whose names begin with its name away, or restore into another folder by --data", name), err)
		}
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return Restored{}, err
	}
	dir, done, err := temporaryFolder(filepath.Dir(file))
	if err != nil {
		return Restored{}, err
	}
	defer func() { err = errors.Join(err, done()) }()
	restored := filepath.Join(dir, "restored")
	s, err := r.openPlain(ctx, restored)
	if err != nil {
		return Restored{}, err
	}
	repeated, err := r.finish(ctx, s)
	if err = errors.Join(err, s.Close()); err != nil {
		return Restored{}, err
	}
	if err := store.InstallFile(restored, file); err != nil {
		return Restored{}, err
	}
	installed, err := store.Open(ctx, address, options)
	if err != nil {
		return Restored{}, err
	}
	defer func() { err = errors.Join(err, installed.Close()) }()
	return describe(ctx, installed, repeated)
}

// intoServer restores into a PostgreSQL database. After an interruption the same call continues.
func (r *Restore) intoServer(ctx context.Context, address string, options store.Options) (_ Restored, err error) {
	dir, done, err := temporaryFolder(os.TempDir())
	if err != nil {
		return Restored{}, err
	}
	defer func() { err = errors.Join(err, done()) }()
	from, err := r.openPlain(ctx, filepath.Join(dir, "backup"))
	if err != nil {
		return Restored{}, err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	options.Filling = true
	s, err := store.OpenUnused(ctx, address, options)
	if err != nil {
		return Restored{}, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if _, err := from.Copy(ctx, s, store.CopyOptions{Source: "the backup " + filepath.Base(r.File)}); err != nil {
		return Restored{}, err
	}
	repeated, err := r.finish(ctx, s)
	if err == nil {
		err = s.FinishCopy(ctx)
	}
	if err != nil {
		return Restored{}, err
	}
	return describe(ctx, s, repeated)
}

// openPlain decrypts the backup into a file, checks it, and opens it.
func (r *Restore) openPlain(ctx context.Context, plain string) (*store.Store, error) {
	if err := r.decrypt(plain); err != nil {
		return nil, err
	}
	if err := store.CheckFile(ctx, plain); err != nil {
		return nil, fmt.Errorf("%s: %w", r.File, err)
	}
	return store.Open(ctx, "sqlite:"+plain, store.Options{})
}

// finish migrates a restored database and repeats the deletions.
func (r *Restore) finish(ctx context.Context, s *store.Store) (Deletions, error) {
	if _, err := s.Migrate(ctx); err != nil || r.Objects == nil {
		return Deletions{}, err
	}
	return repeatDeletions(ctx, s, r.Objects)
}

// RepeatDeletions repeats the deletions that the tombstones record in a database that was restored by other means.
func RepeatDeletions(ctx context.Context, s *store.Store, objects blob.Store) (_ Restored, err error) {
	defer operation.Wrap(&err, "backup.RepeatDeletions")
	repeated, err := repeatDeletions(ctx, s, objects)
	if err != nil {
		return Restored{}, err
	}
	return describe(ctx, s, repeated)
}

// repeatDeletions repeats the deletions that the tombstones record, carries them out, and writes missing tombstones.
func repeatDeletions(ctx context.Context, s *store.Store, objects blob.Store) (done Deletions, err error) {
	tombstones := erasure.Tombstones{Store: s, Objects: objects}
	if done.Replayed, err = tombstones.Replay(ctx, true); err != nil {
		return done, fmt.Errorf("reading the tombstones: %w", err)
	}
	if _, err := (&erasure.Worker{Store: s, Objects: objects}).Finish(ctx); err != nil {
		return done, fmt.Errorf("repeating deletions: %w", err)
	}
	if done.Swept, err = tombstones.Sweep(ctx); err != nil {
		return done, fmt.Errorf("removing recordings and uploads of deleted responses: %w", err)
	}
	done.Written, err = tombstones.Complete(ctx, true)
	return done, err
}

// describe returns the contents of a restored database.
func describe(ctx context.Context, s *store.Store, repeated Deletions) (Restored, error) {
	n, err := s.View().CountResponses(ctx)
	return Restored{Database: s.String(), Responses: n, Deletions: repeated}, err
}
