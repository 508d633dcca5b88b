package store

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"
)

// Job is a piece of work that outlives the process. It runs at least once.
type Job struct {
	ID         string
	Kind       string
	Args       string
	ResponseID string // the response it works on, so that a deletion drops it; may be empty
	OrgID      string // whose work it is; empty: its response's, or nobody's
	Attempt    int    // 1 at the first run
	RunAt      time.Time
}

// Enqueue adds a job in the transaction of its cause. A zero RunAt means at once.
//
// Jobs of a kind get their turn as if each organization stood in a queue of its own and one were taken from each in rotation:
// a job comes after those of its organization that wait, and no earlier than what is due next of all.
func (tx *Tx) Enqueue(ctx context.Context, j Job) error {
	if j.RunAt.IsZero() {
		j.RunAt = tx.at
	}
	if j.OrgID == "" && j.ResponseID != "" {
		err := tx.q.QueryRowContext(ctx, `select org_id from response where id = $1`, j.ResponseID).Scan(&j.OrgID)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
	}
	tx.enqueued = true
	var next, own int64
	if err := tx.q.QueryRowContext(ctx, `select
			coalesce((select turn from job where state = 'ready' and kind = $1 and run_at <= $3 order by kind, turn, run_at limit 1), 0),
			coalesce((select turn + 1 from job where state = 'ready' and kind = $1 and org_id = $2 order by kind desc, org_id desc, turn desc limit 1), 0)`,
		j.Kind, j.OrgID, micros(tx.at)).Scan(&next, &own); err != nil {
		return err
	}
	_, err := tx.exec(ctx, `insert into job (id, kind, args, response_id, state, run_at, created_at, org_id, turn)
		values ($1, $2, $3, $4, 'ready', $5, $6, $7, $8)`,
		NewID(), j.Kind, j.Args, optional(j.ResponseID), micros(j.RunAt), micros(tx.at), j.OrgID, max(next, own))
	return err
}

// Lane selects jobs by their kind, so that those that take long do not stand before others. Its zero value selects all.
type Lane struct {
	Only   string   // this kind alone
	Except []string // every kind but these
}

// except is the list as a text that a kind is looked for in.
func (l Lane) except() string { return "," + strings.Join(l.Except, ",") + "," }

// HasDueJobs tells whether a claim would find something, without the cost of a write.
func (v *View) HasDueJobs(ctx context.Context, lane Lane) (due bool, err error) {
	now := micros(v.now())
	err = v.q.QueryRowContext(ctx, `select exists (select 1 from job where state = 'ready' and run_at <= $1 and ($2 = '' or kind = $2) and $3 not like '%,' || kind || ',%')
		or exists (select 1 from job where state = 'running' and lease_until < $1)`, now, lane.Only, lane.except()).Scan(&due)
	return due, err
}

// ClaimJobs leases up to limit jobs of a lane that are due, and those whose lease ran out because their process died. Those of
// one kind are taken in the order of their turn, so that no organization waits for all that another has queued; those of
// several kinds as they are due.
func (tx *Tx) ClaimJobs(ctx context.Context, lane Lane, limit int, lease time.Duration) ([]Job, error) {
	if _, err := tx.exec(ctx, `update job set state = 'ready' where state = 'running' and lease_until < $1`, micros(tx.at)); err != nil {
		return nil, err
	}
	due, args := `kind = $4 order by kind, turn, run_at`, []any{micros(tx.at.Add(lease)), micros(tx.at), limit, lane.Only}
	if lane.Only == "" {
		due, args[3] = `$4 not like '%,' || kind || ',%' order by run_at`, lane.except()
	}
	return collect(ctx, &tx.View, func(r scanner) (j Job, err error) {
		return j, r.Scan(&j.ID, &j.Kind, &j.Args, text{&j.ResponseID}, &j.OrgID, &j.Attempt, moment{&j.RunAt})
	}, `with due as materialized (select id from job where state = 'ready' and run_at <= $2 and `+due+` limit $3`+tx.d.skipLocked()+`)
		update job set state = 'running', attempt = attempt + 1, lease_until = $1 where id in (select id from due)
		returning id, kind, args, response_id, org_id, attempt, run_at`, args...)
}

// ExtendLeases keeps running jobs this process's own for another while.
func (tx *Tx) ExtendLeases(ctx context.Context, ids []string, lease time.Duration) error {
	for _, id := range ids {
		if _, err := tx.exec(ctx, `update job set lease_until = $1 where id = $2 and state = 'running'`, micros(tx.at.Add(lease)), id); err != nil {
			return err
		}
	}
	return nil
}

// FinishJob removes a job that is done. A job that is gone already, with its response, is no error.
func (tx *Tx) FinishJob(ctx context.Context, id string) error {
	_, err := tx.exec(ctx, `delete from job where id = $1`, id)
	return err
}

// The ends of a run that did not succeed. Each changes nothing when the job is not this run's any more: its lease ran
// out and another process took it, or it went with its response.
const ownJob = ` where id = $1 and attempt = $2 and state = 'running'`

// RetryJob gives a failed job back, to run again at a time.
func (tx *Tx) RetryJob(ctx context.Context, j Job, at time.Time, reason string) error {
	_, err := tx.exec(ctx, `update job set state = 'ready', run_at = $3, error = $4`+ownJob, j.ID, j.Attempt, micros(at), reason)
	return err
}

// ReturnJob gives back a job that was cut off, as if it had not been taken: it may run again at once.
func (tx *Tx) ReturnJob(ctx context.Context, j Job) error {
	_, err := tx.exec(ctx, `update job set state = 'ready', attempt = attempt - 1`+ownJob, j.ID, j.Attempt)
	return err
}

// DiscardJob keeps a job that failed too often for the operator to see; it does not run again. It tells whether the job
// was still this run's to give up.
func (tx *Tx) DiscardJob(ctx context.Context, j Job, reason string) (own bool, err error) {
	n, err := tx.exec(ctx, `update job set state = 'dead', error = $3`+ownJob, j.ID, j.Attempt, reason)
	return n > 0, err
}

// JobCounts tells how many jobs are in each state: ready, running, dead.
func (v *View) JobCounts(ctx context.Context) (map[string]int, error) {
	counts := map[string]int{}
	_, err := collect(ctx, v, func(r scanner) (struct{}, error) {
		var state string
		var n int
		err := r.Scan(&state, &n)
		counts[state] = n
		return struct{}{}, err
	}, `select state, count(*) from job group by state`)
	return counts, err
}
