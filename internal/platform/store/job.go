package store

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"
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
		j.RunAt = tx.shared()
	}
	if j.OrgID == "" && j.ResponseID != "" {
		err := tx.q.QueryRowContext(ctx, `select org_id from response where id = $1`, j.ResponseID).Scan(&j.OrgID)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
	}
	tx.enqueued = true
	return tx.run(ctx, `insert into job (id, kind, args, response_id, state, run_at, created_at, org_id, turn)
		select $1, $2, $3, $4, 'ready', $5, $6, $7, (select max(turn) from (
			select coalesce((select turn from job where state = 'ready' and kind = $2 and run_at <= $8 order by kind, turn, run_at limit 1), 0) as turn
			union all
			select coalesce((select turn + 1 from job where state = 'ready' and kind = $2 and org_id = $7
				order by kind desc, org_id desc, turn desc limit 1), 0)
		) turns)`,
		NewID(), j.Kind, j.Args, optional(j.ResponseID), micros(j.RunAt), micros(tx.at), j.OrgID, micros(tx.shared()))
}

// Lane selects jobs by their kind, so that those that take long do not stand before others. Its zero value selects all.
type Queue struct {
	Only   string   // this kind alone
	Except []string // every kind but these

	// Each is how many jobs of one organization its runner has at once, so that the places beyond them stay for others; 0: no
	// bound. Running is how many it has now. They bound where Only names a kind, and jobs that belong to an organization.
	Each    int
	Running map[string]int
}

// except is the list as a text that a kind is looked for in.
func (l Queue) except() string { return listed(l.Except) }

// listed returns a list as a text in which an element, which is never empty, stands between commas.
func listed(list []string) string { return "," + strings.Join(list, ",") + "," }

// full returns the organizations that have as many jobs as each may have.
func (l Queue) full() (orgs []string) {
	if l.Only == "" || l.Each == 0 {
		return nil
	}
	for org, n := range l.Running {
		if org != "" && n >= l.Each {
			orgs = append(orgs, org)
		}
	}
	return orgs
}

// HasDueJobs tells whether a claim would find something, without the cost of a write.
func (v *View) HasDueJobs(ctx context.Context, queue Queue) (due bool, err error) {
	now := micros(v.shared())
	if full := queue.full(); len(full) > 0 {
		if due, err = v.hasDueJobsBeside(ctx, queue.Only, full); due || err != nil {
			return due, err
		}
		err = v.q.QueryRowContext(ctx, `select exists (select 1 from job where state = 'running' and lease_until < $1)`, now).Scan(&due)
		return due, err
	}
	which, kinds := `kind = $2 order by kind, turn, run_at`, queue.Only // an order has the engine take the index that gives it
	if queue.Only == "" {
		which, kinds = `$2 not like '%,' || kind || ',%' order by run_at`, queue.except()
	}
	err = v.q.QueryRowContext(ctx, `select (select 1 from job where state = 'ready' and run_at <= $1 and `+which+` limit 1) is not null
		or exists (select 1 from job where state = 'running' and lease_until < $1)`, now, kinds).Scan(&due)
	return due, err
}

