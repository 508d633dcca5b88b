package main

import (
	"context"

	"verbatim/internal/domain/org"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/access"
)

type grantCommands struct {
	Add    grantAdd    `cmd:"" default:"withargs" help:"Give a user a permission on one study. The word add is optional."`
	List   grantList   `cmd:"" help:"List the permissions of users on one study."`
	Revoke grantRevoke `cmd:"" help:"Revoke a permission on one study."`
}

// studyPermission names a permission of a user on one study.
type studyPermission struct {
	Study string `required:"" help:"The study's link id, or its id." placeholder:"ID"`
	User  string `required:"" help:"The user's id; a member of the study's organization." placeholder:"ID"`

	Permission string `arg:"" enum:"start-recruitment" help:"The permission: start-recruitment."`
}

// find returns the id of the study, or org.ErrNoUser if the user is not a member of its organization.
func (p studyPermission) find(ctx context.Context, s *store.Store) (studyID string, err error) {
	st, err := findStudy(ctx, s, p.Study)
	if err == nil {
		_, err = s.View().Member(ctx, st.OrgID, p.User)
	}
	return st.ID, err
}

func (p studyPermission) row(studyID, status string) row {
	return row{{"studyId", studyID}, {"userId", p.User}, {"permission", p.Permission}, {"status", status}}
}

type grantAdd struct{ studyPermission }

// Run grants the permission.
func (cmd *grantAdd) Run(ctx context.Context, c *Common) error {
	return c.withStore(ctx, func(s *store.Store) error {
		studyID, err := cmd.find(ctx, s)
		if err != nil {
			return err
		}
		if err := (&access.Service{Store: s}).GrantStudy(ctx, studyID, cmd.User, org.Permission(cmd.Permission)); err != nil {
			return err
		}
		return c.print(cmd.row(studyID, "granted"))
	})
}

type grantRevoke struct{ studyPermission }

// Run revokes the permission.
func (cmd *grantRevoke) Run(ctx context.Context, c *Common) error {
	return c.withStore(ctx, func(s *store.Store) error {
		st, err := findStudy(ctx, s, cmd.Study)
		if err != nil {
			return err
		}
		if err := (&access.Service{Store: s}).RevokeStudyGrant(ctx, st.ID, cmd.User, org.Permission(cmd.Permission)); err != nil {
			return err
		}
		return c.print(cmd.row(st.ID, "revoked"))
	})
}

type grantList struct {
	Study string `required:"" help:"The study's link id, or its id." placeholder:"ID"`
}

// Run lists the permissions.
func (cmd *grantList) Run(ctx context.Context, c *Common) error {
	return c.withStore(ctx, func(s *store.Store) error {
		st, err := findStudy(ctx, s, cmd.Study)
		if err != nil {
			return err
		}
		all, err := s.View().StudyGrants(ctx, st.ID)
		if err != nil {
			return err
		}
		var rows []row
		for _, g := range all {
			rows = append(rows, row{
				{"permission", g.Permission}, {"userId", g.User.ID}, {"email", g.User.Email}, {"name", g.User.Name}, {"grantedAt", toSecond(g.CreatedAt)},
			})
		}
		return c.printAll(rows, "No user was given a permission on this study. Its creator, admins and supervisors need none.")
	})
}
