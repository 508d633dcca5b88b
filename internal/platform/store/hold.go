package store

import (
	"context"

	"verbatim/internal/domain/wallet"
)

// Hold is an amount of credits that is set aside for a response.
type Hold struct {
	WalletID, OrgID, StudyID, ResponseID string
	Amount                               wallet.Credits
}

// PlaceHold moves the price of a response from the available credits to the held ones, until the hold is settled or released.
// A response has at most one active or settled hold: to place a second is a bug of the caller, which the schema refuses. It
// returns wallet.ErrInsufficient when the wallet or the organization's grant does not cover the price, and
// wallet.ErrAccessDenied when there is no grant.
func (tx *Tx) PlaceHold(ctx context.Context, h Hold) error {
	tx.noteWalletLock(grantLock)
	covered, err := tx.expect(ctx, `update wallet_grant
		set used_milli = used_milli + $1
		where wallet_id = $2 and org_id = $3 and (limit_milli is null or used_milli + $1 <= limit_milli)`, h.Amount, h.WalletID, h.OrgID)
	if err != nil {
		return err
	}
	if !covered {
		if _, err := tx.Grant(ctx, h.WalletID, h.OrgID); err != nil {
			return err
		}
		return wallet.ErrInsufficient
	}
	id := NewID()
	if err := tx.move(ctx, movement{
		wallet: h.WalletID, org: h.OrgID, study: h.StudyID, hold: id,
		kind: wallet.Project, reason: wallet.Hold, amount: h.Amount,
	}); err != nil {
		return err
	}
	return tx.run(ctx, `insert into hold (id, wallet_id, org_id, study_id, response_id, amount, state, created_at)
		values ($1, $2, $3, $4, $5, $6, 'active', $7)`, id, h.WalletID, h.OrgID, h.StudyID, h.ResponseID, h.Amount, micros(tx.at))
}

// ActiveHold is a hold that was neither settled nor released when it was read.
type ActiveHold struct {
	Hold

	id string
}

// ActiveHold finds the active hold of a response; wallet.ErrNoHold when it has none.
func (v *View) ActiveHold(ctx context.Context, responseID string) (h ActiveHold, err error) {
	err = v.q.QueryRowContext(ctx, `select id, wallet_id, org_id, study_id, amount
		from hold
		where response_id = $1 and state = 'active'`, responseID).
		Scan(&h.id, &h.WalletID, &h.OrgID, &h.StudyID, &h.Amount)
	h.ResponseID = responseID
	return h, noRowsAs(err, wallet.ErrNoHold)
}

// SettleHold turns a response's active hold into a charge; wallet.ErrNoHold when it has none.
func (tx *Tx) SettleHold(ctx context.Context, responseID string) error {
	return tx.findAndClose(ctx, responseID, wallet.Settle)
}

// ReleaseHold returns the credits of a response's active hold; wallet.ErrNoHold when it has none.
func (tx *Tx) ReleaseHold(ctx context.Context, responseID string) error {
	return tx.findAndClose(ctx, responseID, wallet.Release)
}

func (tx *Tx) findAndClose(ctx context.Context, responseID string, reason wallet.Reason) error {
	if err := tx.lockStudyOfID(ctx, responseID); err != nil {
		return err
	}
	h, err := tx.ActiveHold(ctx, responseID)
	if err != nil {
		return err
	}
	return tx.CloseHold(ctx, h, reason)
}

// CloseHold turns a hold into a charge (wallet.Settle) or returns its credits (wallet.Release); wallet.ErrNoHold when it was
// settled or released since it was read.
func (tx *Tx) CloseHold(ctx context.Context, h ActiveHold, reason wallet.Reason) error {
	if err := tx.lockStudyOfID(ctx, h.ResponseID); err != nil {
		return err
	}
	state := "settled"
	if reason == wallet.Release {
		state = "released"
	}
	closed, err := tx.expect(ctx, `update hold set state = $1, closed_at = $2 where id = $3 and state = 'active'`, state, micros(tx.at), h.id)
	if err != nil {
		return err
	}
	if !closed {
		return wallet.ErrNoHold
	}
	if reason == wallet.Release {
		tx.noteWalletLock(grantLock)
		if err := tx.run(ctx, `update wallet_grant set used_milli = used_milli - $1 where wallet_id = $2 and org_id = $3`,
			h.Amount, h.WalletID, h.OrgID); err != nil {
			return err
		}
	}
	return tx.move(ctx, movement{
		wallet: h.WalletID, org: h.OrgID, study: h.StudyID, hold: h.id, kind: wallet.Project, reason: reason, amount: h.Amount,
	})
}

// AuditLedger checks the books and returns a sentence for each violation: the entries of each transfer sum to zero, and so do
// all entries; each balance is the sum of its entries; held credits are those of the active holds, and spent credits those of
// the settled ones; a response is charged at most once; the use of each grant is what its organization holds and has spent.
func (v *View) AuditLedger(ctx context.Context) ([]string, error) {
	checks := []string{
		`select 'transfer ' || t.id || ' does not balance'
			from ledger_transfer t
			left join ledger_entry e on e.transfer_id = t.id
			group by t.id, t.amount
			having count(e.amount) <> 2 or sum(e.amount) <> 0 or max(e.amount) <> t.amount`,
		`select 'account ' || a.id || ' (' || a.role || ') differs from its entries'
			from ledger_account a
			left join ledger_entry e on e.account_id = a.id
			group by a.id, a.role, a.balance
			having a.balance <> coalesce(sum(e.amount), 0)`,
		`select 'held credits of wallet ' || a.wallet_id || ' differ from its active holds'
			from ledger_account a
			left join hold h on h.wallet_id = a.wallet_id and h.state = 'active'
			where a.role = 'held' and a.kind = 'project'
			group by a.wallet_id, a.balance
			having a.balance <> coalesce(sum(h.amount), 0)`,
		`select 'spent credits of wallet ' || a.wallet_id || ' differ from its settled holds'
			from ledger_account a
			left join hold h on h.wallet_id = a.wallet_id and h.state = 'settled'
			where a.role = 'spent' and a.kind = 'project'
			group by a.wallet_id, a.balance
			having a.balance <> coalesce(sum(h.amount), 0)`,
		`select 'response ' || response_id || ' has ' || count(*) || ' holds'
			from hold
			where state <> 'released' and response_id is not null
			group by response_id
			having count(*) > 1`,
		`select 'grant of wallet ' || g.wallet_id || ' to organization ' || g.org_id || ' differs from its holds'
			from wallet_grant g
			left join hold h on h.wallet_id = g.wallet_id and h.org_id = g.org_id and h.state <> 'released'
			group by g.wallet_id, g.org_id, g.used_milli
			having g.used_milli <> coalesce(sum(h.amount), 0)`,
	}
	var violations []string
	for _, check := range checks {
		found, err := collect(ctx, v, func(r scanner) (s string, err error) { return s, r.Scan(&s) }, check)
		if err != nil {
			return nil, err
		}
		violations = append(violations, found...)
	}
	return violations, nil
}
