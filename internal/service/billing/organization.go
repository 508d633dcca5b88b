package billing

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// Granted is a wallet with what an organization may take from it.
type Granted struct {
	wallet.Wallet
	Grant wallet.Grant
}

// GrantedWallets lists the wallets granted to an organization with their grants, in the order of the grants.
func (s *Service) GrantedWallets(ctx context.Context, orgID string) (all []Granted, err error) {
	defer operation.Wrap(&err, "billing.GrantedWallets")
	view := s.Store.View()
	grants, err := view.Grants(ctx, orgID)
	if err != nil {
		return nil, err
	}
	for _, g := range grants {
		w, err := view.Wallet(ctx, g.WalletID)
		if err != nil {
			return nil, err
		}
		all = append(all, Granted{w, g})
	}
	return all, nil
}

// LedgerSize limits the movements of a page, and ledgerDays the days of the chart.
const (
	LedgerSize = 100
	ledgerDays = 60
)

// LedgerPage is a part of a wallet's movements, newest first, with the balances after each.
type LedgerPage struct {
	Granted
	Lines  []wallet.StatementLine
	Titles map[string]string // of the studies of the organization, by id
	Days   []DayBalance      // at the end of each of the last days, the first day first
	Next   string            // the id of the movement before which it goes on; empty on the last page
}

// DayBalance holds the credits that were available at the end of a day in UTC.
type DayBalance struct {
	Day                  time.Time
	Project, Recruitment wallet.Credits
}

// Ledger returns movements of a wallet that an organization was granted, before one of them (empty: from the newest); wallet.ErrNotFound. Of
// what other organizations took from the wallet it has the amounts and nothing else.
func (s *Service) Ledger(ctx context.Context, orgID, walletID string, kind wallet.Kind, before string) (page LedgerPage, err error) {
	defer operation.Wrap(&err, "billing.Ledger")
	view := s.Store.View()
	if page.Grant, err = view.Grant(ctx, walletID, orgID); err != nil {
		if errors.Is(err, wallet.ErrAccessDenied) {
			err = wallet.ErrNotFound
		}
		return LedgerPage{}, err
	}
	statement, err := s.Statement(ctx, store.MovementFilter{Wallet: walletID, Kind: kind, Last: LedgerSize + 1, Before: before})
	if err != nil {
		return LedgerPage{}, err
	}
	page.Wallet, page.Lines, page.Titles = statement.Wallet, statement.Lines, map[string]string{}
	slices.Reverse(page.Lines)
	if len(page.Lines) > LedgerSize {
		page.Lines = page.Lines[:LedgerSize]
		page.Next = page.Lines[LedgerSize-1].ID
	}
	if err := s.nameStudies(ctx, orgID, &page); err != nil {
		return LedgerPage{}, err
	}
	page.Days, err = s.balances(ctx, walletID)
	return page, err
}

// nameStudies adds the titles of the organization's studies, and hides what belongs to others.
func (s *Service) nameStudies(ctx context.Context, orgID string, page *LedgerPage) error {
	for i := range page.Lines {
		line := &page.Lines[i]
		if line.OrgID != orgID {
			line.StudyID = ""
		}
		if _, known := page.Titles[line.StudyID]; known || line.StudyID == "" {
			continue
		}
		st, err := s.Store.View().AnyStudy(ctx, line.StudyID)
		if err != nil {
			return err
		}
		page.Titles[line.StudyID] = st.Title
	}
	return nil
}

// balances returns what was available at the end of each of the last days.
func (s *Service) balances(ctx context.Context, walletID string) ([]DayBalance, error) {
	const day = 24 * time.Hour
	first := s.Store.Now().UTC().Truncate(day).Add(-(ledgerDays - 1) * day)
	view := s.Store.View()
	before, _, err := view.Movements(ctx, store.MovementFilter{Wallet: walletID, Until: first, Last: 0})
	if err != nil {
		return nil, err
	}
	moved, err := view.MovementsByDay(ctx, walletID, first)
	if err != nil {
		return nil, err
	}
	days := make([]DayBalance, 0, ledgerDays)
	for at := first; len(days) < ledgerDays; at = at.Add(day) {
		for len(moved) > 0 && !moved[0].Start.After(at) {
			before[moved[0].Kind] = before[moved[0].Kind].After(moved[0].Movement)
			moved = moved[1:]
		}
		days = append(days, DayBalance{at, before[wallet.Project].Available, before[wallet.Recruitment].Available})
	}
	return days, nil
}

// MaxTopUp is the greatest amount that is added at once.
const MaxTopUp = 10_000_000 * wallet.Credit

// ErrTooMuch refuses a greater one. Its text is shown to people.
var ErrTooMuch = errors.New("at most 10,000,000 credits are added at once")

// TopUp adds credits to a wallet of the caller's organization, and notes it in the audit log; wallet.ErrNotFound, ErrNoAmount, ErrTooMuch.
// Whoever calls it checks that the caller may.
func (s *Service) TopUp(ctx context.Context, caller org.Caller, walletID string, kind wallet.Kind, amount wallet.Credits, note string) (g Granted, err error) {
	defer operation.Wrap(&err, "billing.TopUp")
	switch {
	case amount <= 0:
		return Granted{}, ErrNoAmount
	case amount > MaxTopUp:
		return Granted{}, ErrTooMuch
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		if g.Grant, err = tx.Grant(ctx, walletID, caller.OrgID); err != nil {
			if errors.Is(err, wallet.ErrAccessDenied) {
				err = wallet.ErrNotFound
			}
			return err
		}
		if err := tx.Deposit(ctx, walletID, kind, amount); err != nil {
			return err
		}
		if g.Wallet, err = tx.Wallet(ctx, walletID); err != nil {
			return err
		}
		detail := movementDetail(kind, amount)
		if note = strings.TrimSpace(note); note != "" {
			detail["note"] = note
		}
		return tx.Audit(ctx, org.AuditEntry{OrgID: caller.OrgID, UserID: caller.UserID, Action: org.AuditDeposited, Subject: walletID, Detail: detail})
	})
	return g, err
}

func movementDetail(kind wallet.Kind, amount wallet.Credits) map[string]string {
	return map[string]string{"account": string(kind), "credits": amount.String()}
}

// auditMove notes what the operator did with a wallet in the audit log of each organization that may spend from it.
func auditMove(ctx context.Context, tx *store.Tx, walletID, action string, detail map[string]string) error {
	orgIDs, err := tx.GrantedTo(ctx, walletID)
	for _, id := range orgIDs {
		if err = tx.Audit(ctx, org.AuditEntry{OrgID: id, Action: action, Subject: walletID, Detail: detail}); err != nil {
			break
		}
	}
	return err
}
