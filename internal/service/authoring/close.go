package authoring

import (
	"context"
	"errors"

	"verbatim/internal/domain/outage"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/webhooks"
)

// Close closes a study: its link answers as an unknown one does, and interviews under way go on. CloseStudy is for
// researchers. study.ErrNotFound, study.ErrNotLaunched; closing again changes nothing.
func (s *Service) Close(ctx context.Context, of study.Study) (_ study.Study, err error) {
	defer operation.Wrap(&err, "authoring.Close")
	return s.setStatus(ctx, of, study.Closed)
}

// Pause lets a live study take no participants for a while: its link says so, and interviews under way go on. study.ErrNotFound,
// study.ErrNotLaunched, study.ErrClosed; pausing again changes nothing.
func (s *Service) Pause(ctx context.Context, of study.Study) (_ study.Study, err error) {
	defer operation.Wrap(&err, "authoring.Pause")
	return s.setStatus(ctx, of, study.Paused)
}

// Reopen lets a closed or paused study accept participants again; study.ErrNotFound, study.ErrNotLaunched.
func (s *Service) Reopen(ctx context.Context, of study.Study) (_ study.Study, err error) {
	defer operation.Wrap(&err, "authoring.Reopen")
	return s.setStatus(ctx, of, study.Live)
}

// setStatus changes the status of a study, and runs also in the transaction if it does.
func (s *Service) setStatus(ctx context.Context, of study.Study, to study.Status, also ...func(*store.Tx) error) (changed study.Study, err error) {
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		if changed, err = tx.Study(ctx, of.OrgID, of.ID); err != nil {
			return err
		}
		switch from := changed.Status; {
		case from == study.Draft:
			return study.ErrNotLaunched
		case from == to:
			return nil
		case from == study.Closed && to == study.Paused:
			return study.ErrClosed
		}
		if err := tx.SetStudyStatus(ctx, of.ID, changed.Status, to); err != nil {
			return err
		}
		if err := webhooks.EmitStudy(ctx, tx, changed, to); err != nil {
			return err
		}
		for _, do := range also {
			if err := do(tx); err != nil {
				return err
			}
		}
		changed, err = tx.Study(ctx, of.OrgID, of.ID)
		return err
	})
	if errors.Is(err, outage.ErrBusy) {
		err = study.ErrBusy
	}
	return changed, err
}
