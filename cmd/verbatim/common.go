package main

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/alecthomas/kong"

	"verbatim/internal/platform/store"
)

// Common are the flags that every command takes, before or behind its name.
type Common struct {
	ConfigFile string `name:"config" help:"YAML file with settings, one a line, named as the flags are: listen: 127.0.0.1:8080. Flags and variables win over it." env:"VERBATIM_CONFIG" type:"path" placeholder:"FILE"`
	Data       string `help:"Folder of the data. Default: data; the demo makes a temporary one." env:"VERBATIM_DATA" type:"path" placeholder:"DIR"`
	Database   string `help:"Address of the database; sqlite:PATH or postgres://USER@HOST/NAME, whose password is best given by --database-password-file, PGPASSWORD or a .pgpass file. Default: verbatim.db in the data folder." env:"VERBATIM_DATABASE" placeholder:"URL"`
	Blobs      string `help:"Address of the recordings and uploads; file:DIR or s3://BUCKET?endpoint=URL&region=NAME&path_style=true, whose keys are VERBATIM_S3_ACCESS_KEY and VERBATIM_S3_SECRET_KEY, or files. Default: blobs in the data folder." env:"VERBATIM_BLOBS" placeholder:"URL"`
	secretFlags
	Create bool   `help:"Make the data folder and the database where they do not exist yet. serve, demo and quickstart do so without it."`
	JSON   bool   `help:"Print JSON for programs instead of a table for people." name:"json" xor:"form"`
	Field  string `help:"Print nothing but one field, as JSON names it: id, for example. One line for each thing." placeholder:"NAME" xor:"form"`

	stdout, stderr *terminal
	parsed         *kong.Context
	config         *configFile // nil without --config
	printedField   bool
}

// dataGiven reports whether --data, --database or --database-file was set.
func (c *Common) dataGiven() bool { return c.Data != "" || c.Database != "" || c.DatabaseFile != "" }

// folder is --data, or the default.
func (c *Common) folder() string {
	if c.Data == "" {
		return "data"
	}
	return c.Data
}

// blobsAddress is --blobs, or the default folder.
func (c *Common) blobsAddress() string {
	if c.Blobs != "" {
		return c.Blobs
	}
	return "file:" + filepath.Join(c.folder(), "blobs")
}

// open opens the database and brings its schema up to date.
func (c *Common) open(ctx context.Context) (*store.Store, error) {
	s, err := c.openUnmigrated(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := s.Migrate(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// openUnmigrated opens the database with the schema that it has.
func (c *Common) openUnmigrated(ctx context.Context) (*store.Store, error) {
	address, options, err := c.database()
	if err != nil {
		return nil, err
	}
	if err := c.prepare(address); err != nil {
		return nil, err
	}
	return store.Open(ctx, address, options)
}

// withStore runs one command's work on the open store.
func (c *Common) withStore(ctx context.Context, work func(*store.Store) error) error {
	s, err := c.open(ctx)
	if err != nil {
		return err
	}
	return errors.Join(work(s), s.Close())
}
