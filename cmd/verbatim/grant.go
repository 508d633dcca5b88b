package main

import (
	"context"

	"verbatim/internal/access"
	"verbatim/internal/org"
	"verbatim/internal/store"
)

type grantCommands struct {
	Study string `required:"" help:"The study's id." placeholder:"ID"`
	User  string `required:"" help:"The user's id; a member of the study's organization." placeholder:"ID"`

	Permission string `arg:"" enum:"start-recruitment" help:"What is granted: start-recruitment."`
}

// Run grants the permission.
func (cmd *grantCommands) Run(ctx context.Context, c *Common) error {
	return c.withStore(ctx, func(s *store.Store) error {
		if err := (&access.Service{Store: s}).GrantStudy(ctx, cmd.Study, cmd.User, org.Permission(cmd.Permission)); err != nil {
			return err
		}
		return c.print(row{{"studyId", cmd.Study}, {"userId", cmd.User}, {"permission", cmd.Permission}})
	})
}
