package store_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// audit fails the test when the ledger is not in order.
func audit(ctx context.Context, t rapid.TB, s *store.Store) {
	t.Helper()
	violations, err := s.View().AuditLedger(ctx)
	if err != nil || len(violations) > 0 {
		t.Fatalf("AuditLedger = %q, %v", violations, err)
	}
}

// ledgerMove is one random operation on a wallet.
type ledgerMove struct {
	kind   string
	org    int
	amount wallet.Credits
}

func drawMoves(t *rapid.T) []ledgerMove {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) ledgerMove {
		return ledgerMove{
			rapid.SampledFrom([]string{"deposit", "withdraw", "hold", "hold", "hold", "settle", "release", "limit", "unlimit"}).Draw(t, "kind"),
			rapid.IntRange(0, 1).Draw(t, "org"), wallet.Credits(rapid.IntRange(1, 9000).Draw(t, "amount")),
		}
	}), 1, 25).Draw(t, "moves")
}

// TestLedgerUnderRandomConcurrentMoves lets several goroutines deposit, withdraw, hold, settle, release and change limits at
// the same time. In whatever order, the books balance, and balance plus usage is what was deposited less what was withdrawn.
func TestLedgerUnderRandomConcurrentMoves(t *testing.T) {
	t.Parallel()
	s, ctx := storetest.New(t), t.Context()
	rapid.Check(t, func(rt *rapid.T) {
		w := storetest.Wallet(t, s, storetest.Org(t, s).ID, 20*wallet.Credit)
		var paidIn atomic.Int64
		paidIn.Store(int64(20 * wallet.Credit))
		var orgs []string
		for range 2 {
			o := storetest.Org(t, s)
			storetest.Write(t, s, func(tx *store.Tx) error {
				return tx.GrantWallet(ctx, wallet.Grant{WalletID: w.ID, OrgID: o.ID, Limited: true, Limit: 15 * wallet.Credit})
			})
			orgs = append(orgs, o.ID)
		}
		var workers sync.WaitGroup
		for range 3 {
			moves := drawMoves(rt)
			workers.Go(func() {
				var held []string
				for _, m := range moves {
					var after []string // Write may run the move again
					err := s.Write(ctx, func(tx *store.Tx) error {
						after = slices.Clone(held)
						return makeMove(ctx, tx, w.ID, orgs[m.org], m, &after)
					})
					if err == nil {
						held = after
					}
					switch {
					case err == nil && m.kind == "deposit":
						paidIn.Add(int64(m.amount))
					case err == nil && m.kind == "withdraw":
						paidIn.Add(-int64(m.amount))
					case err != nil && !errors.Is(err, wallet.ErrInsufficient):
						t.Errorf("%+v: %v", m, err)
					}
				}
			})
		}
		workers.Wait()
		audit(ctx, rt, s)
		got, err := s.View().Wallet(ctx, w.ID)
		if err != nil {
			rt.Fatal(err)
		}
		if sum := got.Project.Balance + got.Project.Usage; sum != wallet.Credits(paidIn.Load()) || got.Project.Balance < 0 || got.Project.Usage < 0 {
			rt.Fatalf("balance %v and usage %v, want them to sum to %v", got.Project.Balance, got.Project.Usage, wallet.Credits(paidIn.Load()))
		}
	})
}

// makeMove makes one move. A hold checks that it kept to the limit as it was then; settle and release take the oldest hold of
// this goroutine.
func makeMove(ctx context.Context, tx *store.Tx, walletID, orgID string, m ledgerMove, held *[]string) error {
	switch m.kind {
	case "deposit":
		return tx.Deposit(ctx, walletID, wallet.Project, m.amount)
	case "withdraw":
		return tx.Withdraw(ctx, walletID, wallet.Project, m.amount)
	case "hold":
		id := store.NewID()
		err := tx.PlaceHold(ctx, store.Hold{WalletID: walletID, OrgID: orgID, StudyID: "study", ResponseID: id, Amount: m.amount})
		if err != nil {
			return err
		}
		g, err := tx.Grant(ctx, walletID, orgID)
		if err == nil && g.Limited && g.Used > g.Limit {
			err = errors.New("a hold went past the limit")
		}
		*held = append(*held, id)
		return err
	case "limit", "unlimit":
		return tx.GrantWallet(ctx, wallet.Grant{WalletID: walletID, OrgID: orgID, Limited: m.kind == "limit", Limit: m.amount})
	}
	if len(*held) == 0 {
		return nil
	}
	id := (*held)[0]
	*held = (*held)[1:]
	if m.kind == "settle" {
		return tx.SettleHold(ctx, id)
	}
	return tx.ReleaseHold(ctx, id)
}

