package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"verbatim/internal/domain/signing"
	"verbatim/internal/platform/store"
)

// Where the secrets of a keyring live, and how they are read and changed there: the file beside a SQLite database, and the settings of a
// database that servers share.

// fromFile reads the file beside the database, which it makes where nothing was ever signed, and moves into it what is in the
// database.
func (k *keyring) fromFile(ctx context.Context, file string) (signing.Ring, error) {
	first := k.ring.Load() == nil
	ring, err := readRing(file)
	if errors.Is(err, fs.ErrNotExist) {
		ring, err = k.createFirstFile(ctx, file, first)
	}
	if err != nil {
		return ring, err
	}
	if err := k.checkContinuity(ctx, ring); err != nil {
		return ring, err
	}
	if made, err := k.store.View().Setting(ctx, store.SecretMadeSetting); first && made == "" && len(ring.Keys()) > 0 {
		if err = errors.Join(err, k.recordMade(ctx, ring.Keys()[0].ID())); err != nil {
			return ring, err
		}
	}
	moved := signing.Ring{}
	_, err = k.changeStored(ctx, func(stored signing.Ring) (signing.Ring, error) {
		moved = stored.Ending(k.now().Add(moveOverlap))
		if len(moved.Keys()) == 0 {
			return moved, nil
		}
		ring = ring.With(moved, k.now())
		return signing.Ring{}, replaceFile(file, fileHeader+ring.Format()) // before the commit: a crash in between loses nothing
	})
	return ring, err
}

// firstFile makes the file beside the database, at the first start alone.
func (k *keyring) createFirstFile(ctx context.Context, file string, first bool) (signing.Ring, error) {
	made, err := k.store.View().Setting(ctx, store.SecretMadeSetting)
	if err != nil {
		return signing.Ring{}, err
	}
	if made == "" && first {
		database, _ := k.store.File()
		if err := createFile(file, database, fileHeader+signing.NewRing(newSigningKey()).Format()); err != nil && !errors.Is(err, fs.ErrExist) {
			return signing.Ring{}, err
		}
	}
	ring, err := readRing(file) // another process may have been first
	if errors.Is(err, fs.ErrNotExist) {
		err = k.missingFileError(ctx, file)
	}
	return ring, err
}

// fileHead is for who finds the file.
const fileHeader = `# Secrets that sign links to recordings and cursors of searches. Whoever has one can open every recording.
# Keep this file out of backups of the database. See "Secrets" in docs/self-hosting.md; change it by: verbatim secret rotate
`

// stored returns the secrets that the database holds, those of earlier versions included, and the values of their settings.
func (k *keyring) stored(ctx context.Context, v *store.View) (stored signing.Ring, was map[string]string, err error) {
	was = map[string]string{}
	for _, name := range []string{ringSetting, linkSetting, cursorSetting} {
		if was[name], err = v.Setting(ctx, name); err != nil {
			return stored, was, err
		}
	}
	if was[ringSetting] != "" {
		if stored, err = signing.Parse(was[ringSetting]); err != nil {
			return stored, was, fmt.Errorf("the setting %s of the database: %w", ringSetting, err)
		}
	}
	for name, format := range map[string]signing.Format{linkSetting: signing.Links1, cursorSetting: signing.Cursor1} {
		if key, err := signing.NewKey(was[name]); err == nil {
			key.Format, key.Until = format, k.now().Add(moveOverlap)
			stored = stored.With(signing.NewRing(key), k.now())
		}
	}
	return stored, was, nil
}

// changeStored changes the secrets that the database holds and returns what it holds then. Secrets whose time is over are removed.
// Where nothing changes it only reads.
func (k *keyring) changeStored(ctx context.Context, change func(signing.Ring) (signing.Ring, error)) (ring signing.Ring, err error) {
	work := func(v *store.View, set func(name, was, value string) error) error {
		stored, was, err := k.stored(ctx, v)
		if err != nil {
			return err
		}
		changed, err := change(stored)
		if err != nil {
			return err
		}
		ring = signing.Ring{}.With(changed, k.now())
		for name, value := range map[string]string{ringSetting: ring.Format(), linkSetting: "", cursorSetting: ""} {
			if err := set(name, was[name], value); err != nil {
				return err
			}
		}
		return nil
	}
	changes := false
	err = work(k.store.View(), func(_, was, value string) error {
		changes = changes || was != value
		return nil
	})
	if err != nil || !changes {
		return ring, err
	}
	err = k.store.Write(ctx, func(tx *store.Tx) error {
		return work(&tx.View, func(name, was, value string) error { return tx.ChangeSetting(ctx, name, was, value) })
	})
	return ring, err
}

func readRing(file string) (signing.Ring, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return signing.Ring{}, err
	}
	ring, err := signing.Parse(string(text))
	if err != nil {
		err = fmt.Errorf("the file %s: %w", file, err)
	}
	return ring, err
}

// createFile writes a file that its owner alone may read, whole or not at all, and gives it the owner of another one; fs.ErrExist
// where it exists.
func createFile(name, like, content string) error {
	temporary, err := writeBeside(name, content)
	if err != nil {
		return err
	}
	if info, err := os.Stat(like); err == nil {
		keepOwner(temporary, info)
	}
	return errors.Join(os.Link(temporary, name), os.Remove(temporary))
}

// replaceFile writes a file anew, whole or not at all, with the owner and the permissions that it had: the server that reads it may
// run under another account than the command.
func replaceFile(name, content string) error {
	before, err := os.Stat(name)
	if err != nil {
		return err
	}
	temporary, err := writeBeside(name, content)
	if err != nil {
		return err
	}
	keepOwner(temporary, before)
	if err := os.Chmod(temporary, before.Mode().Perm()); err != nil {
		return errors.Join(err, os.Remove(temporary))
	}
	if err := os.Rename(temporary, name); err != nil {
		return errors.Join(err, os.Remove(temporary))
	}
	return nil
}

func writeBeside(name, content string) (temporary string, err error) {
	file, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*") // readable by its owner alone
	if err != nil {
		return "", err
	}
	_, err = file.WriteString(content)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		err = errors.Join(err, os.Remove(file.Name()))
	}
	return file.Name(), err
}
