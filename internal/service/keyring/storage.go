package keyring

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

// This file reads and changes the stored secrets of a keyring: in the file beside a SQLite database, and in the settings of a database
// that servers share.

// fromFile reads the file beside the database, and moves secrets from the database into it. If nothing was ever signed, it creates the
// file.
func (k *Keyring) fromFile(ctx context.Context, file string) (signing.Ring, error) {
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

// createFirstFile creates the file beside the database, at the first start only.
func (k *Keyring) createFirstFile(ctx context.Context, file string, first bool) (signing.Ring, error) {
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

// fileHeader is the comment at the top of the file.
const fileHeader = `# Secrets that sign links to recordings and cursors of searches. Whoever has one can open every recording.
# Keep this file out of backups of the database. See "Secrets" in docs/self-hosting.md; to change it, run: verbatim secret rotate
`

// stored returns the secrets in the database, including those of earlier versions, and the old values of their settings.
func (k *Keyring) stored(ctx context.Context, v *store.View) (stored signing.Ring, old map[string]string, err error) {
	old = map[string]string{}
	for _, name := range Settings() {
		if old[name], err = v.Setting(ctx, name); err != nil {
			return stored, old, err
		}
	}
	if old[ringSetting] != "" {
		if stored, err = signing.Parse(old[ringSetting]); err != nil {
			return stored, old, fmt.Errorf("the setting %s of the database: %w", ringSetting, err)
		}
	}
	for name, format := range map[string]signing.Format{linkSetting: signing.Links1, cursorSetting: signing.Cursor1} {
		if key, err := signing.NewKey(old[name]); err == nil {
			key.Format, key.Until = format, k.now().Add(moveOverlap)
			stored = stored.With(signing.NewRing(key), k.now())
		}
	}
	return stored, old, nil
}

// changeStored changes the secrets in the database and returns the new ones. Expired secrets are removed. If nothing changes, it only
// reads.
func (k *Keyring) changeStored(ctx context.Context, change func(signing.Ring) (signing.Ring, error)) (ring signing.Ring, err error) {
	work := func(v *store.View, set func(name, old, value string) error) error {
		stored, old, err := k.stored(ctx, v)
		if err != nil {
			return err
		}
		changed, err := change(stored)
		if err != nil {
			return err
		}
		ring = signing.Ring{}.With(changed, k.now())
		for name, value := range map[string]string{ringSetting: ring.Format(), linkSetting: "", cursorSetting: ""} {
			if err := set(name, old[name], value); err != nil {
				return err
			}
		}
		return nil
	}
	changes := false
	err = work(k.store.View(), func(_, old, value string) error {
		changes = changes || old != value
		return nil
	})
	if err != nil || !changes {
		return ring, err
	}
	err = k.store.Write(ctx, func(tx *store.Tx) error {
		return work(&tx.View, func(name, old, value string) error { return tx.ChangeSetting(ctx, name, old, value) })
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

// createFile atomically creates a file that only its owner may read, and gives it the owner of the file like. It returns fs.ErrExist if
// the file exists.
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

// replaceFile atomically replaces a file and keeps its owner and permissions, because the server that reads it may run under another
// account than the command.
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
	file, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*") // readable by its owner only
	if err != nil {
		return "", err
	}
	_, err = file.WriteString(content)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		err = errors.Join(err, os.Remove(file.Name()))
	}
	return file.Name(), err
}
