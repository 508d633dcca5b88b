package ffmpeg

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
)

const (
	workPrefix = "verbatim-recording-"
	workLock   = "lock" // in the folder, locked as long as its process lives
)

// WorkFolder makes a temporary folder below parent, or below the system's if parent is empty, and removes those left by dead
// processes. leave removes it.
func WorkFolder(parent string) (name string, leave func(), err error) {
	if parent == "" {
		parent = os.TempDir()
	}
	if err := removeDead(parent); err != nil {
		return "", nil, err
	}
	for {
		name, err = os.MkdirTemp(parent, workPrefix)
		if err != nil {
			return "", nil, err
		}
		lock := flock.New(filepath.Join(name, workLock))
		locked, err := lock.TryLock()
		if err == nil && locked {
			_, err = os.Stat(lock.Path())
		}
		if err == nil && locked {
			return name, func() {
				_ = os.RemoveAll(name) // a folder that remains is removed the next time
				_ = lock.Unlock()
			}, nil
		}
		if err := errors.Join(lock.Unlock(), os.RemoveAll(name)); err != nil {
			return "", nil, err
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", nil, err
		}
		// Another process ran in between, and took the folder for an abandoned one.
	}
}

// removeDead removes the folders whose lock nobody holds. A folder without a lock is just being made, or was left empty.
func removeDead(parent string) error {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return err
	}
	for _, e := range entries {
		folder := filepath.Join(parent, e.Name())
		if !strings.HasPrefix(e.Name(), workPrefix) {
			continue
		}
		if _, err := os.Stat(filepath.Join(folder, workLock)); err != nil {
			continue
		}
		// It is opened without making it: a lock made anew in a folder that another process is removing would keep that folder from going.
		lock := flock.New(filepath.Join(folder, workLock), flock.SetFlag(os.O_RDWR))
		locked, err := lock.TryLock()
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || err == nil && !locked {
			continue // gone meanwhile, another account's, or in use
		}
		if err == nil {
			err = errors.Join(os.RemoveAll(folder), lock.Unlock())
		}
		if err != nil {
			return err
		}
	}
	return nil
}
