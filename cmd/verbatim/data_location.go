package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// prepare makes the folders of the data where --create allows it, and otherwise refuses a place that does not exist: most are misspelled,
// and a command would do its work in an empty database. address is the database's.
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
		return err // an empty folder was made for the data
	}
	return fmt.Errorf("there is no database %s: %s", file, dataLocationHint)
}

const dataLocationHint = "check --data or --database, or add --create to begin with an empty database there"

func folderExists(folder string) error {
	info, err := os.Stat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("the folder %s does not exist: %s", folder, dataLocationHint)
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is no folder: check --data or --database", folder)
	}
	return nil
}
