package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"errors"
	"time"
)

// StartPace bounds how fast interviews of one study are started from one network. The zero value is no bound.
type StartPace struct {
	AtOnce  int // after a pause
	PerHour int // in the long run; 0: no bound
}

// step is how far a start moves the clock of its network.
func (p StartPace) step() time.Duration { return time.Hour / time.Duration(p.PerHour) }

// ahead is how far the clock may be ahead of the time for another start.
func (p StartPace) ahead() time.Duration { return time.Duration(max(p.AtOnce, 1)-1) * p.step() }

// networkKey is how a network is stored: nobody needs to know which it was.
func networkKey(studyID, network string) string {
	sum := sha256.Sum256([]byte(studyID + "\n" + network))
	return base64.RawURLEncoding.EncodeToString(sum[:18])
}

// StartWait returns how long a network has to wait before it may start another interview of a study; 0 when it may at once. It
// is for refusing without a write; CountStart has the last word.
func (v *View) StartWait(ctx context.Context, studyID, network string, pace StartPace) (time.Duration, error) {
	if pace.PerHour == 0 || network == "" {
		return 0, nil
	}
	var due time.Time
	err := v.q.QueryRowContext(ctx, `select due_at from start_pace where study_id = $1 and network = $2`, studyID, networkKey(studyID, network)).
		Scan(moment{&due})
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return max(due.Sub(v.now())-pace.ahead(), 0), err
}

// CountStart counts a start from a network, unless that would be too fast: then it returns how long the network has to wait. It
// comes before StartResponse in a transaction.
func (tx *Tx) CountStart(ctx context.Context, studyID, network string, pace StartPace) (wait time.Duration, err error) {
	if pace.PerHour == 0 || network == "" {
		return 0, nil
	}
	n, err := tx.exec(ctx, `insert into start_pace (study_id, network, due_at) values ($1, $2, $3)
		on conflict (study_id, network) do update
		set due_at = case when start_pace.due_at < $4 then excluded.due_at else start_pace.due_at + $5 end
		where start_pace.due_at <= $6`,
		studyID, networkKey(studyID, network), micros(tx.at.Add(pace.step())), micros(tx.at), pace.step().Microseconds(), micros(tx.at.Add(pace.ahead())))
	if err != nil || n > 0 {
		return 0, err
	}
	wait, err = tx.StartWait(ctx, studyID, network, pace)
	return max(wait, time.Microsecond), err
}

// PruneStarts forgets the networks whose pace bounds nothing any more.
func (tx *Tx) PruneStarts(ctx context.Context) error {
	_, err := tx.exec(ctx, `delete from start_pace where due_at < $1`, micros(tx.at))
	return err
}

// StaleStarts reports whether PruneStarts would find something, without the cost of a write.
func (v *View) StaleStarts(ctx context.Context) (stale bool, err error) {
	err = v.q.QueryRowContext(ctx, `select exists (select 1 from start_pace where due_at < $1)`, micros(v.now())).Scan(&stale)
	return stale, err
}
