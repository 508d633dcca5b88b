package main

import (
	"cmp"
	"context"

	"verbatim/internal/domain/org"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/access"
	"verbatim/internal/service/signin"
)

type userCommands struct {
	Create     userCreate     `cmd:"" help:"Add a user to an organization, or change a member's role."`
	List       userList       `cmd:"" help:"List an organization's members."`
	SetupLink  userSetupLink  `cmd:"" name:"setup-link" help:"Print a link by which the first admin sets up the dashboard, while no admin can sign in."`
	ResetLink  userResetLink  `cmd:"" name:"reset-link" help:"Print a link by which a user sets a new password for the dashboard."`
	SigninLink userSigninLink `cmd:"" name:"signin-link" help:"Print a link that signs a user in to the dashboard, once, without a password and without the second step."`

	TwoStepOff userTwoStepOff `cmd:"" name:"two-step-off" help:"Turn a user's second step of signing in off and revoke the user's passkeys, when authenticator app and recovery codes are lost, and end the user's sessions."`

	InstanceAdmin userInstanceAdmin `cmd:"" name:"instance-admin" help:"Let a user see and try the parts of the installation in the dashboard, and top up wallets. Admins of the oldest organization may in any case."`

	Remove userRemove `cmd:"" help:"Remove a user from an organization. Requests with the user's API keys of that organization are answered with 403."`
}

type userCreate struct {
	Org   string `required:"" help:"The organization's id." placeholder:"ID"`
	Email string `required:"" help:"The user's e-mail address." placeholder:"ADDRESS"`
	Name  string `required:"" help:"The user's name." placeholder:"NAME"`
	Role  string `required:"" enum:"admin,supervisor,member" help:"admin, supervisor or member." placeholder:"ROLE"`
}

// Run adds the user.
func (cmd *userCreate) Run(ctx context.Context, c *Common) error {
	return c.withStore(ctx, func(s *store.Store) error {
		role, err := org.ParseRole(cmd.Role)
		if err != nil {
			return err
		}
		u, err := (&access.Service{Store: s}).CreateUser(ctx, cmd.Org, cmd.Email, cmd.Name, role)
		if err != nil {
			return err
		}
		return c.print(row{{"id", u.ID}, {"email", u.Email}, {"name", u.Name}, {"role", role}, {"orgId", cmd.Org}})
	})
}

type userList struct {
	Org string `required:"" help:"The organization's id." placeholder:"ID"`
}

// Run lists the members.
func (cmd *userList) Run(ctx context.Context, c *Common) error {
	return c.withStore(ctx, func(s *store.Store) error {
		if _, err := s.View().Org(ctx, cmd.Org); err != nil {
			return err
		}
		members, err := s.View().Members(ctx, cmd.Org)
		if err != nil {
			return err
		}
		var rows []row
		for _, m := range members {
			rows = append(rows, row{{"id", m.User.ID}, {"email", m.User.Email}, {"name", m.User.Name}, {"role", m.Role}})
		}
		return c.printAll(rows, "The organization has no members.")
	})
}

type userRemove struct {
	Org  string `required:"" help:"The organization's id." placeholder:"ID"`
	User string `required:"" help:"The user's id." placeholder:"ID"`
}

// Run removes the user.
func (cmd *userRemove) Run(ctx context.Context, c *Common) error {
	return c.withStore(ctx, func(s *store.Store) error {
		if err := (&access.Service{Store: s}).RemoveUser(ctx, cmd.Org, cmd.User); err != nil {
			return err
		}
		return c.print(row{{"id", cmd.User}, {"orgId", cmd.Org}, {"status", "removed"}})
	})
}

// linkFlags say which address a printed link begins with.
type linkFlags struct {
	BaseURL string `help:"Public address of the service. Default: that of the server that was started last on the database." env:"VERBATIM_BASE_URL" placeholder:"URL"`
}

// base returns the public address that links begin with.
func (f linkFlags) base(ctx context.Context, s *store.Store) (string, error) {
	if f.BaseURL != "" {
		return parseBaseURL(f.BaseURL)
	}
	served, err := s.View().Setting(ctx, baseURLSetting)
	return cmp.Or(served, "http://127.0.0.1:8080"), err
}

// print makes a link and prints it.
func (f linkFlags) print(ctx context.Context, c *Common, create func(*signin.Service) (signin.Link, error)) error {
	return c.withStore(ctx, func(s *store.Store) error {
		base, err := f.base(ctx, s)
		if err != nil {
			return err
		}
		link, err := create(&signin.Service{Store: s, BaseURL: base})
		if err != nil {
			return err
		}
		return c.print(row{{"link", link.Address}, {"expiresAt", link.ExpiresAt}})
	})
}

type userSetupLink struct{ linkFlags }

// Run prints a link for the set-up.
func (cmd *userSetupLink) Run(ctx context.Context, c *Common) error {
	return cmd.print(ctx, c, func(s *signin.Service) (signin.Link, error) { return s.SetUpLink(ctx) })
}

type userResetLink struct {
	User string `arg:"" help:"The user's id."`
	linkFlags
}

// Run prints a link for a new password.
func (cmd *userResetLink) Run(ctx context.Context, c *Common) error {
	return cmd.print(ctx, c, func(s *signin.Service) (signin.Link, error) { return s.OperatorLink(ctx, org.ResetToken, cmd.User) })
}

type userSigninLink struct {
	User string `arg:"" help:"The user's id."`
	linkFlags
}

// Run prints a link that signs the user in.
func (cmd *userSigninLink) Run(ctx context.Context, c *Common) error {
	return cmd.print(ctx, c, func(s *signin.Service) (signin.Link, error) { return s.OperatorLink(ctx, org.SignInToken, cmd.User) })
}

type userInstanceAdmin struct {
	User string `arg:"" help:"The user's id."`
	End  bool   `help:"Take it back."`
}

// Run allows it, or takes it back.
func (cmd *userInstanceAdmin) Run(ctx context.Context, c *Common) error {
	return c.withStore(ctx, func(s *store.Store) error {
		service := &access.Service{Store: s}
		u, err := service.SetInstanceAdmin(ctx, cmd.User, !cmd.End)
		if err != nil {
			return err
		}
		is, err := service.IsInstanceAdmin(ctx, cmd.User)
		if err != nil {
			return err
		}
		return c.print(row{{"id", u.ID}, {"email", u.Email}, {"instanceAdmin", is}})
	})
}

type userTwoStepOff struct {
	User string `arg:"" help:"The user's id."`
}

// Run turns the second step off.
func (cmd *userTwoStepOff) Run(ctx context.Context, c *Common) error {
	return c.withStore(ctx, func(s *store.Store) error {
		u, err := (&signin.Service{Store: s}).RemoveTwoStepOf(ctx, cmd.User)
		if err != nil {
			return err
		}
		return c.print(row{{"id", u.ID}, {"email", u.Email}, {"twoStep", "off"}})
	})
}
