package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"verbatim/internal/domain/wallet"
)

// MovementFilter selects movements of a wallet. Its zero times are no bounds.
type MovementFilter struct {
	Wallet       string
	Kind         wallet.Kind // empty: both kinds
	Since, Until time.Time   // at or after Since, before Until
	Last         int         // only the latest Last movements
	Before       string      // only movements before this one, by its id; empty: all
}

// Movements returns movements of a wallet, oldest first, and the balances before the first of them.
func (v *View) Movements(ctx context.Context, f MovementFilter) (before map[wallet.Kind]wallet.AccountBalance, found []wallet.Movement, err error) {
	until := int64(1<<63 - 1)
	if !f.Until.IsZero() {
		until = f.Until.UnixMicro()
	}
	since := int64(0)
	if !f.Since.IsZero() {
		since = f.Since.UnixMicro()
	}
	of, args := "", []any{f.Wallet, since, until, f.Last}
	if f.Kind != "" {
		of, args = " and kind = $5", append(args, f.Kind)
	}
	if f.Before != "" {
		args = append(args, f.Before)
		of += fmt.Sprintf(" and (created_at, id) < (select created_at, id from ledger_transfer where id = $%d)", len(args))
	}
	found, err = collect(ctx, v, func(r scanner) (m wallet.Movement, err error) {
		return m, r.Scan(&m.ID, &m.Kind, &m.Reason, &m.Amount, nullText{&m.OrgID}, nullText{&m.StudyID}, nullTime{&m.At})
	}, `select id, kind, reason, amount, org_id, study_id, created_at
		from ledger_transfer
		where wallet_id = $1 and created_at >= $2 and created_at < $3`+of+` order by created_at desc, id desc limit $4`, args...)
	if err != nil {
		return nil, nil, err
	}
	slices.Reverse(found)
	before = map[wallet.Kind]wallet.AccountBalance{wallet.Project: {}, wallet.Recruitment: {}}
	first := wallet.Movement{At: time.UnixMicro(until)}
	if len(found) > 0 {
		first = found[0]
	}
	sums, err := collect(ctx, v, func(r scanner) (m wallet.Movement, err error) {
		return m, r.Scan(&m.Kind, &m.Reason, &m.Amount)
	}, `select kind, reason, sum(amount)
		from ledger_transfer
		where wallet_id = $1 and (created_at < $2 or created_at = $2 and id < $3)
		group by kind, reason`, f.Wallet, first.At.UnixMicro(), first.ID)
	slices.SortFunc(sums, func(a, b wallet.Movement) int { return cmp.Compare(a.Reason, b.Reason) })
	for _, sum := range sums {
		before[sum.Kind] = before[sum.Kind].After(sum)
	}
	return before, found, err
}

// Day sums the movements of a balance on one day, in UTC, that have one reason.
type Day struct {
	Start time.Time
	wallet.Movement
}

// MovementsByDay returns the sums of a wallet's movements from the start of a day on, by day, kind and reason, the first day first.
func (v *View) MovementsByDay(ctx context.Context, walletID string, since time.Time) ([]Day, error) {
	const day = int64(24 * time.Hour / time.Microsecond)
	return collect(ctx, v, func(r scanner) (d Day, err error) {
		var number int64
		err = r.Scan(&number, &d.Kind, &d.Reason, &d.Amount)
		d.Start = time.UnixMicro(number * day).UTC()
		return d, err
	}, `select created_at / cast($3 as bigint) as day, kind, reason, sum(amount)
		from ledger_transfer
		where wallet_id = $1 and created_at >= $2
		group by day, kind, reason
		order by day, kind, reason`, walletID, micros(since), day)
}
