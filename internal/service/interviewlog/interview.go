package interviewlog

import (
	"context"
	"time"

	"verbatim/internal/domain/document"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/translation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/jobs"
)

// Interview is an interview that was rebuilt from its log, with the response as it was stored then.
type Interview struct {
	*CompiledGuide
	Response response.Response
	Turns    []interview.Turn
	State    *interview.State
}

// Source returns what the documents of the response are made from. analysis is nil until it is done.
func (iv *Interview) Source(analysis *response.Analysis) document.Source {
	return document.Source{
		Response: iv.Response, Guide: iv.Guide, Answers: iv.State.Answers(), Exchanges: iv.State.Exchanges(), Analysis: analysis,
	}
}

// Lock takes the optimistic lock of the interview: the stored response is the same as Response until the transaction ends.
// It returns response.ErrMoved if a turn was added, or if the response was updated, hidden, shown, abandoned or deleted since.
// On PostgreSQL it may return nil before that is known; then Write runs its function again.
func (iv *Interview) Lock(ctx context.Context, tx *store.Tx) error {
	return tx.Unchanged(ctx, iv.Response)
}

// Append takes the lock as Lock does, and appends turns to the stored log. It does not change iv.
func (iv *Interview) Append(ctx context.Context, tx *store.Tx, turns ...interview.Turn) error {
	return tx.AppendTurns(ctx, iv.Response, turns...)
}

// Save stores the progress in Response, and the documents, under the next update time of the study. updatedAt points to that
// time once the transaction has ended; that of Response is not read. The caller has taken the lock or has started the
// response. activeAt is the time of the participant's last action. response.ErrGone once the response is deleted.
func (iv *Interview) Save(ctx context.Context, tx *store.Tx, activeAt time.Time, analysis *response.Analysis) (updatedAt *time.Time, err error) {
	return tx.SaveInterview(ctx, iv.Source(analysis), activeAt)
}

// SaveDocuments stores the documents under the update time in Response, which the caller has stored. The caller has taken the
// lock. response.ErrGone once the response is deleted.
func (iv *Interview) SaveDocuments(ctx context.Context, tx *store.Tx, analysis *response.Analysis) error {
	return tx.PutDocument(ctx, iv.Source(analysis))
}

// EnqueueTranslation enqueues a job that translates the answers, if the interview has ended and was held in another language
// than the study's.
func (iv *Interview) EnqueueTranslation(ctx context.Context, tx *store.Tx) error {
	r := &iv.Response
	if r.Progress == response.InProgress || !translation.DifferentLanguage(r.Language, translation.From(iv.Guide)) {
		return nil
	}
	return jobs.Enqueue(ctx, tx, jobs.TranslateArgs{ResponseID: r.ID, OrgID: r.OrgID})
}
