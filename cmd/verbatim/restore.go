package main

import (
	"context"
	"fmt"
	"strings"

	"filippo.io/age"

	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/backup"
)

type restoreCommand struct {
	File              string `arg:"" optional:"" help:"The backup: a file from verbatim backup, of SQLite or PostgreSQL." type:"path"`
	IdentityFile      string `help:"File with the secret key of an encrypted backup, from age-keygen." env:"VERBATIM_BACKUP_IDENTITY_FILE" type:"path" placeholder:"FILE"`
	TombstonesOnly    bool   `help:"The database is restored already, for example by pg_restore: only repeat the deletions that were made after its backup."`
	WithoutTombstones bool   `help:"Restore although the recordings and uploads, and with them the tombstones, are lost. Responses that were deleted after the backup come back."`
}

// Run restores a backup into a database that does not exist or is empty, and repeats the deletions that were made after it.
func (cmd *restoreCommand) Run(ctx context.Context, c *Common) error {
	if cmd.TombstonesOnly == (cmd.File != "") {
		return usageError("name the backup to restore, or give --tombstones-only if the database is restored already")
	}
	if cmd.TombstonesOnly && cmd.WithoutTombstones {
		return usageError("--tombstones-only and --without-tombstones together leave nothing to do")
	}
	var objects blob.Store
	if !cmd.WithoutTombstones {
		var err error
		if objects, err = c.tombstoneStore(ctx); err != nil {
			return err
		}
	}
	if cmd.TombstonesOnly {
		if err := c.mustExist(); err != nil {
			return err
		}
		return c.withStore(ctx, func(s *store.Store) error {
			done, err := backup.RepeatDeletions(ctx, s, objects)
			if err != nil {
				return err
			}
			return c.printRestored(done)
		})
	}
	address, options, err := c.database()
	if err != nil {
		return err
	}
	done, err := (&backup.Restore{File: cmd.File, Objects: objects, Identities: cmd.identities, IdentityFile: cmd.IdentityFile}).Into(ctx, address, options)
	if err != nil {
		return err
	}
	return c.printRestored(done)
}

// identities reads the secret keys that decrypt the backup.
func (cmd *restoreCommand) identities() ([]age.Identity, error) {
	if cmd.IdentityFile == "" {
		return nil, usageError(fmt.Sprintf("%s is encrypted: give the file with the secret key by --identity-file", cmd.File))
	}
	text, err := readSecretFile(cmd.IdentityFile)
	if err != nil {
		return nil, usageError(fmt.Sprintf("--identity-file %s: %v", cmd.IdentityFile, err))
	}
	identities, err := age.ParseIdentities(strings.NewReader(text))
	if err != nil {
		return nil, usageError(fmt.Sprintf("--identity-file %s: it must hold a secret key from age-keygen, which begins with AGE-SECRET-KEY-", cmd.IdentityFile))
	}
	return identities, nil
}

// tombstoneStore opens the recordings and uploads, which hold the tombstones, and checks that they can be read.
func (c *Common) tombstoneStore(ctx context.Context) (blob.Store, error) {
	objects, err := c.objects()
	if err != nil {
		return nil, err
	}
	if objects == nil {
		return nil, fmt.Errorf("there are no recordings and uploads at %s: put them back first, because the tombstones among them record what was deleted after the backup. "+
			"Set their address by --blobs; if they are lost, or never existed, add --without-tombstones", c.blobsAddress())
	}
	if err := objects.Ready(ctx); err != nil {
		return nil, fmt.Errorf("the recordings and uploads, and with them the tombstones, cannot be reached: %w", err)
	}
	return objects, nil
}

func (c *Common) printRestored(done backup.Restored) error {
	repeated := done.Deletions
	var next strings.Builder
	next.WriteString("run verbatim doctor. API keys that were revoked and users who were removed after the backup are back: check verbatim key list and verbatim user list")
	if repeated.Foreign > 0 {
		next.WriteString(". Some tombstones belong to no response of this installation: check that these are its recordings and uploads")
	}
	return c.print(row{
		{"database", done.Database},
		{"responses", done.Responses},
		{"tombstones", repeated.Tombstones},
		{"deletedAgain", repeated.Restored},
		{"recordingsRemovedAgain", repeated.Swept},
		{"foreignTombstones", repeated.Foreign},
		{"tombstonesWritten", repeated.Written},
		{"next", next.String()},
	})
}
