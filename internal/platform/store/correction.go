package store

import (
	"context"
	"errors"
	"time"
)

// ErrNoCorrection means that an answer has no correction that could be undone.
var ErrNoCorrection = errors.New("the answer was not corrected")

// Correction is a change of the text of a spoken answer by a person.
type Correction struct {
	ID, ResponseID, StepID string
	Row                    int
	Words, Before          string
	UserID, UserName       string
	At                     time.Time
}

const selectCorrection = `select c.id, c.response_id, c.step_id, c.row_index, c.words, c.words_before, c.user_id, case when p.name = '' then p.email else p.name end, c.created_at
	from correction c
	left join person p on p.id = c.user_id `

func scanCorrection(r scanner) (c Correction, err error) {
	return c, r.Scan(&c.ID, &c.ResponseID, &c.StepID, &c.Row, &c.Words, &c.Before, &c.UserID, nullText{&c.UserName}, nullTime{&c.At})
}

// Corrections lists the corrections of a response that were not undone, in their order.
func (v *View) Corrections(ctx context.Context, responseID string) ([]Correction, error) {
	return collect(ctx, v, scanCorrection, selectCorrection+`where c.response_id = $1 and c.undone_at is null order by c.created_at, c.id`, responseID)
}

// LastCorrection returns the last correction of a row that was not undone; ErrNoCorrection.
func (v *View) LastCorrection(ctx context.Context, responseID string, row int) (Correction, error) {
	c, err := scanCorrection(v.q.QueryRowContext(ctx, selectCorrection+`where c.response_id = $1 and c.row_index = $2 and c.undone_at is null
		order by c.created_at desc, c.id desc
		limit 1`, responseID, row))
	return c, noRowsAs(err, ErrNoCorrection)
}

// AddCorrection stores a correction. The caller stores the answer's text.
func (tx *Tx) AddCorrection(ctx context.Context, c Correction) error {
	if err := tx.lockLiveResponse(ctx, c.ResponseID); err != nil {
		return err
	}
	return tx.run(ctx, `insert into correction (id, response_id, step_id, row_index, words, words_before, user_id, created_at)
		values ($1, $2, $3, $4, $5, $6, $7, $8)`, c.ID, c.ResponseID, c.StepID, c.Row, c.Words, c.Before, c.UserID, micros(tx.at))
}

// UndoCorrection marks a correction as undone; ErrNoCorrection. The caller stores the answer's text.
func (tx *Tx) UndoCorrection(ctx context.Context, responseID, id, userID string) error {
	if err := tx.lockLiveResponse(ctx, responseID); err != nil {
		return err
	}
	n, err := tx.exec(ctx, `update correction set undone_at = $1, undone_by = $2 where id = $3 and undone_at is null`, micros(tx.at), userID, id)
	if err == nil && n == 0 {
		err = ErrNoCorrection
	}
	return err
}

// CorrectTurn makes words the text of the answer at a step, whatever it was, and sets the response's update time. The caller stores the
// documents.
func (tx *Tx) CorrectTurn(ctx context.Context, responseID, stepID, words string, at time.Time) error {
	if err := tx.lockLiveResponse(ctx, responseID); err != nil {
		return err
	}
	if _, err := tx.exec(ctx, `update turn
		set heard = $1, heard_at = $2
		where response_id = $3 and step_id = $4 and kind in ('answer', 'reply')`, words, micros(at), responseID, stepID); err != nil {
		return err
	}
	return tx.run(ctx, `update response set updated_at = $1 where id = $2`, micros(at), responseID)
}
