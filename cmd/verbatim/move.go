package main

import (
	"context"
	"fmt"
	"strings"

	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/backup"
)

type moveCommand struct {
	From      string `help:"Address of the database to copy from: sqlite:PATH or postgres://USER@HOST/NAME. It is not changed." placeholder:"URL"`
	To        string `help:"Address of the empty database to copy to: sqlite:PATH or postgres://USER@HOST/NAME. Give the password of either by --database-password-file, PGPASSWORD or a .pgpass file." placeholder:"URL"`
	BlobsFrom string `help:"Address of the recordings, uploads, logos and tombstones to copy: file:DIR or s3://BUCKET?..." placeholder:"URL"`
	BlobsTo   string `help:"Address to copy them to. It must be empty." placeholder:"URL"`
}

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
	done, err := (&backup.Move{
		From: cmd.From, To: cmd.To, Options: c.moveOptions,
		ObjectsFrom: cmd.BlobsFrom, ObjectsTo: cmd.BlobsTo,
		OpenObjects: func(address string) (blob.Store, error) { return c.openObjects(address, blob.Links{}) },
		Progress:    c.moveProgress(),
	}).Run(ctx)
	if err != nil {
		return err
	}
	var rows []row
	for _, t := range done.Tables {
		rows = append(rows, row{{"moved", t.Name}, {"count", t.Rows}, {"bytes", nil}, {"sha256", t.Hash}})
	}
	if cmd.BlobsFrom == "" {
		rows = append(rows, row{{"moved", "recordings and uploads: left where they are; name them by --blobs-from and --blobs-to, or start the server with their --blobs"}, {"count", nil}, {"bytes", nil}, {"sha256", nil}})
	} else {
		rows = append(rows, row{{"moved", "recordings and uploads, each compared by SHA-256"}, {"count", done.Objects.Objects}, {"bytes", done.Objects.Bytes}, {"sha256", nil}})
	}
	return c.printAll(rows, "")
}

// moveOptions returns the options to open one of the databases with. The password is for PostgreSQL only.
func (c *Common) moveOptions(address string) (store.Options, error) {
	only := Common{Database: address, secretFlags: secretFlags{DatabasePasswordFile: c.DatabasePasswordFile}}
	if strings.HasPrefix(address, "sqlite:") {
		only.DatabasePasswordFile = ""
	}
	_, options, err := only.database()
	return options, err
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
