package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"verbatim/internal/domain/usage"
)

// UsageMeter accounts for what language models cost, for all servers on this database together.
type UsageMeter struct {
	Store  *Store
	Limits usage.Limits
	// Hold is how long the maximum cost of a call is set aside, unless the call is settled before; 0: 10 minutes, which is
	// longer than any call. What a program that died had set aside is then taken as spent: nobody knows what its call cost.
	Hold time.Duration
}

// Reserve sets aside the maximum cost of a call; usage.ErrCeiling when that would exceed a ceiling, together with all that
// was spent and set aside before. Without ceilings nothing is set aside, and the hold is empty.
func (m *UsageMeter) Reserve(ctx context.Context, scope usage.Scope, atMost usage.Amount) (hold string, err error) {
	if !m.Limits.Any() {
		return "", nil
	}
	lifetime := m.Hold
	if lifetime == 0 {
		lifetime = 10 * time.Minute
	}
	left := false
	err = m.Store.Write(ctx, func(tx *Tx) (err error) {
		hold, left, err = tx.ReserveUsage(ctx, scope, atMost, m.Limits, tx.at.Add(lifetime))
		return err
	})
	for left && (err == nil || errors.Is(err, usage.ErrCeiling)) {
		if failed := m.Store.Write(ctx, func(tx *Tx) (err error) {
			left, err = tx.BookExpiredUsage(ctx)
			return err
		}); failed != nil && !errors.Is(failed, errBooked) {
			break // the next call tries again, and until then they count as they are
		}
	}
	return hold, err
}

// Settle replaces what was set aside for a call by what it cost. Of a call whose hold expired and was booked nothing is added.
func (m *UsageMeter) Settle(ctx context.Context, scope usage.Scope, hold string, spent usage.Amount) error {
	if hold == "" && spent == (usage.Amount{}) {
		return nil
	}
	err := m.Store.Write(ctx, func(tx *Tx) error { return tx.SettleUsage(ctx, scope, hold, spent) })
	if errors.Is(err, errBooked) {
		return nil
	}
	return err
}

// The scopes of totals, in the order in which their rows are locked: the day's row, which every call needs, last, so that it is
// held for the shortest time.
const (
	usageInterview = "interview"
	usageStudy     = "study"
	usageDay       = "day"
)

// day returns the date of a transaction.
func (tx *Tx) day() string { return tx.at.UTC().Format(time.DateOnly) }

// ReserveUsage sets aside the maximum cost of a call until a time; usage.ErrCeiling. Of two that would exceed a ceiling
// together one fails, because each locks the totals that have ceilings until its transaction ends. left reports whether holds of calls that
// died are left to be booked; they count until then.
func (tx *Tx) ReserveUsage(ctx context.Context, scope usage.Scope, atMost usage.Amount, limits usage.Limits, until time.Time) (hold string, left bool, err error) {
	if limits.Interview == (usage.Ceiling{}) {
		scope.ResponseID = ""
	}
	if scope.ResponseID != "" {
		there, err := tx.lockResponseRow(ctx, scope.ResponseID)
		if err != nil {
			return "", left, err
		}
		if !there {
			scope.ResponseID = ""
		}
	}
	var spent usage.Totals
	for _, row := range []struct {
		scope, id string
		ceiling   usage.Ceiling
		to        *usage.Amount
	}{
		{usageInterview, scope.ResponseID, limits.Interview, &spent.Interview},
		{usageStudy, scope.StudyID, limits.Study, &spent.Study},
		{usageDay, tx.day(), limits.Day, &spent.Day},
	} {
		if row.ceiling == (usage.Ceiling{}) || row.id == "" {
			continue
		}
		if err := tx.addUsage(ctx, row.scope, row.id, 0, usage.Amount{}, row.to); err != nil {
			return "", left, err
		}
	}
	var held usage.Totals
	if held, left, err = tx.heldUsage(ctx, scope); err != nil {
		return "", left, err
	}
	spent.Interview, spent.Study, spent.Day = spent.Interview.Plus(held.Interview), spent.Study.Plus(held.Study), spent.Day.Plus(held.Day)
	if err := limits.Check(scope, spent, atMost); err != nil {
		return "", left, err
	}
	hold = NewID()
	_, err = tx.exec(ctx, `insert into usage_hold (id, study_id, response_id, prompt_tokens, completion_tokens, micro_cost, expires_at)
		values ($1, $2, $3, $4, $5, $6, $7)`,
		hold, nullIfEmpty(scope.StudyID), nullIfEmpty(scope.ResponseID), atMost.PromptTokens, atMost.CompletionTokens, atMost.MicroCost, micros(until))
	return hold, left, err
}

// heldUsage sums what is set aside. Only calls under way have rows, and those that died. expired reports whether there are any of these.
func (tx *Tx) heldUsage(ctx context.Context, scope usage.Scope) (t usage.Totals, expired bool, err error) {
	rows, err := tx.q.QueryContext(ctx, `select study_id, response_id, prompt_tokens, completion_tokens, micro_cost, expires_at
		from usage_hold`)
	if err != nil {
		return t, false, err
	}
	defer rows.Close()
	for rows.Next() {
		var studyID, responseID string
		var a usage.Amount
		var until int64
		if err := rows.Scan(nullText{&studyID}, nullText{&responseID}, &a.PromptTokens, &a.CompletionTokens, &a.MicroCost, &until); err != nil {
			return t, expired, err
		}
		expired = expired || until <= tx.at.UnixMicro()
		t.Day = t.Day.Plus(a)
		if studyID == scope.StudyID {
			t.Study = t.Study.Plus(a)
		}
		if responseID == scope.ResponseID {
			t.Interview = t.Interview.Plus(a)
		}
	}
	return t, expired, rows.Err()
}

