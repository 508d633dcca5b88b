package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
)

// Writers of a study's responses stand in line, on every engine: each first takes the study's row and holds it until its
// transaction ends, so that nothing it read of the study's responses changes under it, and the times that it hands out
// are in the order of the commits. Whoever takes rows of several tables takes them in the order response (its study),
// hold, grant, account, so that no two wait for each other.

// lines remembers in which lines a transaction stands.
type lines struct {
	studies   map[string]*place
	responses map[string]bool
	started   string // the response that the transaction has begun; empty: none
}

// place is the time that a line gave, and whether it was handed out.
type place struct {
	at   time.Time // zero until the statement that gives it was sent
	used bool
}

func (l *lines) note(studyID, responseID string, p *place) {
	if l.studies == nil {
		l.studies, l.responses = map[string]*place{}, map[string]bool{}
	}
	l.studies[studyID] = p
	if responseID != "" {
		l.responses[responseID] = true
	}
}

// tick moves a study's clock past every time it gave before, even where the machine's clock was set back or differs
// between nodes. It is the text of an assignment; $1 is the transaction's time.
const tick = `item_clock = case when item_clock < $1 then $1 else item_clock + 1 end`

// enterStudy puts the transaction in the line of a study; study.ErrNotFound.
func (tx *Tx) enterStudy(ctx context.Context, studyID string) error {
	if _, in := tx.lines.studies[studyID]; in {
		return nil
	}
	return tx.takePlace(ctx, studyID)
}

// takePlace stands in line. On PostgreSQL that may wait for the statements that follow, and the place has its time later.
func (tx *Tx) takePlace(ctx context.Context, studyID string) error {
	p := &place{}
	if err := tx.later(ctx, []string{"item_clock"}, []any{nullTime{&p.at}}, `update study set `+tick+` where id = $2`, micros(tx.at), studyID); err != nil {
		return orElse(err, study.ErrNotFound)
	}
	tx.lines.note(studyID, "", p)
	return nil
}

// EnterFor puts the transaction in the line of the study of a response that was read before.
func (tx *Tx) EnterFor(ctx context.Context, r response.Response) error {
	if err := tx.enterStudy(ctx, r.StudyID); err != nil {
		return err
	}
	tx.lines.responses[r.ID] = true
	return nil
}

// lastPlace is a place in a study's line whose time was not handed out yet.
func (tx *Tx) lastPlace(ctx context.Context, studyID string) (*place, error) {
	p := tx.lines.studies[studyID]
	if p == nil || p.used {
		if err := tx.takePlace(ctx, studyID); err != nil {
			return nil, err
		}
		p = tx.lines.studies[studyID]
	}
	p.used = true
	return p, nil
}

// enterResponse puts the transaction in the line of a response's study. A response that does not exist has no line.
func (tx *Tx) enterResponse(ctx context.Context, responseID string) error {
	if tx.lines.responses[responseID] {
		return nil
	}
	var studyID string
	err := tx.q.QueryRowContext(ctx, `select study_id from response where id = $1`, responseID).Scan(&studyID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err == nil {
		err = tx.enterStudy(ctx, studyID)
	}
	if err == nil {
		tx.lines.responses[responseID] = true
	}
	return err
}

// NextUpdate is a time for a study's items: later than every one handed out before, in the order of the commits, so that
// whoever polls by time misses nothing; study.ErrNotFound.
func (tx *Tx) NextUpdate(ctx context.Context, studyID string) (time.Time, error) {
	p, err := tx.lastPlace(ctx, studyID)
	if err == nil && p.at.IsZero() {
		err = tx.pipeline.flush(ctx)
	}
	if err != nil {
		return time.Time{}, err
	}
	return p.at, nil
}