func TestCreditForNTakesExactlyNHolds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name         string
		funds, limit wallet.Credits
	}{{"by the wallet", 5, 100}, {"by the limit", 100, 5}} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			sc := storetest.NewScene(t, storetest.New(t))
			w := storetest.Wallet(t, sc.Store, sc.Org.ID, tt.funds*wallet.Credit)
			storetest.Write(t, sc.Store, func(tx *store.Tx) error {
				return tx.GrantWallet(t.Context(), wallet.Grant{WalletID: w.ID, OrgID: sc.Org.ID, Limited: true, Limit: tt.limit * wallet.Credit})
			})
			var placed atomic.Int32
			var all sync.WaitGroup
			for range 20 {
				all.Go(func() {
					hold := store.Hold{WalletID: w.ID, OrgID: sc.Org.ID, StudyID: sc.Study.ID, ResponseID: store.NewID(), Amount: wallet.Credit}
					err := sc.Store.Write(t.Context(), func(tx *store.Tx) error { return tx.PlaceHold(t.Context(), hold) })
					if err == nil {
						placed.Add(1)
					} else if !errors.Is(err, wallet.ErrInsufficient) {
						t.Error(err)
					}
				})
			}
			all.Wait()
			if placed.Load() != 5 {
				t.Errorf("%d holds were placed, want 5", placed.Load())
			}
			if err := sc.Store.View().CanFund(t.Context(), w.ID, sc.Org.ID, 1); !errors.Is(err, wallet.ErrInsufficient) {
				t.Errorf("CanFund = %v, want ErrInsufficient", err)
			}
			audit(t.Context(), t, sc.Store)
		})
	}
}

func TestHoldsCloseOnce(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	ctx := t.Context()
	hold := store.Hold{WalletID: sc.Wallet.ID, OrgID: sc.Org.ID, StudyID: sc.Study.ID, ResponseID: store.NewID(), Amount: wallet.Credit}
	place := func(tx *store.Tx) error { return tx.PlaceHold(ctx, hold) }
	settle := func(tx *store.Tx) error { return tx.SettleHold(ctx, hold.ResponseID) }
	release := func(tx *store.Tx) error { return tx.ReleaseHold(ctx, hold.ResponseID) }
	steps := []struct {
		name           string
		do             func(*store.Tx) error
		want           error
		balance, usage wallet.Credits
	}{
		{"settle nothing", settle, wallet.ErrNoHold, 100, 0},
		{"release nothing", release, wallet.ErrNoHold, 100, 0},
		{"place", place, nil, 99, 1},
		{"release", release, nil, 100, 0},
		{"release again", release, wallet.ErrNoHold, 100, 0},
		{"place again", place, nil, 99, 1},
		{"settle", settle, nil, 99, 1},
		{"settle again", settle, wallet.ErrNoHold, 99, 1},
		{"release what is settled", release, wallet.ErrNoHold, 99, 1},
	}
	for _, step := range steps {
		if err := sc.Store.Write(ctx, step.do); !errors.Is(err, step.want) {
			t.Errorf("%s: %v, want %v", step.name, err, step.want)
		}
		w, err := sc.Store.View().Wallet(ctx, sc.Wallet.ID)
		if err != nil || w.Project.Balance != step.balance*wallet.Credit || w.Project.Usage != step.usage*wallet.Credit {
			t.Errorf("%s: balance %v, usage %v, %v; want %d and %d", step.name, w.Project.Balance, w.Project.Usage, err, step.balance, step.usage)
		}
		audit(ctx, t, sc.Store)
	}
	if err := sc.Store.Write(ctx, place); err == nil {
		t.Error("a response that was charged can be charged again")
	}
	audit(ctx, t, sc.Store)
}

