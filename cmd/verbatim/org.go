package main

import (
	"context"

	"verbatim/internal/access"
	"verbatim/internal/org"
	"verbatim/internal/store"
)

type orgCommands struct {
	Create orgCreate `cmd:"" help:"Add an organization."`
	List   orgList   `cmd:"" help:"List the organizations."`
}

type orgCreate struct {
	Name string `arg:"" help:"Its name."`
}

// Run adds the organization.
func (cmd *orgCreate) Run(ctx context.Context, c *Common) error {
	return c.withStore(ctx, func(s *store.Store) error {
		o, err := (&access.Service{Store: s}).CreateOrg(ctx, cmd.Name)
		if err != nil {
			return err
		}
		return c.print(orgRow(o))
	})
}

type orgList struct{}

// Run lists the organizations.
func (orgList) Run(ctx context.Context, c *Common) error {
	return c.withStore(ctx, func(s *store.Store) error {
		all, err := (&access.Service{Store: s}).Orgs(ctx)
		if err != nil {
			return err
		}
		var rows []row
		for _, o := range all {
			rows = append(rows, orgRow(o))
		}
		return c.printAll(rows, "There is no organization yet: verbatim org create NAME")
	})
}

func orgRow(o org.Organization) row {
	return row{{"id", o.ID}, {"name", o.Name}, {"createdAt", o.CreatedAt}}
}
