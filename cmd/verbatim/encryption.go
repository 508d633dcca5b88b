package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"filippo.io/age"
	"github.com/gofrs/flock"
)

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

// encryptFile encrypts a file into a new one, and syncs it to the disk.
func encryptFile(from, into string, recipients []age.Recipient) (err error) {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	return writePrivate(into, func(to io.Writer) error {
		encrypted, err := age.Encrypt(to, recipients...)
		if err != nil {
			return err
		}
		_, err = io.Copy(encrypted, source)
		return errors.Join(err, encrypted.Close())
	})
}

// writePrivate writes a file that only its owner may read. It replaces a file that an earlier attempt left.
func writePrivate(name string, write func(io.Writer) error) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	buffered := bufio.NewWriterSize(file, 1<<20)
	err = write(buffered)
	if err == nil {
		err = errors.Join(buffered.Flush(), file.Sync())
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return errors.Join(err, os.Remove(name))
	}
	return nil
}

// The first bytes of the kinds of files that may be given to restore.
var (
	prefixEncrypted = []byte("age-encryption.org/")
	prefixArmor     = []byte("-----BEGIN AGE ENCRYPTED FILE-----")
	prefixSQLite    = []byte("SQLite format 3\x00")
	prefixPGDump    = []byte("PGDMP")
)

// decryptFile copies the database of a backup into a file, and decrypts it if it is encrypted.
func decryptFile(from, into, identityFile string) (err error) {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	reader := bufio.NewReaderSize(source, 1<<20)
	head, err := reader.Peek(64)
	if err != nil && err != io.EOF {
		return err
	}
	var plain io.Reader = reader
	switch {
	case bytes.HasPrefix(head, prefixEncrypted):
		if identityFile == "" {
			return usageError(fmt.Sprintf("%s is encrypted: give the file with the secret key by --identity-file", from))
		}
		identities, err := readIdentities(identityFile)
		if err != nil {
			return err
		}
		if plain, err = age.Decrypt(reader, identities...); err != nil {
			if _, other := errors.AsType[*age.NoIdentityMatchError](err); other {
				return fmt.Errorf("%s is encrypted for others: no key in %s can decrypt it", from, identityFile)
			}
			return fmt.Errorf("%s cannot be decrypted: %w", from, err)
		}
	case bytes.HasPrefix(head, prefixSQLite):
	case bytes.HasPrefix(head, prefixPGDump):
		return fmt.Errorf("%s was made by pg_dump: restore it with pg_restore, then run: verbatim restore --tombstones-only", from)
	case bytes.HasPrefix(head, prefixArmor):
		return fmt.Errorf("%s is encrypted in text form; decrypt it with age --decrypt first", from)
	default:
		return fmt.Errorf("%s was not made by verbatim backup, or is damaged", from)
	}
	return writePrivate(into, func(to io.Writer) error {
		if _, err := io.Copy(to, plain); err != nil {
			return fmt.Errorf("%s is damaged or cut off: %w", from, err)
		}
		return nil
	})
}

func readIdentities(name string) ([]age.Identity, error) {
	text, err := readSecretFile(name)
	if err != nil {
		return nil, usageError(fmt.Sprintf("--identity-file %s: %v", name, err))
	}
	identities, err := age.ParseIdentities(strings.NewReader(text))
	if err != nil {
		return nil, usageError(fmt.Sprintf("--identity-file %s: it must hold a secret key from age-keygen, which begins with AGE-SECRET-KEY-", name))
	}
	return identities, nil
}

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
