package backup

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// temporaryPrefix begins the names of the folders that temporaryFolder creates.
const temporaryPrefix = ".verbatim-work-"

// temporaryFolder creates a folder below another one, for files with participants' data that no other account may read. done removes it.
// Folders that a killed process left behind are removed by the next call.
func temporaryFolder(below string) (dir string, done func() error, err error) {
	earlier, err := filepath.Glob(filepath.Join(below, temporaryPrefix+"*"))
	if err != nil {
		return "", nil, err
	}
	for _, stale := range earlier {
		lock := flock.New(filepath.Join(stale, "lock"))
		if locked, err := lock.TryLock(); err != nil || !locked {
			continue
		}
		if err := errors.Join(os.RemoveAll(stale), lock.Close()); err != nil {
			return "", nil, err
		}
	}
	if dir, err = os.MkdirTemp(below, temporaryPrefix+"*"); err != nil {
		return "", nil, err
	}
	lock := flock.New(filepath.Join(dir, "lock"))
	if _, err := lock.TryLock(); err != nil {
		return "", nil, errors.Join(err, os.RemoveAll(dir))
	}
	return dir, func() error { return errors.Join(os.RemoveAll(dir), lock.Close()) }, nil
}
