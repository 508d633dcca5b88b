package access

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// Quickstart describes an organization to create.
type Quickstart struct {
	OrgName  string
	Email    string // of its first user, an admin
	UserName string
	Credits  wallet.Credits // project credits of its wallet
}

// QuickstartResult is an organization that Quickstart created, with everything it needs. The key is not stored.
type QuickstartResult struct {
	Org    org.Organization
	User   org.User
	Key    string
	Wallet wallet.Wallet
}

// ErrOrgExists refuses an organization whose name is taken.
var ErrOrgExists = errors.New("an organization of that name exists")

// Quickstart creates an organization, an admin, a key and a funded wallet, all or nothing; ErrOrgExists with the existing
// organization in Started.Org, ErrNoName, and an error with a text for people if the address is invalid.
func (s *Service) Quickstart(ctx context.Context, q Quickstart) (made QuickstartResult, err error) {
	defer operation.Wrap(&err, "access.Quickstart")
	email := strings.ToLower(strings.TrimSpace(q.Email))
	if err := org.CheckEmail(email); err != nil {
		return QuickstartResult{}, err
	}
	if strings.TrimSpace(q.OrgName) == "" {
		return QuickstartResult{}, ErrNoName
	}
	var secret [32]byte
	_, _ = rand.Read(secret[:]) // never fails: crypto/rand ends the program instead
	key := org.FormatKey(secret)
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		made = QuickstartResult{Key: key}
		all, err := tx.Orgs(ctx)
		if err != nil {
			return err
		}
		for _, o := range all {
			if o.Name == q.OrgName {
				made = QuickstartResult{Org: o}
				return fmt.Errorf("%w: %s", ErrOrgExists, o.ID)
			}
		}
		if made.Org, err = tx.CreateOrg(ctx, q.OrgName); err != nil {
			return err
		}
		made.User, err = tx.UserByEmail(ctx, email)
		if errors.Is(err, org.ErrNoUser) {
			made.User, err = tx.CreateUser(ctx, email, q.UserName)
		}
		if err != nil {
			return err
		}
		if err := tx.SetMember(ctx, made.Org.ID, made.User.ID, org.Admin); err != nil {
			return err
		}
		if _, err := tx.CreateKey(ctx, org.Key{OrgID: made.Org.ID, UserID: made.User.ID, Name: "quickstart", Prefix: org.KeyPrefix(key)}, org.HashKey(key)); err != nil {
			return err
		}
		if made.Wallet, err = tx.CreateWallet(ctx, q.OrgName); err != nil {
			return err
		}
		if err := tx.GrantWallet(ctx, wallet.Grant{WalletID: made.Wallet.ID, OrgID: made.Org.ID}); err != nil {
			return err
		}
		if q.Credits == 0 {
			return nil
		}
		return tx.Deposit(ctx, made.Wallet.ID, wallet.Project, q.Credits)
	})
	return made, err
}
