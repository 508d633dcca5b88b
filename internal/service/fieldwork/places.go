package fieldwork

import (
	"context"
	"errors"
	"slices"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// A participant takes a place in a cell in the transaction of the answer that settles it (interview.State.Cells). The place is theirs
// while the interview runs; it is counted when the interview completes, and given back when it ends otherwise, is abandoned, or is deleted.
// An interview that comes back after it was abandoned takes its places again.

// Errors of a study that takes no participants, beside study.ErrPaused and ErrNotTakingParticipants.
var (
	ErrNotStarted    = errors.New("the study's fieldwork has not started")
	ErrEnded         = errors.New("the study's fieldwork has ended")
	ErrTargetReached = errors.New("the study has as many completed interviews as it wants")
	ErrNoPlace       = errors.New("interviews in progress have the study's last places")
	ErrQuotaFull     = errors.New("a quota of the study is full")
)

// QuotaFullError means that a participant belongs to a full cell before any question is asked, by the parameters of the link.
type QuotaFullError struct {
	Cell guide.Cell
}

// Error implements error.
func (*QuotaFullError) Error() string { return ErrQuotaFull.Error() }

// Is reports whether target is ErrQuotaFull.
func (*QuotaFullError) Is(target error) bool { return target == ErrQuotaFull }

// Admits returns nil if a study takes a participant with this link query now, as far as that is known before the interview: credits are
// not checked, see Landing.AcceptsParticipants. Begin decides. Errors: study.ErrPaused, ErrNotStarted, ErrEnded, ErrTargetReached, ErrNoPlace,
// *QuotaFullError.
func (s *Service) Admits(ctx context.Context, landing Landing, query string) (err error) {
	defer operation.Wrap(&err, "fieldwork.Admits")
	if landing.Preview {
		return nil
	}
	g := landing.Guide // perhaps localized
	if err := s.checkOpen(landing.study, g); err != nil {
		return err
	}
	var cells []guide.CellRef
	if len(g.Config.Quotas) > 0 {
		cells = landing.compiled.Plan.Begin(0, paramMap(query)).Cells()
	}
	if target := (guide.CellRef{}); g.Config.Fieldwork.Target > 0 && !slices.Contains(cells, target) {
		cells = append(cells, target)
	}
	for _, cell := range limited(g, cells) {
		count, err := s.Store.View().PlaceCount(ctx, landing.study.ID, cell.CellRef)
		if err != nil {
			return err
		}
		if count.Taken() >= cell.Limit {
			return startRefusal(cell, count)
		}
	}
	return nil
}

// checkOpen returns an error if a study is paused, or outside the dates of its fieldwork.
func (s *Service) checkOpen(live study.Study, g *guide.Guide) error {
	f, now := &g.Config.Fieldwork, s.Store.Now()
	switch {
	case live.Status == study.Paused:
		return study.ErrPaused
	case now.Before(f.StartsAt):
		return ErrNotStarted
	case !f.EndsAt.IsZero() && !now.Before(f.EndsAt):
		return ErrEnded
	}
	return nil
}

// startRefusal returns the error of a start for which a cell is full.
func startRefusal(cell guide.Cell, count store.PlaceCount) error {
	switch {
	case !cell.IsTarget():
		return &QuotaFullError{cell}
	case count.Complete >= cell.Limit:
		return ErrTargetReached
	}
	return ErrNoPlace
}

// limited returns those of the cells that have a limit.
func limited(g *guide.Guide, refs []guide.CellRef) []guide.Cell {
	var cells []guide.Cell
	for _, ref := range refs {
		if cell, ok := g.Cell(ref); ok {
			cells = append(cells, cell)
		}
	}
	return cells
}

// neededCells returns the cells in which an interview needs a place now.
func (sess *session) neededCells() []guide.CellRef {
	if sess.State.Next().Kind == interview.StepScreenedOut {
		return nil
	}
	return sess.State.Cells()
}

// takeFirstPlaces takes the places that an interview needs from its start.
func takeFirstPlaces(ctx context.Context, tx *store.Tx, sess *session) error {
	cells := limited(sess.Guide, sess.neededCells())
	if len(cells) == 0 {
		return nil
	}
	full, err := tx.TakePlaces(ctx, sess.Response, cells, false)
	if err != nil || full == nil {
		return err
	}
	count, err := tx.PlaceCount(ctx, sess.Response.StudyID, full.CellRef)
	if err != nil {
		return err
	}
	return startRefusal(*full, count)
}

// takePlaces takes the places that turns have made necessary. They were applied to the session's state and are not stored yet. It returns
// the session and the turns to store: the same, or, if a cell is full, the first turn alone in a session that it ends. It changes neither sess
// nor entries.
func takePlaces(ctx context.Context, tx *store.Tx, sess *session, entries []entry) (*session, []entry, error) {
	needed := sess.neededCells()
	returns := sess.Response.Abandoned && (byParticipant(entries[0].turn.Kind) || sess.State.Next().Ended())
	if slices.Equal(sess.cells, needed) && !returns {
		return sess, entries, nil
	}
	next := *sess
	next.cells = needed
	if len(sess.cells)+len(needed) == 0 {
		return &next, entries, nil
	}
	if err := sess.Lock(ctx, tx); err != nil { // or the places that another request took for the same turn would be in the way
		return nil, nil, err
	}
	full, err := tx.TakePlaces(ctx, sess.Response, limited(sess.Guide, needed), len(sess.cells) > 0)
	if err != nil || full == nil {
		return &next, entries, err
	}
	last := entries[0]
	last.turn.QuotaFull = &full.CellRef
	iv, err := sess.Replay(sess.Response, append(slices.Clip(sess.Turns), last.turn))
	if err != nil {
		return nil, nil, err
	}
	next.State, next.cells = iv.State, nil
	return &next, []entry{last}, tx.TurnAway(ctx, sess.Response, full.CellRef)
}
