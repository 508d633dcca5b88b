package main

import (
	"context"
	"fmt"
	"strings"

	"filippo.io/age"

	"verbatim/internal/platform/store"
	"verbatim/internal/service/backup"
)

type backupCommand struct {
	File string `arg:"" help:"The file to write. It must not exist." type:"path"`
	recipientFlags
}

// Run copies the database. A server may be running. The schema is not migrated, because backups are made before an upgrade.
func (cmd *backupCommand) Run(ctx context.Context, c *Common) error {
	recipients, err := cmd.recipients()
	if err != nil {
		return err
	}
	return c.withDatabase(ctx, func(s *store.Store) error {
		size, err := backup.Write(ctx, s, cmd.File, recipients)
		if err != nil {
			return err
		}
		var encryptedFor any // nil: not encrypted
		if len(recipients) > 0 {
			encryptedFor = counted(len(recipients), "key")
		}
		return c.print(row{
			{"backup", cmd.File},
			{"bytes", size},
			{"checked", true},
			{"encryptedFor", encryptedFor},
			{"notIncluded", "recordings and uploads: copy " + c.blobsAddress() + " after this; and, on purpose, the secret that signs links"},
		})
	})
}

// recipientFlags name the public keys that a backup is encrypted for.
type recipientFlags struct {
	Recipient      []string `help:"Encrypt the backup for this public key from age-keygen (age1...). May be repeated." env:"VERBATIM_BACKUP_RECIPIENT" placeholder:"KEY"`
	RecipientsFile string   `help:"File with such public keys, one per line." env:"VERBATIM_BACKUP_RECIPIENTS_FILE" type:"path" placeholder:"FILE"`
}

// recipients returns the public keys to encrypt for, or none if the backup is not to be encrypted.
func (f recipientFlags) recipients() (all []age.Recipient, err error) {
	for _, key := range f.Recipient {
		parsed, err := age.ParseRecipients(strings.NewReader(key))
		if err != nil || len(parsed) != 1 {
			if strings.Contains(strings.ToUpper(key), "AGE-SECRET-KEY-") {
				return nil, usageError("--recipient takes the public key, which begins with age1; the one given is secret. Process lists have shown it: create a new one")
			}
			return nil, usageError(fmt.Sprintf("--recipient %q is not a public key from age-keygen, which begins with age1", key))
		}
		all = append(all, parsed...)
	}
	if f.RecipientsFile != "" {
		text, err := readSecretFile(f.RecipientsFile)
		if err != nil {
			return nil, usageError(fmt.Sprintf("--recipients-file %s: %v", f.RecipientsFile, err))
		}
		parsed, err := age.ParseRecipients(strings.NewReader(text))
		if err != nil {
			return nil, usageError(fmt.Sprintf("--recipients-file %s: it must hold public keys, one per line, each beginning with age1", f.RecipientsFile))
		}
		all = append(all, parsed...)
	}
	return all, nil
}
