package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"verbatim/internal/domain/signing"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/keyring"
)

type secretCommands struct {
	Rotate secretRotate `cmd:"" help:"Replace the secret that signs links to recordings. Existing links stay valid until they expire."`
	List   secretList   `cmd:"" help:"List where the secrets that sign links are stored and when each is valid. The secrets themselves are not shown."`
}

type secretRotate struct {
	AtOnce bool `help:"Invalidate the previous secrets now, and with them all links and cursors that they signed. Use this if a secret was stolen."`
}

// Run rotates the secret. Running servers notice within half a minute.
func (cmd *secretRotate) Run(ctx context.Context, c *Common) error {
	return c.withStore(ctx, func(s *store.Store) error {
		k, err := keyring.Open(ctx, s, c.signingSource())
		if err != nil && !(cmd.AtOnce && errors.Is(err, keyring.ErrMissing)) {
			return err
		}
		ring, err := k.Rotate(ctx, cmd.AtOnce)
		if err != nil {
			return err
		}
		return c.printRing(k, ring)
	})
}

type secretList struct{}

// Run lists the secrets. It changes nothing.
func (secretList) Run(ctx context.Context, c *Common) error {
	return c.withDatabase(ctx, func(s *store.Store) error {
		k := keyring.New(s, c.signingSource(), time.Now)
		ring, err := k.Read(ctx)
		if err != nil {
			return err
		}
		return c.printRing(k, ring)
	})
}

// signingSource returns where the operator configured the secrets that sign links.
func (f secretFlags) signingSource() keyring.Source {
	source := keyring.Source{File: f.SecretFile, Variable: os.Getenv("VERBATIM_SECRET") != ""}
	source.Read = func() (signing.Ring, error) {
		text, err := readSecret("VERBATIM_SECRET", "--secret-file", f.SecretFile)
		if err != nil || text == "" {
			return signing.Ring{}, err
		}
		ring, err := signing.Parse(text)
		if err != nil {
			return signing.Ring{}, usageError(fmt.Sprintf("%s: %v", source, err))
		}
		return ring, nil
	}
	return source
}

// keyring opens the secrets that sign links. It logs a warning if they are stored in the database.
func (f serviceFlags) keyring(ctx context.Context, s *store.Store, log *slog.Logger) (*keyring.Keyring, error) {
	if f.noLinks {
		return keyring.Unstored(s), nil
	}
	k, err := keyring.Open(ctx, s, f.secrets.signingSource())
	if err == nil && k.InDatabase() {
		log.Warn("the secret that signs links is kept in the database, and so in its backups; set it by --secret-file or VERBATIM_SECRET on every server")
	}
	return k, err
}

func (c *Common) printRing(k *keyring.Keyring, ring signing.Ring) error {
	now := k.Now()
	signer, _ := ring.Signer(now)
	var rows []row
	for _, key := range ring.Keys() {
		state := "verifies"
		switch {
		case key.Ended(now):
			state = "ended"
		case key.ID() == signer.ID() && key.Format == signing.Current:
			state = "signs"
		case key.From.After(now):
			state = "signs soon"
		}
		rows = append(rows, row{{"id", key.ID()}, {"state", state}, {"from", toSecond(key.From)}, {"until", toSecond(key.Until)}, {"place", k.Location()}})
	}
	return c.printAll(rows, "")
}

func toSecond(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.UTC().Truncate(time.Second)
}
