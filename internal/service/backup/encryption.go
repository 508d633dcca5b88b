package backup

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"filippo.io/age"
)

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

// decrypt copies the database of the backup into a file, and decrypts it if it is encrypted.
func (r *Restore) decrypt(into string) (err error) {
	source, err := os.Open(r.File)
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
		identities, err := r.Identities()
		if err != nil {
			return err
		}
		if plain, err = age.Decrypt(reader, identities...); err != nil {
			if _, other := errors.AsType[*age.NoIdentityMatchError](err); other {
				return fmt.Errorf("%s is encrypted for others: no key in %s can decrypt it", r.File, r.IdentityFile)
			}
			return fmt.Errorf("%s cannot be decrypted: %w", r.File, err)
		}
	case bytes.HasPrefix(head, prefixSQLite):
	case bytes.HasPrefix(head, prefixPGDump):
		return fmt.Errorf("%s was made by pg_dump: restore it with pg_restore, then run: verbatim restore --tombstones-only", r.File)
	case bytes.HasPrefix(head, prefixArmor):
		return fmt.Errorf("%s is encrypted in text form; decrypt it with age --decrypt first", r.File)
	default:
		return fmt.Errorf("%s was not made by verbatim backup, or is damaged", r.File)
	}
	return writePrivate(into, func(to io.Writer) error {
		if _, err := io.Copy(to, plain); err != nil {
			return fmt.Errorf("%s is damaged or cut off: %w", r.File, err)
		}
		return nil
	})
}
