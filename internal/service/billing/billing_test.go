package billing_test

import (
	"errors"
	"testing"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/billing"
)

func TestBilling(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := &billing.Service{Store: storetest.New(t)}
	o := storetest.Org(t, s.Store)
	if _, err := s.CreateWallet(ctx, ""); !errors.Is(err, billing.ErrNoName) {
		t.Errorf("a wallet without a name: %v", err)
	}
	w, err := s.CreateWallet(ctx, "Main")
	if err != nil {
		t.Fatal(err)
	}
	for _, grant := range []struct {
		wallet.Grant
		want error
	}{
		{wallet.Grant{WalletID: o.ID, OrgID: o.ID}, wallet.ErrNotFound},
		{wallet.Grant{WalletID: w.ID, OrgID: w.ID}, org.ErrNotFound},
		{wallet.Grant{WalletID: w.ID, OrgID: o.ID}, nil},
		{wallet.Grant{WalletID: w.ID, OrgID: o.ID, Limited: true, Limit: 500}, nil},
	} {
		if err := s.Grant(ctx, grant.Grant); !errors.Is(err, grant.want) {
			t.Errorf("granting %+v: %v, want %v", grant.Grant, err, grant.want)
		}
	}
	if err := s.Store.View().CanFund(ctx, w.ID, o.ID, 501); !errors.Is(err, wallet.ErrInsufficient) {
		t.Errorf("past the limit: %v", err)
	}

	if after, err := s.Deposit(ctx, w.ID, wallet.Project, 2500); err != nil || after.Project != (wallet.Balance{Balance: 2500}) {
		t.Errorf("after a deposit: %+v (%v)", after, err)
	}
	if after, err := s.Withdraw(ctx, w.ID, wallet.Project, 500); err != nil || after.Project != (wallet.Balance{Balance: 2000}) {
		t.Errorf("after a withdrawal: %+v (%v)", after, err)
	}
	if _, err := s.Withdraw(ctx, w.ID, wallet.Project, 2001); !errors.Is(err, wallet.ErrInsufficient) {
		t.Errorf("more than there is: %v", err)
	}
	if _, err := s.Withdraw(ctx, w.ID, wallet.Recruitment, 1); !errors.Is(err, wallet.ErrInsufficient) {
		t.Errorf("from the other balance: %v", err)
	}
	if _, err := s.Deposit(ctx, w.ID, wallet.Project, 0); !errors.Is(err, billing.ErrNoAmount) {
		t.Errorf("nothing: %v", err)
	}
	if _, err := s.Deposit(ctx, o.ID, wallet.Project, 1); !errors.Is(err, wallet.ErrNotFound) {
		t.Errorf("into no wallet: %v", err)
	}
	if violations, err := s.Audit(ctx); err != nil || len(violations) != 0 {
		t.Errorf("the ledger: %q (%v)", violations, err)
	}
	if granted, err := s.Wallets(ctx, o.ID); err != nil || len(granted) != 1 || granted[0].Project.Balance != 2000 {
		t.Errorf("granted are %+v (%v)", granted, err)
	}
	if all, err := s.AllWallets(ctx); err != nil || len(all) != 1 {
		t.Errorf("all are %+v (%v)", all, err)
	}
}
