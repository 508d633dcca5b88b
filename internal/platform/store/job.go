package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"
)

// Job is work that outlives the process. It runs at least once.
type Job struct {
	ID         string
	Kind       string
	Queue      string // where it waits, which its kind decides; empty: the queue named like the kind. A claimed job does not have it
	Args       string
	ResponseID string // the response that it works on, whose deletion removes it; may be empty
	OrgID      string // the organization that it works for; empty: that of its response, or none
	Attempt    int    // 1 at the first run
	RunAt      time.Time
}

// Enqueue adds a job in the transaction of its cause. A zero RunAt means at once. Services enqueue through internal/service/jobs,
// which knows the kinds.
//
// The jobs of a queue get their turn as if each organization had a queue of its own and one job were taken from each in
// rotation: a job comes after the waiting jobs of its organization, and no earlier than the job that is due next.
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
	return tx.run(ctx, `insert into job (id, kind, args, response_id, state, run_at, created_at, org_id, queue, turn)
		select $1, $2, $3, $4, 'ready', $5, $6, $7, $9, (select max(turn) from (
			select coalesce((select turn from job where state = 'ready' and `+jobQueue+` = $10 and run_at <= $8
				order by turn, run_at limit 1), 0) as turn
			union all
			select coalesce((select turn + 1 from job where state = 'ready' and `+jobQueue+` = $10 and org_id = $7
				order by org_id desc, turn desc limit 1), 0)
		) turns)`,
		NewID(), j.Kind, j.Args, nullIfEmpty(j.ResponseID), micros(j.RunAt), micros(tx.at), j.OrgID, micros(tx.at),
		nullIfEmpty(j.Queue), cmp.Or(j.Queue, j.Kind))
}

// RunJobNow lets a job that waits run at once, and reports whether there is one with the kind, arguments and response of j, be it waiting or
// running. One that was discarded is removed.
func (tx *Tx) RunJobNow(ctx context.Context, j Job) (found bool, err error) {
	which, args := ` where kind = $1 and args = $2 and response_id is null`, []any{j.Kind, j.Args, micros(tx.at)}
	if j.ResponseID != "" { // an index finds it
		which, args = ` where kind = $1 and args = $2 and response_id = $4`, append(args, j.ResponseID)
	}
	n, err := tx.exec(ctx, `update job set run_at = case when state = 'ready' and run_at > $3 then $3 else run_at end`+which+` and state in ('ready', 'running')`, args...)
	if err != nil || n > 0 {
		tx.enqueued = tx.enqueued || n > 0
		return n > 0, err
	}
	return false, tx.run(ctx, `delete from job`+which+` and state = 'dead' and created_at <= $3`, args...)
}

// jobQueue is the queue of a job, in the words of the indexes job_queue_turn and job_queue_org, which serve it.
const jobQueue = `coalesce(queue, kind)`

// Queue selects jobs of one queue, so that those that take long do not hold up others. Its zero value selects all jobs.
type Queue struct {
	Name string

	// Each bounds how many jobs of one organization the queue's runner has at once, so that the other slots stay free for
	// others; 0: no bound. Running is how many jobs each organization has now. Both apply only if the queue has a name, and
	// to jobs that belong to an organization.
	Each    int
	Running map[string]int
}

// listed joins a list as ",a,b,", so that ",a," is found in it. No element is empty.
func listed(list []string) string { return "," + strings.Join(list, ",") + "," }

// full returns the organizations that have as many jobs as each may have.
func (q Queue) full() (orgs []string) {
	if q.Name == "" || q.Each == 0 {
		return nil
	}
	for org, n := range q.Running {
		if org != "" && n >= q.Each {
			orgs = append(orgs, org)
		}
	}
	return orgs
}

// HasDueJobs reports whether ClaimJobs would find something, without the cost of a write.
func (v *View) HasDueJobs(ctx context.Context, queue Queue) (due bool, err error) {
	now := micros(v.now())
	if full := queue.full(); len(full) > 0 {
		if due, err = v.hasDueJobsBeside(ctx, queue.Name, full); due || err != nil {
			return due, err
		}
		err = v.q.QueryRowContext(ctx, `select exists (select 1 from job where state = 'running' and lease_until < $1)`, now).Scan(&due)
		return due, err
	}
	which, args := ` order by run_at`, []any{now}
	if queue.Name != "" {
		which, args = ` and `+jobQueue+` = $2 order by turn, run_at`, append(args, queue.Name)
	}
	err = v.q.QueryRowContext(ctx, `select (select 1 from job where state = 'ready' and run_at <= $1`+which+` limit 1) is not null
		or exists (select 1 from job where state = 'running' and lease_until < $1)`, args...).Scan(&due)
	return due, err
}

