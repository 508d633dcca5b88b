package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// prepare creates the data folders if --create is set. Otherwise it returns an error for a location that does not exist: most of those are
// misspelled, and the command would work on an empty database. address is the address of the database.
func (c *Common) prepare(address string) error {
	file, inFile := strings.CutPrefix(address, "sqlite:")
	if c.Create {
		if inFile {
			if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
				return err
			}
		}
		return os.MkdirAll(c.folder(), 0o700)
	}
	if c.Data != "" {
		if err := folderExists(c.Data); err != nil {
			return err
		}
	}
	if !inFile {
		return nil
	}
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	folder := filepath.Dir(file)
	if err := folderExists(folder); err != nil {
		return err
	}
	if found, err := os.ReadDir(folder); err != nil || len(found) == 0 {
		return err // an empty folder is meant for new data
	}
	return fmt.Errorf("there is no database %s: %s", file, dataLocationHint)
}

const dataLocationHint = "check --data or --database, or add --create to create an empty database there"

func folderExists(folder string) error {
	info, err := os.Stat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("the folder %s does not exist: %s", folder, dataLocationHint)
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a folder: check --data or --database", folder)
	}
	return nil
}
