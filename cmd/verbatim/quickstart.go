package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/access"
)

type quickstartCommand struct {
	Org     string `help:"Name of the organization." default:"My organization" placeholder:"NAME"`
	Email   string `help:"E-mail address of its first user, an admin." default:"admin@example.org" placeholder:"ADDRESS"`
	Name    string `help:"Name of that user." default:"Admin" placeholder:"NAME"`
	Credits string `help:"Credits in its wallet." default:"100" placeholder:"CREDITS"`
}

// Run creates what a first session needs and prints it as shell variables, for: eval "$(verbatim quickstart)". If the organization exists,
// Run creates nothing and prints nothing to standard output.
func (cmd *quickstartCommand) Run(ctx context.Context, c *Common) error {
	credits, err := wallet.ParseCredits(cmd.Credits)
	if err != nil {
		return usageError("--credits: " + err.Error())
	}
	c.Create = true
	return c.withStore(ctx, func(s *store.Store) error {
		made, err := (&access.Service{Store: s}).Quickstart(ctx, access.Quickstart{OrgName: cmd.Org, Email: cmd.Email, UserName: cmd.Name, Credits: credits})
		if errors.Is(err, access.ErrOrgExists) {
			return fmt.Errorf("the organization %q exists already (%s), and keys are shown only once\n"+
				"To create another key: verbatim user list --org %s, then verbatim key create --org %s --user ID --name NAME\n"+
				"To create another organization: verbatim quickstart --org NAME", cmd.Org, made.Org.ID, made.Org.ID, made.Org.ID)
		}
		if err != nil {
			return err
		}
		if c.JSON || c.Field != "" {
			return c.print(row{{"orgId", made.Org.ID}, {"userId", made.User.ID}, {"key", made.Key}, {"walletId", made.Wallet.ID}, {"credits", credits}})
		}
		place, err := c.exportedPlace()
		if err != nil {
			return err
		}
		for _, variable := range append(place, [][2]string{
			{"ORG_ID", made.Org.ID}, {"USER_ID", made.User.ID}, {"API_KEY", made.Key}, {"WALLET_ID", made.Wallet.ID},
		}...) {
			c.stdout.printf("export %s=%s\n", variable[0], shellQuoted(variable[1]))
		}
		c.stderr.printf("Created %q with the admin %s, an API key that is shown only this once, and a wallet with %s credits.\n", cmd.Org, made.User.Email, credits.String())
		if c.stdout.tty {
			c.stderr.printf("To set these variables in your shell, run: eval \"$(verbatim quickstart ...)\"\n")
		}
		return nil
	})
}

// exportedPlace returns the variable by which later commands find the same data. It returns none if the variable is set already, or if
// the database address may hold a password.
func (c *Common) exportedPlace() ([][2]string, error) {
	if c.Database != "" || c.DatabaseFile != "" || os.Getenv("VERBATIM_DATA") != "" && c.Data == os.Getenv("VERBATIM_DATA") {
		return nil, nil
	}
	folder, err := filepath.Abs(c.folder())
	return [][2]string{{"VERBATIM_DATA", folder}}, err
}

// shellQuoted quotes a word for a shell.
func shellQuoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
