package main

import (
	"context"
	"errors"
	"time"

	"verbatim/internal/domain/signing"
	"verbatim/internal/platform/store"
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
		k, err := openKeyring(ctx, s, c.secretFlags)
		if err != nil && !(cmd.AtOnce && errors.Is(err, errMissing)) {
			return err
		}
		ring, err := k.rotate(ctx, cmd.AtOnce)
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
		k := &keyring{store: s, flags: c.secretFlags, now: time.Now}
		ring, err := k.read(ctx)
		if err != nil {
			return err
		}
		return c.printRing(k, ring)
	})
}

func (c *Common) printRing(k *keyring, ring signing.Ring) error {
	now := k.now()
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
		rows = append(rows, row{{"id", key.ID()}, {"state", state}, {"from", toSecond(key.From)}, {"until", toSecond(key.Until)}, {"place", k.location()}})
	}
	return c.printAll(rows, "")
}

func toSecond(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.UTC().Truncate(time.Second)
}
