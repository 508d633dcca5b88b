package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"verbatim/internal/domain/guidemedia"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/response"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// Move copies a database, the objects, or both to another place, which must be empty. After an interruption the same move continues.
type Move struct {
	From, To    string // addresses of the databases; empty if only objects are moved
	Options     func(address string) (store.Options, error)
	ObjectsFrom string // addresses of the objects; empty if they stay
	ObjectsTo   string
	OpenObjects func(address string) (blob.Store, error)
	Progress    func(what string, done int64) // is called with a table and its copied rows, or "objects" and their number
}

// Moved lists what a move copied.
type Moved struct {
	Tables  []store.CopiedTable
	Objects blob.Copied
}

// objectPrefixes lists the prefixes that the names of all objects begin with.
var objectPrefixes = []string{response.Objects, org.LogoPrefix, guidemedia.Objects, response.Tombstones}

// Run copies the database, then the objects. No server accepts the target database before both are complete.
func (m *Move) Run(ctx context.Context) (done Moved, err error) {
	defer operation.Wrap(&err, "backup.Move.Run")
	if m.From == "" {
		done.Objects, err = m.objects(ctx)
		return done, err
	}
	target, copied, err := m.database(ctx)
	if err != nil {
		return done, err
	}
	defer target.Close()
	done.Tables = copied
	if done.Objects, err = m.objects(ctx); err != nil {
		return done, err
	}
	return done, target.FinishCopy(ctx) // from now on servers accept it
}

// database copies the database and returns the target, which is still marked as unfinished.
func (m *Move) database(ctx context.Context) (target *store.Store, copied []store.CopiedTable, err error) {
	if file, ok := strings.CutPrefix(m.From, "sqlite:"); ok {
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
			return nil, nil, fmt.Errorf("there is no database %s", file)
		}
	}
	from, err := m.open(ctx, m.From, false)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	has, brings, err := from.SchemaVersions(ctx)
	if err != nil {
		return nil, nil, err
	}
	if has != brings {
		return nil, nil, fmt.Errorf("the schema of %s has version %d, and this program's has %d: update it first, by verbatim migrate with this version of the program", from, has, brings)
	}
	if err := from.CheckFinished(ctx); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", from, err)
	}
	if target, err = m.open(ctx, m.To, true); err != nil {
		return nil, nil, err
	}
	copied, err = from.Copy(ctx, target, store.CopyOptions{Source: from.String(), Progress: m.Progress})
	if errors.Is(err, store.ErrNotEmpty) {
		err = fmt.Errorf("%w. The target of a move must be empty; an interrupted move continues with the same --from", err)
	}
	if err != nil {
		return nil, nil, errors.Join(err, target.Close())
	}
	return target, copied, nil
}

// open opens a database that no server uses.
func (m *Move) open(ctx context.Context, address string, filling bool) (*store.Store, error) {
	options, err := m.Options(address)
	if err != nil {
		return nil, err
	}
	options.Filling = filling
	s, err := store.OpenUnused(ctx, address, options)
	if errors.Is(err, store.ErrInUse) {
		err = fmt.Errorf("%w. What is written during the move would be lost", err)
	}
	return s, err
}

// objects copies the recordings and uploads, unless they stay.
func (m *Move) objects(ctx context.Context) (blob.Copied, error) {
	if m.ObjectsFrom == "" {
		return blob.Copied{}, nil
	}
	if folder, ok := strings.CutPrefix(m.ObjectsFrom, "file:"); ok {
		if _, err := os.Stat(folder); err != nil {
			return blob.Copied{}, err
		}
	}
	var stores [2]blob.Store
	for i, address := range []string{m.ObjectsFrom, m.ObjectsTo} {
		var err error
		if stores[i], err = m.OpenObjects(address); err != nil {
			return blob.Copied{}, err
		}
		if err := stores[i].Ready(ctx); err != nil {
			return blob.Copied{}, fmt.Errorf("%s cannot be reached: %w", address, err)
		}
	}
	done, err := blob.Copy(ctx, stores[0], stores[1], objectPrefixes, func(done blob.Copied) {
		m.Progress("objects", done.Objects)
	})
	if err != nil {
		return blob.Copied{}, fmt.Errorf("copying the recordings and uploads: %w", err)
	}
	return done, nil
}
