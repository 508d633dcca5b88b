package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/response"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/store"
)

type moveCommand struct {
	From      string `help:"Address of the database to copy from: sqlite:PATH or postgres://USER@HOST/NAME. It is not changed." placeholder:"URL"`
	To        string `help:"Address of the empty database to copy to: sqlite:PATH or postgres://USER@HOST/NAME. Give the password of either by --database-password-file, PGPASSWORD or a .pgpass file." placeholder:"URL"`
	BlobsFrom string `help:"Address of the recordings, uploads, logos and tombstones to copy: file:DIR or s3://BUCKET?..." placeholder:"URL"`
	BlobsTo   string `help:"Address to copy them to. It must be empty." placeholder:"URL"`
}

// objectPrefixes lists the prefixes that the names of all objects begin with.
var objectPrefixes = []string{response.Objects, org.LogoPrefix, response.Tombstones}

// Run moves the database, the objects, or both. After an interruption the same command continues.
func (cmd *moveCommand) Run(ctx context.Context, c *Common) error {
	switch {
	case (cmd.From == "") != (cmd.To == ""):
		return usageError("--from and --to belong together")
	case (cmd.BlobsFrom == "") != (cmd.BlobsTo == ""):
		return usageError("--blobs-from and --blobs-to belong together")
	case cmd.From == "" && cmd.BlobsFrom == "":
		return usageError("name what to move: a database by --from and --to, recordings and uploads by --blobs-from and --blobs-to, or all of them")
	case cmd.From != "" && cmd.From == cmd.To, cmd.BlobsFrom != "" && cmd.BlobsFrom == cmd.BlobsTo:
		return usageError("the source and the target are the same")
	}
	defer c.stderr.redraw("")
	var rows []row
	if cmd.From != "" {
		target, copied, err := cmd.database(ctx, c)
		if err != nil {
			return err
		}
		defer target.Close()
		for _, t := range copied {
			rows = append(rows, row{{"moved", t.Name}, {"count", t.Rows}, {"bytes", nil}, {"sha256", t.Hash}})
		}
		more, err := cmd.objects(ctx, c)
		if err != nil {
			return err
		}
		if err := target.FinishCopy(ctx); err != nil { // from now on servers accept it
			return err
		}
		return c.printAll(append(rows, more...), "")
	}
	rows, err := cmd.objects(ctx, c)
	if err != nil {
		return err
	}
	return c.printAll(rows, "")
}

// database copies the database and returns the target, which is still marked as unfinished.
func (cmd *moveCommand) database(ctx context.Context, c *Common) (target *store.Store, copied []store.CopiedTable, err error) {
	if file, ok := strings.CutPrefix(cmd.From, "sqlite:"); ok {
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
			return nil, nil, fmt.Errorf("there is no database %s", file)
		}
	}
	open := func(address string, filling bool) (*store.Store, error) {
		only := Common{Database: address, secretFlags: secretFlags{DatabasePasswordFile: c.DatabasePasswordFile}}
		if strings.HasPrefix(address, "sqlite:") {
			only.DatabasePasswordFile = ""
		}
		_, options, err := only.database()
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
	from, err := open(cmd.From, false)
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
	if target, err = open(cmd.To, true); err != nil {
		return nil, nil, err
	}
	progress := c.moveProgress()
	copied, err = from.Copy(ctx, target, store.CopyOptions{Source: from.String(), Progress: progress})
	if errors.Is(err, store.ErrNotEmpty) {
		err = fmt.Errorf("%w. The target of a move must be empty; an interrupted move continues with the same --from", err)
	}
	if err != nil {
		return nil, nil, errors.Join(err, target.Close())
	}
	return target, copied, nil
}

// moveProgress returns a function that prints the progress of a move: continuously on a terminal, elsewhere one line for each table.
func (c *Common) moveProgress() func(table string, rows int64) {
	last := ""
	return func(table string, rows int64) {
		if c.stderr.tty {
			c.stderr.redraw(fmt.Sprintf("copying %-20s %d", table, rows))
		} else if table != last {
			c.stderr.printf("copying %s\n", table)
		}
		last = table
	}
}

// objects copies the recordings and uploads, or returns a row that says that they stay.
func (cmd *moveCommand) objects(ctx context.Context, c *Common) ([]row, error) {
	if cmd.BlobsFrom == "" {
		return []row{{{"moved", "recordings and uploads: left where they are; name them by --blobs-from and --blobs-to, or start the server with their --blobs"}, {"count", nil}, {"bytes", nil}, {"sha256", nil}}}, nil
	}
	if folder, ok := strings.CutPrefix(cmd.BlobsFrom, "file:"); ok {
		if _, err := os.Stat(folder); err != nil {
			return nil, err
		}
	}
	var stores [2]blob.Store
	for i, address := range []string{cmd.BlobsFrom, cmd.BlobsTo} {
		var err error
		if stores[i], err = c.openObjects(address, blob.Links{}); err != nil {
			return nil, err
		}
		if err := stores[i].Ready(ctx); err != nil {
			return nil, fmt.Errorf("%s cannot be reached: %w", address, err)
		}
	}
	progress := c.moveProgress()
	done, err := blob.Copy(ctx, stores[0], stores[1], objectPrefixes, func(done blob.Copied) {
		progress("objects", done.Objects)
	})
	if err != nil {
		return nil, fmt.Errorf("copying the recordings and uploads: %w", err)
	}
	return []row{{{"moved", "recordings and uploads, each compared by SHA-256"}, {"count", done.Objects}, {"bytes", done.Bytes}, {"sha256", nil}}}, nil
}
