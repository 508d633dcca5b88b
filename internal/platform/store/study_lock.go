package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
)

// Transactions that change a study's responses lock the study, on every engine: each first updates the study's row and holds
// its lock until it ends. So nothing that it read of the study's responses changes under it, and the times that it hands out
// are in the order of the commits. A transaction that locks rows of several tables locks them in the order study (for
// responses), hold, grant, account, so that no two can deadlock.

// studyLocks records which studies a transaction has locked.
type studyLocks struct {
	studies   map[string]*updateTime
	responses map[string]bool
	started   string // the response that the transaction has started; empty: none
}

// updateTime is the time that locking a study returned, and whether it was handed out.
type updateTime struct {
	at   time.Time // zero until the statement that returns it is sent
	used bool
}

func (l *studyLocks) add(studyID, responseID string, p *updateTime) {
	if l.studies == nil {
		l.studies, l.responses = map[string]*updateTime{}, map[string]bool{}
	}
	l.studies[studyID] = p
	if responseID != "" {
		l.responses[responseID] = true
	}
}

// tick is the set clause that moves a study's clock past every time that it had before, even if the machine's clock was set
// back or differs between nodes; $1 is the transaction's time.
const tick = `item_clock = case when item_clock < $1 then $1 else item_clock + 1 end`

// lockStudy locks a study's row until the transaction ends; study.ErrNotFound.
func (tx *Tx) lockStudy(ctx context.Context, studyID string) error {
	if _, in := tx.locks.studies[studyID]; in {
		return nil
	}
	return tx.advanceClock(ctx, studyID)
}

// advanceClock locks a study's row by advancing its clock. On PostgreSQL the statement may be sent together with later ones,
// and the time is set only then.
func (tx *Tx) advanceClock(ctx context.Context, studyID string) error {
	p := &updateTime{}
	if err := tx.getLater(ctx, []string{"item_clock"}, []any{nullTime{&p.at}}, `update study set `+tick+` where id = $2`, micros(tx.at), studyID); err != nil {
		return noRowsAs(err, study.ErrNotFound)
	}
	tx.locks.add(studyID, "", p)
	return nil
}

// lockStudyOfRead locks the study of a response that the caller has read.
func (tx *Tx) lockStudyOfRead(ctx context.Context, r response.Response) error {
	if err := tx.lockStudy(ctx, r.StudyID); err != nil {
		return err
	}
	tx.locks.responses[r.ID] = true
	return nil
}

// unusedTime returns a time of the study's clock that was not handed out yet.
func (tx *Tx) unusedTime(ctx context.Context, studyID string) (*updateTime, error) {
	p := tx.locks.studies[studyID]
	if p == nil || p.used {
		if err := tx.advanceClock(ctx, studyID); err != nil {
			return nil, err
		}
		p = tx.locks.studies[studyID]
	}
	p.used = true
	return p, nil
}

// lockStudyOfID locks the study of a response that it looks up by its id. It does nothing for a response that does not exist.
func (tx *Tx) lockStudyOfID(ctx context.Context, responseID string) error {
	if tx.locks.responses[responseID] {
		return nil
	}
	var studyID string
	err := tx.q.QueryRowContext(ctx, `select study_id from response where id = $1`, responseID).Scan(&studyID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err == nil {
		err = tx.lockStudy(ctx, studyID)
	}
	if err == nil {
		tx.locks.responses[responseID] = true
	}
	return err
}

// NextUpdate returns a time for a study's items: later than every time handed out before, in the order of the commits, so
// that a client that polls by time misses nothing; study.ErrNotFound.
func (tx *Tx) NextUpdate(ctx context.Context, studyID string) (time.Time, error) {
	p, err := tx.unusedTime(ctx, studyID)
	if err == nil && p.at.IsZero() {
		err = tx.pipeline.flush(ctx)
	}
	if err != nil {
		return time.Time{}, err
	}
	return p.at, nil
}