// hasDueJobsBeside reports whether a job of a queue is due that belongs to none of the organizations. It goes from one
// organization to the next, so that its cost does not depend on how many jobs they have.
func (v *View) hasDueJobsBeside(ctx context.Context, queue string, orgs []string) (bool, error) {
	var org string
	err := v.q.QueryRowContext(ctx, `select org_id
		from job
		where state = 'ready' and `+jobQueue+` = $1 and run_at <= $2
		order by org_id, turn
		limit 1`, queue, micros(v.now())).Scan(&org)
	for err == nil && slices.Contains(orgs, org) {
		err = v.q.QueryRowContext(ctx, `select org_id
			from job
			where state = 'ready' and `+jobQueue+` = $1 and org_id > $2 and run_at <= $3
			order by org_id, turn
			limit 1`, queue, org, micros(v.now())).Scan(&org)
	}
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// ClaimJobs leases up to limit due jobs of a queue, and those whose lease ran out because their process died. Jobs of one
// queue are taken in the order of their turn, so that no organization waits for all that another has queued, and no more of
// one organization than the queue allows; jobs of all queues in the order in which they are due.
func (tx *Tx) ClaimJobs(ctx context.Context, queue Queue, limit int, lease time.Duration) ([]Job, error) {
	if _, err := tx.exec(ctx, `update job set state = 'ready' where state = 'running' and lease_until < $1`, micros(tx.at)); err != nil {
		return nil, err
	}
	if queue.Name == "" {
		return tx.claim(ctx, ` order by run_at`, limit, lease)
	}
	if queue.Each == 0 {
		return tx.claim(ctx, ` and `+jobQueue+` = $4 order by turn, run_at`, limit, lease, queue.Name)
	}
	// One after the other, because each may be the last that its organization may have.
	if queue.Running = maps.Clone(queue.Running); queue.Running == nil {
		queue.Running = map[string]int{}
	}
	var claimed []Job
	for len(claimed) < limit {
		full := queue.full()
		if len(full) > 0 {
			if due, err := tx.hasDueJobsBeside(ctx, queue.Name, full); err != nil || !due {
				return claimed, err
			}
		}
		one, err := tx.claim(ctx, ` and `+jobQueue+` = $4 and (org_id = '' or $5 not like '%,' || org_id || ',%') order by turn, run_at`,
			1, lease, queue.Name, listed(full))
		if err != nil || len(one) == 0 {
			return claimed, err
		}
		queue.Running[one[0].OrgID]++
		claimed = append(claimed, one[0])
	}
	return claimed, nil
}

// claim leases up to limit due jobs, which select further conditions and an order; their arguments begin at $4.
func (tx *Tx) claim(ctx context.Context, which string, limit int, lease time.Duration, args ...any) ([]Job, error) {
	return collect(ctx, &tx.View, func(r scanner) (j Job, err error) {
		return j, r.Scan(&j.ID, &j.Kind, &j.Args, nullText{&j.ResponseID}, &j.OrgID, &j.Attempt, nullTime{&j.RunAt})
	}, `with due as materialized (
			select id from job where state = 'ready' and run_at <= $2`+which+` limit $3`+tx.d.skipLocked()+`
		)
		update job
		set state = 'running', attempt = attempt + 1, lease_until = $1
		where id in (select id from due)
		returning id, kind, args, response_id, org_id, attempt, run_at`,
		append([]any{micros(tx.at.Add(lease)), micros(tx.at), limit}, args...)...)
}

// ExtendLeases extends the leases of this process's running jobs.
func (tx *Tx) ExtendLeases(ctx context.Context, ids []string, lease time.Duration) error {
	for _, id := range ids {
		if _, err := tx.exec(ctx, `update job set lease_until = $1 where id = $2 and state = 'running'`, micros(tx.at.Add(lease)), id); err != nil {
			return err
		}
	}
	return nil
}

// FinishJob removes a finished job. A job that is gone already, with its response, is no error.
func (tx *Tx) FinishJob(ctx context.Context, id string) error {
	return tx.run(ctx, `delete from job where id = $1`, id)
}

// JobWaits reports whether a job with these arguments waits or runs.
func (v *View) JobWaits(ctx context.Context, j Job) (waits bool, err error) {
	err = v.q.QueryRowContext(ctx, `select exists (select 1 from job where kind = $1 and args = $2 and state <> 'dead')`, j.Kind, j.Args).Scan(&waits)
	return waits, err
}

// ownJob restricts an update to a job that still belongs to this run. It no longer does when its lease ran out and another
// process took it, or when it was removed with its response.
const ownJob = ` where id = $1 and attempt = $2 and state = 'running'`

// RetryJob returns a failed job to the queue, to run again at a time.
func (tx *Tx) RetryJob(ctx context.Context, j Job, at time.Time, reason string) error {
	_, err := tx.exec(ctx, `update job set state = 'ready', run_at = $3, error = $4`+ownJob, j.ID, j.Attempt, micros(at), reason)
	return err
}

// SnoozeJob postpones a job that could not be done for a reason outside it; the attempt does not count.
func (tx *Tx) SnoozeJob(ctx context.Context, j Job, at time.Time, reason string) error {
	_, err := tx.exec(ctx, `update job set state = 'ready', attempt = attempt - 1, run_at = $3, error = $4`+ownJob, j.ID, j.Attempt, micros(at), reason)
	return err
}

// ReturnJob returns a job that was interrupted, as if it had not been claimed: it may run again at once.
func (tx *Tx) ReturnJob(ctx context.Context, j Job) error {
	_, err := tx.exec(ctx, `update job set state = 'ready', attempt = attempt - 1`+ownJob, j.ID, j.Attempt)
	return err
}

// DiscardJob keeps a job that failed too often for the operator to see; it does not run again. own reports whether the job
// still belonged to this run.
func (tx *Tx) DiscardJob(ctx context.Context, j Job, reason string) (own bool, err error) {
	n, err := tx.exec(ctx, `update job set state = 'dead', error = $3`+ownJob, j.ID, j.Attempt, reason)
	return n > 0, err
}

// JobCounts returns how many jobs are in each state: ready, running, dead (discarded).
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
