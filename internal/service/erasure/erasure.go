package erasure

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/jobs"
	"verbatim/internal/service/webhooks"
)

// ErrNotFailed means that a deletion cannot be retried because it did not fail.
var ErrNotFailed = errors.New("only a failed deletion can be retried")

// Service accepts deletion requests and reports their status.
type Service struct {
	Store *store.Store
}

// Request deletes a response of the caller's organization, identified by its own id and its study's. A repeated request returns
// the same deletion with its current status, also when the response is gone. study.ErrNotFound, response.ErrNotFound.
func (s *Service) Request(ctx context.Context, caller org.Caller, studyID, responseID string) (_ response.Deletion, err error) {
	defer operation.Wrap(&err, "erasure.Request")
	studyID, responseID = strings.ToLower(studyID), strings.ToLower(responseID)
	d, err := findDeletion(ctx, s.Store.View(), caller, studyID, responseID)
	if !errors.Is(err, response.ErrNoDeletion) {
		return d, err
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		if d, err = findDeletion(ctx, &tx.View, caller, studyID, responseID); !errors.Is(err, response.ErrNoDeletion) {
			return err
		}
		if d, err = createDeletion(ctx, tx, caller, studyID, responseID); err != nil {
			return err
		}
		st, err := tx.AnyStudy(ctx, studyID)
		if err != nil {
			return err
		}
		return tx.Audit(ctx, org.AuditEntry{OrgID: caller.OrgID, UserID: caller.UserID, Action: org.AuditDeleted, Subject: st.LinkID, Detail: map[string]string{"count": "1", "receipt": d.ID}})
	})
	if errors.Is(err, response.ErrNotFound) || errors.Is(err, response.ErrGone) {
		// Another request may have committed between the two lookups, if the transaction's isolation level shows it.
		if first, again := findDeletion(ctx, s.Store.View(), caller, studyID, responseID); !errors.Is(again, response.ErrNoDeletion) {
			return first, again
		}
		return response.Deletion{}, response.ErrNotFound
	}
	return d, err
}

// RequestAll deletes responses of a study of the caller's organization in one transaction, in the order of their ids, with an entry in the
// audit log; study.ErrNotFound, response.ErrNotFound, response.ErrGone. Either all are deleted or none.
func (s *Service) RequestAll(ctx context.Context, caller org.Caller, st study.Study, responseIDs []string, subject string) (all []response.Deletion, err error) {
	defer operation.Wrap(&err, "erasure.RequestAll")
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		all = nil
		for _, id := range responseIDs {
			d, err := createDeletion(ctx, tx, caller, st.ID, id)
			if err != nil {
				return err
			}
			all = append(all, d)
		}
		return tx.Audit(ctx, org.AuditEntry{OrgID: caller.OrgID, UserID: caller.UserID, Action: org.AuditDeleted, Subject: subject, Detail: map[string]string{"count": strconv.Itoa(len(all))}})
	})
	return all, err
}

// findDeletion returns the deletion requested earlier for the response; response.ErrNoDeletion.
func findDeletion(ctx context.Context, view *store.View, caller org.Caller, studyID, responseID string) (response.Deletion, error) {
	d, err := view.DeletionOf(ctx, caller.OrgID, responseID)
	if err == nil && d.StudyID != studyID {
		return response.Deletion{}, study.ErrNotFound
	}
	return d, err
}

func createDeletion(ctx context.Context, tx *store.Tx, caller org.Caller, studyID, responseID string) (response.Deletion, error) {
	if _, err := tx.Study(ctx, caller.OrgID, studyID); err != nil {
		return response.Deletion{}, err
	}
	r, err := tx.Response(ctx, caller.OrgID, responseID)
	if err != nil {
		return response.Deletion{}, err
	}
	if r.StudyID != studyID {
		return response.Deletion{}, response.ErrNotFound
	}
	return deleteFound(ctx, tx, r)
}

// deleteFound deletes a response that the caller may delete.
func deleteFound(ctx context.Context, tx *store.Tx, r response.Response) (response.Deletion, error) {
	before, err := webhooks.LookBeforeDeletion(ctx, tx, r)
	if err != nil {
		return response.Deletion{}, err
	}
	d, err := tx.CreateDeletion(ctx, r)
	if err != nil {
		return response.Deletion{}, err
	}
	if err := before.EmitDeleted(ctx, tx, r); err != nil {
		return response.Deletion{}, err
	}
	if err := tx.ReleaseHold(ctx, r.ID); err != nil && !errors.Is(err, wallet.ErrNoHold) {
		return response.Deletion{}, err
	}
	return d, jobs.Enqueue(ctx, tx, jobs.EraseArgs{DeletionID: d.ID})
}

// DeleteDue deletes a response whose time is over, in a transaction of the caller, as Request deletes one. deleted is false if it was deleted
// already.
func (s *Service) DeleteDue(ctx context.Context, tx *store.Tx, responseID string) (deleted bool, err error) {
	defer operation.Wrap(&err, "erasure.DeleteDue")
	r, err := tx.AnyResponse(ctx, responseID)
	if err == nil {
		_, err = deleteFound(ctx, tx, r)
	}
	if errors.Is(err, response.ErrNotFound) || errors.Is(err, response.ErrGone) {
		return false, nil
	}
	return err == nil, err
}

// Status returns a deletion of the caller's organization; response.ErrNoDeletion.
func (s *Service) Status(ctx context.Context, caller org.Caller, deletionID string) (_ response.Deletion, err error) {
	defer operation.Wrap(&err, "erasure.Status")
	return s.Store.View().Deletion(ctx, caller.OrgID, strings.ToLower(deletionID))
}

// List returns every deletion of the installation, newest first, for the operator.
func (s *Service) List(ctx context.Context) (_ []response.Deletion, err error) {
	defer operation.Wrap(&err, "erasure.List")
	return s.Store.View().Deletions(ctx)
}

// Retry enqueues a failed deletion again under its id, for the operator; response.ErrNoDeletion, ErrNotFailed.
func (s *Service) Retry(ctx context.Context, deletionID string) (d response.Deletion, err error) {
	defer operation.Wrap(&err, "erasure.Retry")
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		if d, err = tx.OperatorDeletion(ctx, deletionID); err != nil {
			return err
		}
		if d.Status != response.DeletionFailed {
			return fmt.Errorf("%w: this one is %s", ErrNotFailed, d.Status)
		}
		d.Status = response.DeletionQueued
		if err := tx.SetDeletion(ctx, d.ID, d.Status); err != nil {
			return err
		}
		return jobs.Enqueue(ctx, tx, jobs.EraseArgs{DeletionID: d.ID})
	})
	return d, err
}