// errBooked means that a hold was booked, or settled, in the meantime.
var errBooked = errors.New("the hold is gone")

// BookExpiredUsage takes what one call that died had set aside as spent, and reports whether there was one. Its locks are taken in the
// order of SettleUsage.
func (tx *Tx) BookExpiredUsage(ctx context.Context) (found bool, err error) {
	var hold string
	var scope usage.Scope
	var spent usage.Amount
	err = tx.q.QueryRowContext(ctx, `select id, study_id, response_id, prompt_tokens, completion_tokens, micro_cost
		from usage_hold
		where expires_at <= $1
		order by id
		limit 1`, micros(tx.at)).
		Scan(&hold, nullText{&scope.StudyID}, nullText{&scope.ResponseID}, &spent.PromptTokens, &spent.CompletionTokens, &spent.MicroCost)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, tx.SettleUsage(ctx, scope, hold, spent)
}

// SettleUsage adds what a call cost to the totals of its interview, its study and the day, and removes what was set aside. A
// response that is gone no longer has a total. It fails with errBooked where the hold is gone: its call is in the totals already.
func (tx *Tx) SettleUsage(ctx context.Context, scope usage.Scope, hold string, spent usage.Amount) error {
	if scope.ResponseID != "" {
		there, err := tx.lockResponseRow(ctx, scope.ResponseID)
		if err == nil && there {
			err = tx.addUsage(ctx, usageInterview, scope.ResponseID, 1, spent, nil)
		}
		if err != nil {
			return err
		}
	}
	if scope.StudyID != "" {
		if err := tx.addUsage(ctx, usageStudy, scope.StudyID, 1, spent, nil); err != nil {
			return err
		}
	}
	if err := tx.addUsage(ctx, usageDay, tx.day(), 1, spent, nil); err != nil {
		return err
	}
	if hold == "" {
		return nil
	}
	gone, err := tx.exec(ctx, `delete from usage_hold where id = $1`, hold)
	if err != nil {
		return err
	}
	if gone == 0 {
		return errBooked
	}
	return nil
}

// lockResponseRow keeps a response from being purged until the transaction ends, and reports whether it exists.
func (tx *Tx) lockResponseRow(ctx context.Context, id string) (there bool, err error) {
	var one int
	err = tx.q.QueryRowContext(ctx, `select 1 from response where id = $1`+tx.d.lockRows(), id).Scan(&one)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// addUsage adds to a total, locks its row for this transaction, and reads it unless total is nil.
func (tx *Tx) addUsage(ctx context.Context, scope, id string, calls int, a usage.Amount, total *usage.Amount) error {
	if total == nil {
		total = &usage.Amount{}
	}
	return tx.q.QueryRowContext(ctx, `insert into usage_total (scope, id, calls, prompt_tokens, completion_tokens, micro_cost)
		values ($1, $2, $3, $4, $5, $6)
		on conflict (scope, id) do update set calls = usage_total.calls + excluded.calls,
			prompt_tokens = usage_total.prompt_tokens + excluded.prompt_tokens,
			completion_tokens = usage_total.completion_tokens + excluded.completion_tokens,
			micro_cost = usage_total.micro_cost + excluded.micro_cost
		returning prompt_tokens, completion_tokens, micro_cost`, scope, id, calls, a.PromptTokens, a.CompletionTokens, a.MicroCost).
		Scan(&total.PromptTokens, &total.CompletionTokens, &total.MicroCost)
}

// purgeUsage removes the total of a response; what it cost stays in those of its study and its days. Call it after the
// response is deleted, so that nobody adds to its total in between.
func (tx *Tx) purgeUsage(ctx context.Context, responseID string) error {
	_, err := tx.exec(ctx, `delete from usage_total where scope = 'interview' and id = $1`, responseID)
	if err == nil {
		_, err = tx.exec(ctx, `update usage_hold set response_id = null where response_id = $1`, responseID)
	}
	return err
}

// UsageTotal holds the usage of a day or a study.
type UsageTotal struct {
	ID    string // a date, or a study's id
	Calls int64
	usage.Amount
}

func scanUsage(r scanner) (t UsageTotal, err error) {
	return t, r.Scan(&t.ID, &t.Calls, &t.PromptTokens, &t.CompletionTokens, &t.MicroCost)
}

const selectUsage = `select id, calls, prompt_tokens, completion_tokens, micro_cost from usage_total where scope = `

// UsageByDay lists what was spent on each day that had calls, the latest first, for the operator.
func (v *View) UsageByDay(ctx context.Context, limit int) ([]UsageTotal, error) {
	return collect(ctx, v, scanUsage, selectUsage+`'day' and calls > 0 order by id desc limit $1`, limit)
}

// UsageOfStudy returns what a study cost so far; zero if no model was used for it.
func (v *View) UsageOfStudy(ctx context.Context, studyID string) (t UsageTotal, err error) {
	t, err = scanUsage(v.q.QueryRowContext(ctx, selectUsage+`'study' and id = $1`, studyID))
	if errors.Is(err, sql.ErrNoRows) {
		return UsageTotal{ID: studyID}, nil
	}
	return t, err
}