// hasDueJobsBeside reports whether a job of a kind is due that belongs to none of the organizations. It goes from one organization
// to the next, so that it costs the same however many jobs those have.
func (v *View) hasDueJobsBeside(ctx context.Context, kind string, orgs []string) (bool, error) {
	var org string
	err := v.q.QueryRowContext(ctx, `select org_id from job where state = 'ready' and kind = $1 and run_at <= $2
		order by kind, org_id, turn limit 1`, kind, micros(v.shared())).Scan(&org)
	for err == nil && slices.Contains(orgs, org) {
		err = v.q.QueryRowContext(ctx, `select org_id from job where state = 'ready' and kind = $1 and org_id > $2 and run_at <= $3
			order by kind, org_id, turn limit 1`, kind, org, micros(v.shared())).Scan(&org)
	}
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// ClaimJobs leases up to limit jobs of a lane that are due, and those whose lease ran out because their process died. Those of
// one kind are taken in the order of their turn, so that no organization waits for all that another has queued, and of one
// organization no more than the lane says; those of several kinds as they are due.
func (tx *Tx) ClaimJobs(ctx context.Context, queue Queue, limit int, lease time.Duration) ([]Job, error) {
	if _, err := tx.exec(ctx, `update job set state = 'ready' where state = 'running' and lease_until < $1`, micros(tx.shared())); err != nil {
		return nil, err
	}
	if queue.Only == "" {
		return tx.claim(ctx, `$4 not like '%,' || kind || ',%' order by run_at`, limit, lease, queue.except())
	}
	if queue.Each == 0 {
		return tx.claim(ctx, `kind = $4 order by kind, turn, run_at`, limit, lease, queue.Only)
	}
	// One after the other, for each may be the last that its organization may have.
	if queue.Running = maps.Clone(queue.Running); queue.Running == nil {
		queue.Running = map[string]int{}
	}
	var claimed []Job
	for len(claimed) < limit {
		full := queue.full()
		if len(full) > 0 {
			if due, err := tx.hasDueJobsBeside(ctx, queue.Only, full); err != nil || !due {
				return claimed, err
			}
		}
		one, err := tx.claim(ctx, `kind = $4 and (org_id = '' or $5 not like '%,' || org_id || ',%') order by kind, turn, run_at`, 1, lease,
			queue.Only, listed(full))
		if err != nil || len(one) == 0 {
			return claimed, err
		}
		queue.Running[one[0].OrgID]++
		claimed = append(claimed, one[0])
	}
	return claimed, nil
}

// claim leases up to limit jobs that are due, of those and in the order that the statement's part says; its own arguments begin at $4.
func (tx *Tx) claim(ctx context.Context, which string, limit int, lease time.Duration, args ...any) ([]Job, error) {
	return collect(ctx, &tx.View, func(r scanner) (j Job, err error) {
		return j, r.Scan(&j.ID, &j.Kind, &j.Args, text{&j.ResponseID}, &j.OrgID, &j.Attempt, nullTime{&j.RunAt})
	}, `with due as materialized (select id from job where state = 'ready' and run_at <= $2 and `+which+` limit $3`+tx.d.skipLocked()+`)
		update job set state = 'running', attempt = attempt + 1, lease_until = $1 where id in (select id from due)
		returning id, kind, args, response_id, org_id, attempt, run_at`,
		append([]any{micros(tx.shared().Add(lease)), micros(tx.shared()), limit}, args...)...)
}

// ExtendLeases keeps running jobs this process's own for another while.
func (tx *Tx) ExtendLeases(ctx context.Context, ids []string, lease time.Duration) error {
	for _, id := range ids {
		if _, err := tx.exec(ctx, `update job set lease_until = $1 where id = $2 and state = 'running'`, micros(tx.shared().Add(lease)), id); err != nil {
			return err
		}
	}
	return nil
}

// FinishJob removes a job that is done. A job that is gone already, with its response, is no error.
func (tx *Tx) FinishJob(ctx context.Context, id string) error {
	return tx.run(ctx, `delete from job where id = $1`, id)
}

// The ends of a run that did not succeed. Each changes nothing when the job is not this run's any more: its lease ran
// out and another process took it, or it went with its response.
const ownJob = ` where id = $1 and attempt = $2 and state = 'running'`

// RetryJob gives a failed job back, to run again at a time.
func (tx *Tx) RetryJob(ctx context.Context, j Job, at time.Time, reason string) error {
	_, err := tx.exec(ctx, `update job set state = 'ready', run_at = $3, error = $4`+ownJob, j.ID, j.Attempt, micros(at.Add(-tx.ahead)), reason)
	return err
}

// PostponeJob gives back a job that could not be done for a reason outside it, to run again at a time; the run counts for nothing.
func (tx *Tx) PostponeJob(ctx context.Context, j Job, at time.Time, reason string) error {
	_, err := tx.exec(ctx, `update job set state = 'ready', attempt = attempt - 1, run_at = $3, error = $4`+ownJob, j.ID, j.Attempt, micros(at), reason)
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
