package main

import (
	"context"

	"verbatim/internal/access"
	"verbatim/internal/org"
	"verbatim/internal/store"
)

type keyCommands struct {
	Create keyCreate `cmd:"" help:"Make an API key. It is shown this once."`
	List   keyList   `cmd:"" help:"List an organization's keys."`
	Revoke keyRevoke `cmd:"" help:"Revoke a key, named by its id or by itself."`
}

type keyCreate struct {
	Org  string `required:"" help:"The organization that the key is scoped to." placeholder:"ID"`
	User string `required:"" help:"The member that the key acts for." placeholder:"ID"`
	Name string `required:"" help:"What the key is for." placeholder:"NAME"`
}

// Run makes the key.
func (cmd *keyCreate) Run(ctx context.Context, c *Common) error {
	return c.withStore(ctx, func(s *store.Store) error {
		kept, key, err := (&access.Service{Store: s}).CreateKey(ctx, cmd.Org, cmd.User, cmd.Name)
		if err != nil {
			return err
		}
		return c.print(append(row{{"key", key}}, keyRow(kept)...))
	})
}

type keyList struct {
	Org string `required:"" help:"The organization's id." placeholder:"ID"`
}

// Run lists the keys.
func (cmd *keyList) Run(ctx context.Context, c *Common) error {
	return c.withStore(ctx, func(s *store.Store) error {
		keys, err := (&access.Service{Store: s}).ListKeys(ctx, cmd.Org)
		if err != nil {
			return err
		}
		var rows []row
		for _, k := range keys {
			rows = append(rows, keyRow(k))
		}
		return c.printAll(rows, "The organization has no keys.")
	})
}

type keyRevoke struct {
	Key string `arg:"" help:"The key's id, or the key."`
}

// Run revokes the key.
func (cmd *keyRevoke) Run(ctx context.Context, c *Common) error {
	return c.withStore(ctx, func(s *store.Store) error {
		k, err := (&access.Service{Store: s}).RevokeKey(ctx, cmd.Key)
		if err != nil {
			return err
		}
		return c.print(keyRow(k))
	})
}

func keyRow(k org.Key) row {
	return row{
		{"id", k.ID},
		{"prefix", k.Prefix},
		{"name", k.Name},
		{"userId", k.UserID},
		{"orgId", k.OrgID},
		{"createdAt", k.CreatedAt},
		{"revokedAt", k.RevokedAt},
	}
}
