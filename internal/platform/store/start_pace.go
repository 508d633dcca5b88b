package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"errors"
	"time"

	"verbatim/internal/domain/response"
)

// StartRate limits how fast interviews of one study are started from one network. The zero value is no limit.
type StartRate struct {
	AtOnce  int // how many may start at once after a pause
	PerHour int // in the long run; 0: no limit
}

// forNetwork returns the pace of a network.
func (p StartRate) forNetwork(n response.Network) StartRate {
	return StartRate{AtOnce: max(p.AtOnce, 1) * n.Times, PerHour: p.PerHour * n.Times}
}

// interval returns how far a start moves the clock of its network.
func (p StartRate) interval() time.Duration { return time.Hour / time.Duration(p.PerHour) }

// burst returns how far the clock may be ahead of the time when another start is allowed.
func (p StartRate) burst() time.Duration { return time.Duration(max(p.AtOnce, 1)-1) * p.interval() }

// networkKey returns the stored form of a network, a hash: nobody needs to know which network it was.
func networkKey(studyID, network string) string {
	sum := sha256.Sum256([]byte(studyID + "\n" + network))
	return base64.RawURLEncoding.EncodeToString(sum[:18])
}

// StartWait returns how long a participant has to wait before another interview of a study may be started from all of their
// networks; 0 when it may start at once. It serves to refuse without a write; CountStart decides.
func (v *View) StartWait(ctx context.Context, studyID string, networks []response.Network, pace StartRate) (wait time.Duration, err error) {
	if pace.PerHour == 0 {
		return 0, nil
	}
	for _, n := range networks {
		var due time.Time
		err := v.q.QueryRowContext(ctx, `select due_at from start_pace where study_id = $1 and network = $2`, studyID, networkKey(studyID, n.Name)).
			Scan(nullTime{&due})
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return 0, err
		}
		wait = max(wait, due.Sub(v.now())-pace.forNetwork(n).burst())
	}
	return wait, nil
}

// CountStart counts a start for each of a participant's networks, unless that is too fast for one of them: then it counts
// none, and returns how long to wait. All callers pass the networks in the same order, the narrowest first, so that no two
// transactions deadlock. It comes before StartResponse in a transaction.
func (tx *Tx) CountStart(ctx context.Context, studyID string, networks []response.Network, pace StartRate) (wait time.Duration, err error) {
	if pace.PerHour == 0 {
		return 0, nil
	}
	for i, n := range networks {
		counted, err := tx.countStart(ctx, studyID, n.Name, pace.forNetwork(n))
		if err != nil {
			return 0, err
		}
		if counted {
			continue
		}
		for _, before := range networks[:i] {
			if _, err := tx.exec(ctx, `update start_pace set due_at = due_at - $3 where study_id = $1 and network = $2`,
				studyID, networkKey(studyID, before.Name), pace.forNetwork(before).interval().Microseconds()); err != nil {
				return 0, err
			}
		}
		wait, err = tx.StartWait(ctx, studyID, networks, pace)
		return max(wait, time.Microsecond), err
	}
	return 0, nil
}

// countStart counts a start from one network, and reports whether its pace allowed it.
func (tx *Tx) countStart(ctx context.Context, studyID, network string, pace StartRate) (bool, error) {
	n, err := tx.exec(ctx, `insert into start_pace (study_id, network, due_at)
		values ($1, $2, $3)
		on conflict (study_id, network) do update
		set due_at = case when start_pace.due_at < $4 then excluded.due_at else start_pace.due_at + $5 end
		where start_pace.due_at <= $6`,
		studyID, networkKey(studyID, network), micros(tx.at.Add(pace.interval())), micros(tx.at), pace.interval().Microseconds(), micros(tx.at.Add(pace.burst())))
	return n > 0, err
}

// PruneStarts removes the networks whose pace no longer limits anything.
func (tx *Tx) PruneStarts(ctx context.Context) error {
	_, err := tx.exec(ctx, `delete from start_pace where due_at < $1`, micros(tx.at))
	return err
}

// StaleStarts reports whether PruneStarts would remove something, without the cost of a write.
func (v *View) StaleStarts(ctx context.Context) (stale bool, err error) {
	err = v.q.QueryRowContext(ctx, `select exists (select 1 from start_pace where due_at < $1)`, micros(v.now())).Scan(&stale)
	return stale, err
}
