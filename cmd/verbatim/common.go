package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"verbatim/internal/platform/store"
)

// Common holds the flags that every command takes, before or after its name.
type Common struct {
	ConfigFile string `name:"config" help:"YAML file with settings, one per line, named like the flags (listen: 127.0.0.1:8080). Flags and variables take precedence." env:"VERBATIM_CONFIG" type:"path" placeholder:"FILE"`
	Data       string `help:"Data folder. Default: data; demo uses a temporary one." env:"VERBATIM_DATA" type:"path" placeholder:"DIR"`
	Database   string `help:"Database address: sqlite:PATH or postgres://USER@HOST/NAME. Give the password by --database-password-file, PGPASSWORD or a .pgpass file. Default: verbatim.db in the data folder." env:"VERBATIM_DATABASE" placeholder:"URL"`
	Blobs      string `help:"Where recordings and uploads are stored: file:DIR or s3://BUCKET?endpoint=URL&region=NAME&path_style=true, with the keys in VERBATIM_S3_ACCESS_KEY and VERBATIM_S3_SECRET_KEY or in files. Default: blobs in the data folder." env:"VERBATIM_BLOBS" placeholder:"URL"`
	secretFlags
	Create bool   `help:"Create the data folder and the database if they do not exist. serve, demo and quickstart always do."`
	JSON   bool   `help:"Print JSON instead of a table." name:"json" xor:"form"`
	Field  string `help:"Print only this field, by its JSON name (such as id), one line per result." placeholder:"NAME" xor:"form"`

	stdout, stderr *terminal
	parsed         *kong.Context
	config         *configFile // nil without --config
	printedField   bool
}

// dataGiven reports whether --data, --database or --database-file was set.
func (c *Common) dataGiven() bool { return c.Data != "" || c.Database != "" || c.DatabaseFile != "" }

// folder returns --data, or the default.
func (c *Common) folder() string {
	if c.Data == "" {
		return "data"
	}
	return c.Data
}

// blobsAddress returns --blobs, or the default folder.
func (c *Common) blobsAddress() string {
	if c.Blobs != "" {
		return c.Blobs
	}
	return "file:" + filepath.Join(c.folder(), "blobs")
}

// open opens the database and migrates its schema.
func (c *Common) open(ctx context.Context) (*store.Store, error) {
	return c.openWith(ctx, nil)
}

// openWith opens the store with a clock; nil: the system's.
func (c *Common) openWith(ctx context.Context, now func() time.Time) (*store.Store, error) {
	s, err := c.openUnmigrated(ctx, now)
	if err != nil {
		return nil, err
	}
	if _, err := s.Migrate(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// openUnmigrated opens the database without migrating its schema.
func (c *Common) openUnmigrated(ctx context.Context, now func() time.Time) (*store.Store, error) {
	address, options, err := c.database()
	if err != nil {
		return nil, err
	}
	if err := c.prepare(address); err != nil {
		return nil, err
	}
	options.Now = now
	return store.Open(ctx, address, options)
}

// withStore opens the store, calls work with it, and closes it.
func (c *Common) withStore(ctx context.Context, work func(*store.Store) error) error {
	s, err := c.open(ctx)
	if err != nil {
		return err
	}
	return errors.Join(work(s), s.Close())
}

// withDatabase is like withStore, but the database must exist and its schema is not migrated.
func (c *Common) withDatabase(ctx context.Context, work func(*store.Store) error) error {
	if err := c.mustExist(); err != nil {
		return err
	}
	address, options, err := c.database()
	if err != nil {
		return err
	}
	s, err := store.Open(ctx, address, options)
	if err != nil {
		return err
	}
	return errors.Join(work(s), s.Close())
}

// mustExist returns an error if the database is a file that does not exist.
func (c *Common) mustExist() error {
	file, ok := c.databaseFile()
	if !ok {
		return nil
	}
	_, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no database %s: name the server's data folder by --data, or its database by --database", file)
	}
	return err
}

// databaseFile returns the file of a SQLite database; ok is false for PostgreSQL.
func (c *Common) databaseFile() (file string, ok bool) {
	address, _, err := c.database()
	file, ok = strings.CutPrefix(address, "sqlite:")
	return file, ok && err == nil
}
