package analysis

import (
	"context"
	"errors"
	"fmt"

	"verbatim/internal/domain/document"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/textanalysis"
	"verbatim/internal/domain/usage"
	"verbatim/internal/platform/store"
)

// Analyst reads a finished interview and writes about it. CompletedAt stays zero.
type Analyst interface {
	Analyse(ctx context.Context, in textanalysis.Input) (response.Analysis, error)
}

// BuiltIn is the analyst that needs no model.
type BuiltIn struct{}

// Analyse never fails.
func (BuiltIn) Analyse(_ context.Context, in textanalysis.Input) (response.Analysis, error) {
	return textanalysis.Analyse(in), nil
}

// Worker analyses responses, one a job.
type Worker struct {
	Store   *store.Store
	Analyst Analyst // of complete responses; those screened out are the built-in analyst's alone
	Tries   int     // runs of a job before the built-in analyst writes in the place of one that fails; 0: 4
}

// Run analyses the response whose id is the job's argument. It may run again at any time: a response that was analysed
// already and of which nothing was heard since, that was deleted, or that has not ended is left as it is. An analyst that
// fails is asked again by the job's next runs, of which the last of Tries has the built-in one write instead, and say so.
func (w *Worker) Run(ctx context.Context, job store.Job) error {
	for {
		err := w.analyse(ctx, job)
		if !errors.Is(err, errTranscribed) {
			return err
		}
	}
}

// errHeard means that an answer got the words of its recording while the analyst was reading.
var errTranscribed = errors.New("an answer was heard meanwhile")

func (w *Worker) analyse(ctx context.Context, job store.Job) error {
	view := w.Store.View()
	r, err := view.AnyResponse(ctx, job.Args)
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
	recognized, err := view.TranscribedAt(ctx, r.ID)
	if err != nil || done != nil && !done.CompletedAt.Before(recognized) {
		return err
	}
	in, err := Read(ctx, view, r)
	if err == nil {
		in.Copies, err = w.copies(ctx, in)
	}
	if err != nil {
		return fmt.Errorf("response %s: %w", r.ID, err)
	}
	written, err := w.write(ctx, in, job.Attempt)
	if err != nil {
		return fmt.Errorf("response %s: %w", r.ID, err)
	}
	return w.save(ctx, in, written)
}

// write has the analyst write, or in the end the built-in one.
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

// isFinal reports whether another try cannot help: the interview is too long for the model, or has used what one interview may.
func isFinal(err error) bool {
	full, ok := errors.AsType[*usage.CeilingError](err)
	return errors.Is(err, ErrTooLong) || ok && full.Of == "interview"
}

// copies keeps the fingerprints of the response's open answers and tells where they stand in earlier responses as well.
func (w *Worker) copies(ctx context.Context, in textanalysis.Input) (copies map[int]int, err error) {
	var prints []store.Fingerprint
	for _, row := range rowsOf(in) {
		if hash := textanalysis.FingerprintOf(row.Participant); row.Open && hash != "" {
			prints = append(prints, store.Fingerprint{Row: row.Row, Hash: hash})
		}
	}
	if len(prints) == 0 || in.Response.Progress != response.Complete {
		return nil, nil
	}
	err = w.Store.Write(ctx, func(tx *store.Tx) error {
		copies, err = tx.SaveFingerprints(ctx, in.Response, prints)
		return err
	})
	return copies, err
}

// Read replays an interview for its analyst. Copies stays empty.
func Read(ctx context.Context, view *store.View, r response.Response) (textanalysis.Input, error) {
	stored, err := view.StudyGuide(ctx, r.OrgID, r.StudyID, r.Revision)
	if err != nil {
		return textanalysis.Input{}, err
	}
	g, err := guide.Decode(stored, guide.Options{Stored: true})
	if err != nil {
		return textanalysis.Input{}, err
	}
	turns, err := view.Turns(ctx, r.ID)
	if err != nil {
		return textanalysis.Input{}, err
	}
	state, err := interview.NewPlan(g).Replay(r.Seed, r.URLParams, turns)
	if err != nil {
		return textanalysis.Input{}, err
	}
	return textanalysis.Input{Guide: g, Response: r, Answers: state.Answers(), Exchanges: state.Exchanges()}, nil
}

// save commits the analysis with the documents that show it. The response is read again inside: it may have been hidden
// or deleted while the analyst was reading.
func (w *Worker) save(ctx context.Context, in textanalysis.Input, written response.Analysis) error {
	for {
		err := w.saveOnce(ctx, in, written)
		if !errors.Is(err, response.ErrMoved) {
			return err
		}
	}
}

// saveOnce is save, but for response.ErrMoved when the response changed while it was saved.
func (w *Worker) saveOnce(ctx context.Context, in textanalysis.Input, written response.Analysis) error {
	return w.Store.Write(ctx, func(tx *store.Tx) error {
		r, err := tx.AnyResponse(ctx, in.Response.ID)
		if errors.Is(err, response.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		if !r.UpdatedAt.Equal(in.Response.UpdatedAt) {
			return errTranscribed
		}
		if err := tx.Unchanged(ctx, r); err != nil {
			return err
		}
		if err := tx.SaveAnalysis(ctx, r.ID, written); err != nil {
			return err
		}
		_, err = tx.SaveInterview(ctx, document.Source{
			Response: r, Guide: in.Guide, Answers: in.Answers, Exchanges: in.Exchanges, Analysis: &written,
		}, r.EndedAt)
		return err
	})
}
