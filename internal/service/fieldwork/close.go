package fieldwork

import (
	"cmp"
	"context"
	"errors"
	"time"

	"verbatim/internal/domain/panel"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/jobs"
	"verbatim/internal/service/webhooks"
)

// Withdraw deletes everything the participant gave, as a deletion by the API does. It may be called at any time, also after the
// end. It returns where the participant goes back to. A second call returns response.ErrGone.
func (s *Service) Withdraw(ctx context.Context, token string) (goodbye Exit, err error) {
	defer operation.Wrap(&err, "fieldwork.Withdraw")
	if IsPreview(token) {
		return Exit{}, s.withdrawPreview(ctx, token)
	}
	id, hash, err := parseToken(token)
	if err != nil {
		return Exit{}, err
	}
	settings, leaving, err := s.leaving(ctx, id)
	if err != nil {
		return Exit{}, err
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		r, stored, err := tx.ParticipantResponse(ctx, id)
		if err != nil {
			return err
		}
		if !sameHash(stored, hash) {
			return response.ErrNotFound
		}
		if err := tx.ReleaseHold(ctx, r.ID); err != nil && !errors.Is(err, wallet.ErrNoHold) {
			return err
		}
		before, err := webhooks.LookBeforeDeletion(ctx, tx, r)
		if err != nil {
			return err
		}
		deletion, err := tx.CreateDeletion(ctx, r)
		if err != nil {
			return err
		}
		if err := before.EmitDeleted(ctx, tx, r); err != nil {
			return err
		}
		if err := tellPanel(ctx, tx, settings, r, leaving, false); err != nil {
			return err
		}
		return jobs.Enqueue(ctx, tx, jobs.EraseArgs{DeletionID: deletion.ID})
	})
	if err != nil {
		return Exit{}, err
	}
	s.notify(Withdrawn)
	s.subscribers.publishGone(id)
	s.recent.forget(id)
	return leaving.exit, nil
}

// leaving returns the settings of a response's panel, nil if there is none, and what the participant takes along who withdraws.
func (s *Service) leaving(ctx context.Context, responseID string) (*panel.Settings, departure, error) {
	r, _, err := s.Store.View().ParticipantResponse(ctx, responseID)
	if err != nil {
		return nil, departure{}, err
	}
	compiled, err := s.Interviews.CompiledGuide(ctx, s.Store.View(), r.OrgID, r.StudyID, r.Revision)
	if err != nil || compiled.Guide.Config.Panel == nil {
		return nil, departure{}, err
	}
	d, err := departureOf(ctx, s.Store.View(), compiled.Guide.Config.Panel, r, panel.Withdrawn)
	return compiled.Guide.Config.Panel, d, err
}

// sweepBatch is the number of idle interviews that the sweep reads at once.
const sweepBatch = 100

// Sweep abandons interviews without activity for AbandonAfter, or for UnansweredAfter if they have no answer, and releases
// their credits. It returns how many. For the API an abandoned interview stays in progress; its participant may return and go
// on as long as credits can be held again.
func (s *Service) Sweep(ctx context.Context) (swept int, err error) {
	defer operation.Wrap(&err, "fieldwork.Sweep")
	after := cmp.Or(s.AbandonAfter, 24*time.Hour)
	unanswered := min(cmp.Or(s.UnansweredAfter, DefaultUnansweredAfter), after)
	for {
		now := s.Store.Now()
		before, unansweredBefore := now.Add(-after), now.Add(-unanswered)
		view := s.Store.View()
		idle, err := view.IdleResponses(ctx, before, sweepBatch)
		if err == nil && len(idle) < sweepBatch {
			var more []store.IdleResponse
			more, err = view.UnansweredResponses(ctx, unansweredBefore, sweepBatch-len(idle))
			idle = append(idle, more...)
		}
		if err != nil {
			return swept, err
		}
		for _, r := range idle { // each in its own transaction, so that participants never wait long
			abandoned, err := s.abandon(ctx, r.ID, before, unansweredBefore)
			if err != nil {
				return swept, err
			}
			if abandoned {
				swept++
				s.notify(Abandoned)
			}
		}
		if len(idle) < sweepBatch {
			return swept, errors.Join(s.forgetStarts(ctx), s.forgetPreviews(ctx))
		}
	}
}

// forgetStarts removes the start counts of networks whose full allowance is back.
func (s *Service) forgetStarts(ctx context.Context) error {
	stale, err := s.Store.View().StaleStarts(ctx)
	if err != nil || !stale {
		return err
	}
	return s.Store.Write(ctx, func(tx *store.Tx) error { return tx.PruneStarts(ctx) })
}

// abandon abandons an interview that is still idle, and reports whether it was.
func (s *Service) abandon(ctx context.Context, responseID string, before, unansweredBefore time.Time) (abandoned bool, err error) {
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		if abandoned, err = tx.AbandonResponse(ctx, responseID, before, unansweredBefore); err != nil || !abandoned {
			return err
		}
		if err := tx.ReleasePlaces(ctx, responseID); err != nil {
			return err
		}
		if err := tx.ReleaseHold(ctx, responseID); err != nil && !errors.Is(err, wallet.ErrNoHold) {
			return err
		}
		return webhooks.EmitAbandoned(ctx, tx, responseID)
	})
	return abandoned, err
}