func TestMovingCreditsIsRefused(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	other := storetest.Org(t, sc.Store)
	ctx := t.Context()
	hold := func(walletID, orgID string, amount wallet.Credits) func(*store.Tx) error {
		return func(tx *store.Tx) error {
			return tx.PlaceHold(ctx, store.Hold{WalletID: walletID, OrgID: orgID, StudyID: "s", ResponseID: store.NewID(), Amount: amount})
		}
	}
	for _, tt := range []struct {
		name string
		do   func(*store.Tx) error
		want error // nil: any error
	}{
		{"deposit into no wallet", func(tx *store.Tx) error { return tx.Deposit(ctx, store.NewID(), wallet.Project, 1) }, wallet.ErrNotFound},
		{"withdraw from no wallet", func(tx *store.Tx) error { return tx.Withdraw(ctx, store.NewID(), wallet.Project, 1) }, wallet.ErrNotFound},
		{"withdraw too much", func(tx *store.Tx) error { return tx.Withdraw(ctx, sc.Wallet.ID, wallet.Project, 100_001) }, wallet.ErrInsufficient},
		{"withdraw from the other balance", func(tx *store.Tx) error { return tx.Withdraw(ctx, sc.Wallet.ID, wallet.Recruitment, 1) }, wallet.ErrInsufficient},
		{"deposit nothing", func(tx *store.Tx) error { return tx.Deposit(ctx, sc.Wallet.ID, wallet.Project, 0) }, nil},
		{"deposit less than nothing", func(tx *store.Tx) error { return tx.Deposit(ctx, sc.Wallet.ID, wallet.Project, -5) }, nil},
		{"hold too much", hold(sc.Wallet.ID, sc.Org.ID, 100_001), wallet.ErrInsufficient},
		{"hold less than nothing", hold(sc.Wallet.ID, sc.Org.ID, -5), nil},
		{"hold without a grant", hold(sc.Wallet.ID, other.ID, 1), wallet.ErrAccessDenied},
	} {
		err := sc.Store.Write(ctx, tt.do)
		if err == nil || tt.want != nil && !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
	w, err := sc.Store.View().Wallet(ctx, sc.Wallet.ID)
	if err != nil || w != sc.Wallet {
		t.Errorf("the wallet is %+v, %v, want it as it was: %+v", w, err, sc.Wallet)
	}
	audit(ctx, t, sc.Store)
}

func TestAuditFindsViolations(t *testing.T) {
	t.Parallel()
	for name, harm := range map[string]string{
		"does not balance":             `delete from ledger_entry where amount < 0`,
		"differs from its entries":     `update ledger_account set balance = balance + 1 where role = 'available' and kind = 'project'`,
		"differ from its active":       `update hold set amount = amount + 1 where state = 'active'`,
		"differ from its settled":      `update hold set amount = amount + 1 where state = 'settled'`,
		"differs from its holds":       `update wallet_grant set used_milli = used_milli + 1`,
		"transfer":                     `delete from ledger_entry`,
		"held credits of wallet":       `update hold set state = 'released' where state = 'active'`,
		"spent credits of wallet":      `update hold set state = 'active' where state = 'settled'`,
		"(available) differs from its": `update ledger_entry set amount = amount + 1 where amount > 0`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sc := storetest.NewScene(t, storetest.New(t))
			completed(t, sc, nil)
			storetest.Write(t, sc.Store, func(tx *store.Tx) error {
				return tx.PlaceHold(t.Context(), store.Hold{WalletID: sc.Wallet.ID, OrgID: sc.Org.ID, StudyID: "s", ResponseID: "r", Amount: 1})
			})
			audit(t.Context(), t, sc.Store)
			write, _ := sc.Store.Handles()
			if _, err := write.ExecContext(t.Context(), harm); err != nil {
				t.Fatal(err)
			}
			violations, err := sc.Store.View().AuditLedger(t.Context())
			if err != nil || !strings.Contains(strings.Join(violations, "\n"), name) {
				t.Errorf("AuditLedger = %q, %v, want a violation with %q", violations, err, name)
			}
		})
	}
}

func TestWalletsOfAnOrganization(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	second := storetest.Wallet(t, sc.Store, sc.Org.ID, 0)
	foreign := storetest.NewScene(t, sc.Store)
	storetest.Write(t, sc.Store, func(tx *store.Tx) error {
		if err := tx.Deposit(t.Context(), second.ID, wallet.Recruitment, 250); err != nil {
			return err
		}
		return tx.GrantWallet(t.Context(), wallet.Grant{WalletID: second.ID, OrgID: sc.Org.ID, Limited: true, Limit: 0})
	})
	ws, err := sc.Store.View().Wallets(t.Context(), sc.Org.ID)
	if err != nil || len(ws) != 2 || ws[0].ID != sc.Wallet.ID || ws[1].ID != second.ID {
		t.Fatalf("Wallets = %+v, %v, want the two granted in order", ws, err)
	}
	if got, want := ws[1].Recruitment, (wallet.Balance{Balance: 250}); got != want || ws[1].Project != (wallet.Balance{}) {
		t.Errorf("the second wallet is %+v, want 0.25 in recruitment alone", ws[1])
	}
	gs, err := sc.Store.View().Grants(t.Context(), sc.Org.ID)
	if err != nil || len(gs) != 2 || gs[0].Limited || !gs[1].Limited || gs[1].Limit != 0 {
		t.Errorf("Grants = %+v, %v, want one without a limit and one of 0", gs, err)
	}
	if err := sc.Store.View().CanFund(t.Context(), foreign.Wallet.ID, sc.Org.ID, 1); !errors.Is(err, wallet.ErrAccessDenied) {
		t.Errorf("CanFund from a foreign wallet = %v, want ErrAccessDenied", err)
	}
	if all, err := sc.Store.View().AllWallets(t.Context()); err != nil || len(all) != 3 {
		t.Errorf("AllWallets = %d, %v, want 3", len(all), err)
	}
}
