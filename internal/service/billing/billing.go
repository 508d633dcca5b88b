package billing

import (
	"context"
	"errors"
	"strings"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// DefaultPrice is the price of a completed response unless the operator sets another.
const DefaultPrice = wallet.Credit

// Errors of the operator's calls. Their texts are shown to operators.
var (
	ErrNoName   = errors.New("a name is needed")
	ErrNoAmount = errors.New("the amount must be more than zero")
)

// Service manages wallets.
type Service struct {
	Store *store.Store
}

// Wallets lists the wallets granted to an organization, in the order of the grants.
func (s *Service) Wallets(ctx context.Context, orgID string) (_ []wallet.Wallet, err error) {
	defer operation.Wrap(&err, "billing.Wallets")
	return s.Store.View().Wallets(ctx, orgID)
}

// AllWallets lists every wallet of the installation, for the operator.
func (s *Service) AllWallets(ctx context.Context) (_ []wallet.Wallet, err error) {
	defer operation.Wrap(&err, "billing.AllWallets")
	return s.Store.View().AllWallets(ctx)
}

// CreateWallet adds an empty wallet that no organization may spend from yet; ErrNoName.
func (s *Service) CreateWallet(ctx context.Context, name string) (w wallet.Wallet, err error) {
	defer operation.Wrap(&err, "billing.CreateWallet")
	if strings.TrimSpace(name) == "" {
		return wallet.Wallet{}, ErrNoName
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		w, err = tx.CreateWallet(ctx, name)
		return err
	})
	return w, err
}

// Grant lets an organization spend from a wallet, or changes the limit of its grant; wallet.ErrNotFound, org.ErrNotFound. What
// the grant has already used still counts.
func (s *Service) Grant(ctx context.Context, g wallet.Grant) (err error) {
	defer operation.Wrap(&err, "billing.Grant")
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		if _, err := tx.Wallet(ctx, g.WalletID); err != nil {
			return err
		}
		if _, err := tx.Org(ctx, g.OrgID); err != nil {
			return err
		}
		if err := tx.GrantWallet(ctx, g); err != nil {
			return err
		}
		detail := map[string]string{}
		if g.Limited {
			detail["limit"] = g.Limit.String()
		}
		return tx.Audit(ctx, org.AuditEntry{OrgID: g.OrgID, Action: org.AuditWalletGranted, Subject: g.WalletID, Detail: detail})
	})
}

// Deposit adds credits to one of a wallet's balances and returns the updated wallet; wallet.ErrNotFound, ErrNoAmount.
func (s *Service) Deposit(ctx context.Context, walletID string, kind wallet.Kind, amount wallet.Credits) (_ wallet.Wallet, err error) {
	defer operation.Wrap(&err, "billing.Deposit")
	return s.move(ctx, walletID, amount, func(tx *store.Tx) error {
		if err := tx.Deposit(ctx, walletID, kind, amount); err != nil {
			return err
		}
		return auditMove(ctx, tx, walletID, org.AuditDeposited, movementDetail(kind, amount))
	})
}

// Withdraw removes unspent credits from one of a wallet's balances and returns the updated wallet; wallet.ErrNotFound,
// wallet.ErrInsufficient, ErrNoAmount.
func (s *Service) Withdraw(ctx context.Context, walletID string, kind wallet.Kind, amount wallet.Credits) (_ wallet.Wallet, err error) {
	defer operation.Wrap(&err, "billing.Withdraw")
	return s.move(ctx, walletID, amount, func(tx *store.Tx) error {
		if err := tx.Withdraw(ctx, walletID, kind, amount); err != nil {
			return err
		}
		return auditMove(ctx, tx, walletID, org.AuditWithdrawn, movementDetail(kind, amount))
	})
}

func (s *Service) move(ctx context.Context, walletID string, amount wallet.Credits, enter func(*store.Tx) error) (w wallet.Wallet, err error) {
	if amount <= 0 {
		return wallet.Wallet{}, ErrNoAmount
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		if err := enter(tx); err != nil {
			return err
		}
		w, err = tx.Wallet(ctx, walletID)
		return err
	})
	return w, err
}

// Audit checks the ledger and returns a sentence for each violation; none if it balances.
func (s *Service) Audit(ctx context.Context) (_ []string, err error) {
	defer operation.Wrap(&err, "billing.Audit")
	return s.Store.View().AuditLedger(ctx)
}
