package erasure

import (
	"context"
	"errors"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// The bounds of one call of PurgeTrash: what is left is for the next one.
const (
	trashStudies   = 10
	trashResponses = 1000
	trashBatch     = 100 // responses of one transaction
)

// PurgeTrash deletes the studies that have been in the trash for study.TrashFor: their responses as Request deletes one, each with a receipt,
// and then what else there is of them. It returns how many studies are gone. It may run on several servers at once.
func (s *Service) PurgeTrash(ctx context.Context) (purged int, err error) {
	defer operation.Wrap(&err, "erasure.PurgeTrash")
	due, err := s.Store.View().StudiesToPurge(ctx, s.Store.Now().Add(-study.TrashFor), trashStudies)
	if err != nil {
		return 0, err
	}
	left := trashResponses
	for _, of := range due {
		for empty := false; !empty; {
			if left <= 0 {
				return purged, nil
			}
			batch, err := s.Store.View().LiveResponses(ctx, of.ID, trashBatch)
			if err != nil {
				return purged, err
			}
			if empty = len(batch) == 0; !empty {
				left -= len(batch)
				if err := s.deleteTrashed(ctx, of, batch); err != nil {
					return purged, err
				}
			}
		}
		if err := s.Store.Write(ctx, func(tx *store.Tx) error { return purgeStudy(ctx, tx, of) }); err != nil {
			return purged, err
		}
		purged++
	}
	return purged, nil
}

// deleteTrashed deletes responses of a study in the trash.
func (s *Service) deleteTrashed(ctx context.Context, of study.Study, responseIDs []string) error {
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		for _, id := range responseIDs {
			r, err := tx.AnyResponse(ctx, id)
			if err == nil {
				_, err = deleteFound(ctx, tx, r)
			}
			if err != nil && !errors.Is(err, response.ErrNotFound) && !errors.Is(err, response.ErrGone) { // another server was faster
				return err
			}
		}
		return nil
	})
}

func purgeStudy(ctx context.Context, tx *store.Tx, of study.Study) error {
	gone, err := tx.PurgeStudy(ctx, of.ID)
	if err != nil || !gone {
		return err
	}
	return tx.Audit(ctx, org.AuditEntry{OrgID: of.OrgID, Action: org.AuditStudyPurged, Subject: of.LinkID})
}
