package analysis

import (
	"context"
	"errors"
	"fmt"

	"verbatim/internal/domain/response"
	"verbatim/internal/domain/textanalysis"
	"verbatim/internal/domain/usage"
	"verbatim/internal/domain/webhook"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/interviewlog"
	"verbatim/internal/service/jobs"
	"verbatim/internal/service/moderator"
	"verbatim/internal/service/webhooks"
)

// Analyst reads a finished interview and writes about it. It leaves CompletedAt zero.
type Analyst interface {
	Analyse(ctx context.Context, in textanalysis.Input) (response.Analysis, error)
}

// BuiltIn is the Analyst that needs no model.
type BuiltIn struct{}

// Analyse never fails.
func (BuiltIn) Analyse(_ context.Context, in textanalysis.Input) (response.Analysis, error) {
	return textanalysis.Analyse(in), nil
}

// Worker analyses one response per job.
type Worker struct {
	Store      *store.Store
	Interviews *interviewlog.Loader // nil: keeps no guides
	Analyst    Analyst              // of complete responses; those screened out are always analysed by BuiltIn
	Tries      int                  // attempts of a job before BuiltIn replaces an Analyst that fails; 0: 4

	answers keptAnswers
}

// Run analyses the response of a job of jobs.KindAnalyse. It is safe to run again. A response is left as it is if it was
// already analysed and nothing was transcribed since, if it was deleted, or if it has not ended. An Analyst that fails is asked
// again by the job's next attempts; on attempt number Tries BuiltIn writes instead, and the analysis records the failure.
func (w *Worker) Run(ctx context.Context, job store.Job) (err error) {
	defer operation.Wrap(&err, "analysis.Worker.Run")
	for {
		err := w.analyse(ctx, job)
		if !errors.Is(err, errTranscribed) {
			return err
		}
	}
}

// errTranscribed means that a recorded answer was transcribed while the analyst was reading.
var errTranscribed = errors.New("an answer was transcribed meanwhile")

func (w *Worker) analyse(ctx context.Context, job store.Job) error {
	view := w.Store.View()
	r, err := view.AnyResponse(ctx, jobs.DecodeAnalyse(job).ResponseID)
	if errors.Is(err, response.ErrNotFound) || err == nil && r.EndedAt.IsZero() {
		return nil
	}
	if err != nil {
		return err
	}
	done, err := view.Analysis(ctx, r.ID)
	if err != nil {
		return err
	}
	transcribed, err := view.TranscribedAt(ctx, r.ID)
	if err != nil || done != nil && !done.CompletedAt.Before(transcribed) {
		return err
	}
	iv, err := w.Interviews.Load(ctx, view, r)
	if err != nil {
		return fmt.Errorf("response %s: %w", r.ID, err)
	}
	in := inputOf(&iv)
	if err = w.findCopies(ctx, &in); err != nil {
		return fmt.Errorf("response %s: %w", r.ID, err)
	}
	written, err := w.write(ctx, in, job.Attempt)
	if err != nil {
		return fmt.Errorf("response %s: %w", r.ID, err)
	}
	return w.save(ctx, iv, written)
}

// write has the analyst write, or BuiltIn after the last attempt.
func (w *Worker) write(ctx context.Context, in textanalysis.Input, attempt int) (response.Analysis, error) {
	var analyst Analyst = BuiltIn{}
	if in.Response.Progress == response.Complete {
		analyst = w.Analyst
	}
	written, err := analyst.Analyse(ctx, in)
	tries := w.Tries
	if tries == 0 {
		tries = 4
	}
	if err == nil || ctx.Err() != nil || attempt < tries && !isFinal(err) {
		return written, err
	}
	written = textanalysis.Analyse(in)
	written.Fallback = err.Error()
	return written, nil
}

// isFinal reports whether another try cannot help: the interview is too long for the model, or has reached the ceiling of one
// interview.
func isFinal(err error) bool {
	full, ok := errors.AsType[*usage.CeilingError](err)
	return errors.Is(err, ErrTooLong) || ok && full.Of == "interview"
}

// Read replays an interview for its analyst. What is known from other responses (Copies, NearCopies, Earlier) stays empty.
func Read(ctx context.Context, view *store.View, r response.Response) (_ textanalysis.Input, err error) {
	defer operation.Wrap(&err, "analysis.Read")
	var loader interviewlog.Loader
	iv, err := loader.Load(ctx, view, r)
	if err != nil {
		return textanalysis.Input{}, err
	}
	return inputOf(&iv), nil
}

func inputOf(iv *interviewlog.Interview) textanalysis.Input {
	return textanalysis.Input{
		Guide: iv.Guide, Response: iv.Response, Answers: iv.State.Answers(), Exchanges: iv.State.Exchanges(),
		QuotaFull: iv.State.Next().QuotaFull != nil,
		Leaves:    func(sentence string) bool { return moderator.EndsInterview(iv.Response.Language, sentence) },
	}
}

// save commits the analysis with the documents that show it. It reads the response again in the transaction, because it may have
// been hidden or deleted while the analyst was reading.
func (w *Worker) save(ctx context.Context, iv interviewlog.Interview, written response.Analysis) error {
	for {
		err := w.saveOnce(ctx, iv, written)
		if !errors.Is(err, response.ErrMoved) {
			return err
		}
	}
}

// saveOnce is one try of save. It returns response.ErrMoved if the response changed while it was saved.
func (w *Worker) saveOnce(ctx context.Context, iv interviewlog.Interview, written response.Analysis) error {
	return w.Store.Write(ctx, func(tx *store.Tx) error {
		r, err := tx.AnyResponse(ctx, iv.Response.ID)
		if errors.Is(err, response.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		if !r.UpdatedAt.Equal(iv.Response.UpdatedAt) {
			return errTranscribed
		}
		now := iv
		now.Response = r
		if err := now.Lock(ctx, tx); err != nil {
			return err
		}
		if err := tx.SaveAnalysis(ctx, r.ID, written); err != nil {
			return err
		}
		if _, err = now.Save(ctx, tx, r.EndedAt, &written); err != nil {
			return err
		}
		return webhooks.Emit(ctx, tx, webhook.OfResponse(webhook.ResponseAnalyzed, r))
	})
}
