package retention

import (
	"context"
	"strconv"
	"time"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// The bounds of the work: batchSize responses have one receipt, and one call of Sweep does maxBatches batches at most.
const (
	batchSize  = 50
	maxBatches = 20
)

// runEvery is the time between two complete runs of the rules of an organization.
const runEvery = time.Hour

// Sweep carries out the rules of all organizations, as far as one round of maintenance goes. It may run on several servers at once, and be
// interrupted: the next one goes on.
func (s *Service) Sweep(ctx context.Context) (err error) {
	defer operation.Wrap(&err, "retention.Sweep")
	all, err := s.Store.View().RetentionRules(ctx, "")
	if err != nil {
		return err
	}
	left, done := maxBatches, map[string]bool{}
	for _, rule := range all {
		if done[rule.OrgID] || s.Store.Now().Sub(rule.RanAt) < runEvery {
			continue
		}
		done[rule.OrgID] = true
		if _, err := s.run(ctx, rule.OrgID, &left); err != nil || left <= 0 {
			return err
		}
	}
	return nil
}

// Run carries out the rules of an organization completely, and returns what was deleted; org.ErrNotFound.
func (s *Service) Run(ctx context.Context, orgID string) (_ org.RetentionReceipt, err error) {
	defer operation.Wrap(&err, "retention.Run")
	if _, err := s.Store.View().Org(ctx, orgID); err != nil {
		return org.RetentionReceipt{}, err
	}
	unlimited := int(^uint(0) >> 1)
	return s.run(ctx, orgID, &unlimited)
}

// run does batches of work for an organization until nothing is left to delete or left is used up.
func (s *Service) run(ctx context.Context, orgID string, left *int) (sum org.RetentionReceipt, err error) {
	studies, err := s.Store.View().RetentionStudies(ctx, orgID)
	if err != nil {
		return sum, err
	}
	for _, st := range studies {
		for {
			if *left <= 0 {
				return sum, nil
			}
			receipt, more, err := s.batch(ctx, st)
			if err != nil {
				return sum, err
			}
			sum.Recordings += receipt.Recordings
			sum.Transcripts += receipt.Transcripts
			sum.Responses += receipt.Responses
			if !more {
				break
			}
			*left--
		}
	}
	return sum, s.Store.Write(ctx, func(tx *store.Tx) error { return tx.NoteRetentionRun(ctx, orgID) })
}

// batch deletes some responses of a study, or the recordings of some, and reports whether it found any. The rule is read again for each batch,
// so that a hold or a change stops the work at once.
func (s *Service) batch(ctx context.Context, st study.Study) (receipt org.RetentionReceipt, more bool, err error) {
	view := s.Store.View()
	rules, err := rulesOf(ctx, view, st.OrgID)
	if err != nil {
		return receipt, false, err
	}
	rule, now := rules.of(st.ID), s.Store.Now()
	recordings, responses := rule.Cutoffs(now)
	if rule.EffectiveAt.IsZero() || rule.EffectiveAt.After(now) {
		return receipt, false, nil
	}
	receipt = org.RetentionReceipt{OrgID: st.OrgID, StudyID: st.ID}
	if !responses.IsZero() {
		due, err := view.DueResponses(ctx, st.ID, responses, batchSize)
		if err != nil {
			return receipt, false, err
		}
		if len(due) > 0 {
			receipt, err = s.deleteResponses(ctx, st, due, receipt)
			return receipt, true, err
		}
	}
	if recordings.IsZero() {
		return receipt, false, nil
	}
	due, err := view.DueRecordings(ctx, st.ID, recordings, rule.DropTranscripts, batchSize)
	if err != nil || len(due) == 0 {
		return receipt, false, err
	}
	receipt, err = s.deleteRecordings(ctx, st, due, rule.DropTranscripts, receipt)
	return receipt, true, err
}

// deleteResponses deletes responses as a person would, each with a receipt of its own.
func (s *Service) deleteResponses(ctx context.Context, st study.Study, due []store.DueResponse, receipt org.RetentionReceipt) (org.RetentionReceipt, error) {
	err := s.Store.Write(ctx, func(tx *store.Tx) (err error) {
		receipt.Responses = 0
		if err := stillDue(ctx, tx, st); err != nil {
			return err
		}
		for _, d := range due {
			deleted, err := s.Erasure.DeleteDue(ctx, tx, d.ID)
			if err != nil {
				return err
			}
			if deleted {
				receipt.Responses++
			}
		}
		receipt, err = note(ctx, tx, st, receipt)
		return err
	})
	return receipt, err
}

// deleteRecordings deletes the recordings of responses: first the objects, so that a run that is interrupted finds the rows again.
func (s *Service) deleteRecordings(ctx context.Context, st study.Study, due []store.DueResponse, transcripts bool, receipt org.RetentionReceipt) (org.RetentionReceipt, error) {
	for _, d := range due {
		folders, err := s.Store.View().RecordingFolders(ctx, d.ID)
		if err != nil {
			return receipt, err
		}
		for _, folder := range folders {
			if s.Objects == nil {
				break
			}
			if err := s.Objects.DeletePrefix(ctx, folder); err != nil {
				return receipt, err
			}
		}
	}
	err := s.Store.Write(ctx, func(tx *store.Tx) (err error) {
		receipt.Recordings, receipt.Transcripts = 0, 0
		for _, d := range due {
			recordings, dropped, err := tx.DropRecordings(ctx, d.ID, transcripts)
			if err != nil {
				return err
			}
			receipt.Recordings += recordings
			receipt.Transcripts += dropped
		}
		receipt, err = note(ctx, tx, st, receipt)
		return err
	})
	return receipt, err
}

// stillDue returns org.ErrHeld if a legal hold was set since the batch was begun.
func stillDue(ctx context.Context, tx *store.Tx, st study.Study) error {
	rules, err := rulesOf(ctx, &tx.View, st.OrgID)
	if err == nil && rules.of(st.ID).LegalHold {
		err = org.ErrHeld
	}
	return err
}

// note stores a receipt and an entry in the audit log, unless another server did the work.
func note(ctx context.Context, tx *store.Tx, st study.Study, receipt org.RetentionReceipt) (org.RetentionReceipt, error) {
	if receipt.Empty() {
		return receipt, nil
	}
	receipt, err := tx.AddRetentionReceipt(ctx, receipt)
	if err != nil {
		return receipt, err
	}
	detail := map[string]string{"receipt": receipt.ID}
	for name, n := range map[string]int{"recordings": receipt.Recordings, "transcripts": receipt.Transcripts, "responses": receipt.Responses} {
		if n > 0 {
			detail[name] = strconv.Itoa(n)
		}
	}
	return receipt, tx.Audit(ctx, org.AuditEntry{OrgID: st.OrgID, Action: org.AuditRetentionDeleted, Subject: st.LinkID, Detail: detail})
}
