package analysis_test

import (
	"context"
	"errors"
	"testing"

	"verbatim/internal/domain/document"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/textanalysis"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/analysis"
)

// analyst records its input, and writes, fails, or interferes in between.
type analyst struct {
	err  error
	do   func()
	read []textanalysis.Input
}

func (a *analyst) Analyse(_ context.Context, in textanalysis.Input) (response.Analysis, error) {
	a.read = append(a.read, in)
	if a.do != nil {
		a.do()
	}
	return response.Analysis{Summary: "They like apples.", Tagline: "Apples", Quality: response.Quality{Score: 4.5}, Provider: "fake"}, a.err
}

// finished returns a scene with a response that ended with this progress, after one answer.
func finished(t *testing.T, how response.Progress) (storetest.Scene, response.Response) {
	t.Helper()
	scene := storetest.NewScene(t, storetest.New(t))
	return scene, interviewed(t, scene, how, "They are sweet.")
}

// interviewed returns a response of the scene's study that ended with this progress, after this answer.
func interviewed(t *testing.T, scene storetest.Scene, how response.Progress, answer string) response.Response {
	t.Helper()
	r := storetest.Response(t, scene.Store, scene.Study, nil)
	g, err := guide.Decode(storetest.Guide(), guide.Options{Stored: true})
	if err != nil {
		t.Fatal(err)
	}
	state := interview.NewPlan(g).Begin(r.Seed, r.URLParams)
	storetest.Write(t, scene.Store, func(tx *store.Tx) error {
		turn, err := state.Apply(interview.Submit{StepID: state.Next().ID, Answer: interview.Answer{Text: answer}}, tx.Now())
		if err != nil {
			return err
		}
		if err := tx.AppendTurn(t.Context(), r.ID, 0, turn); err != nil {
			return err
		}
		if how != response.InProgress {
			r.Progress, r.EndedAt = how, tx.Now()
		}
		r.UpdatedAt = tx.Now()
		if err := tx.SaveProgress(t.Context(), r, tx.Now()); err != nil {
			return err
		}
		return tx.PutDocument(t.Context(), document.Source{Response: r, Guide: g, Answers: state.Answers(), Exchanges: state.Exchanges()})
	})
	return r
}

func run(t *testing.T, scene storetest.Scene, a analysis.Analyst, r response.Response) error {
	t.Helper()
	worker := analysis.Worker{Store: scene.Store, Analyst: a}
	return worker.Run(t.Context(), store.Job{Kind: "analyse", Args: r.ID, ResponseID: r.ID})
}

func item(t *testing.T, scene storetest.Scene, r response.Response) (store.Item, document.Item) {
	t.Helper()
	stored, err := scene.Store.View().ItemByResponse(t.Context(), scene.Study.ID, r.ID)
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := document.DecodeItem(stored.List)
	if err != nil {
		t.Fatal(err)
	}
	return stored, decoded
}

func TestAnalysisIsStoredAndShown(t *testing.T) {
	t.Parallel()
	scene, r := finished(t, response.Complete)
	a := &analyst{}
	if err := run(t, scene, a, r); err != nil {
		t.Fatal(err)
	}
	if in := a.read[0]; in.Guide.Title != "Apples" || in.Response.ID != r.ID || in.Answers[0].Text != "They are sweet." || len(in.Exchanges) != 1 {
		t.Errorf("the analyst read %+v", in)
	}
	stored, shown := item(t, scene, r)
	if summary, _ := shown.Summary(); !stored.Analysed || summary != "They like apples." || shown.QualityScore != 4.5 || shown.Tagline != "Apples" {
		t.Errorf("analysed %t, shown as %+v", stored.Analysed, shown)
	}
	kept, err := scene.Store.View().Analysis(t.Context(), r.ID)
	if err != nil || !kept.CompletedAt.Equal(stored.UpdatedAt) || !stored.UpdatedAt.After(r.UpdatedAt) {
		t.Errorf("completed %v, document updated %v, before that %v, %v", kept.CompletedAt, stored.UpdatedAt, r.UpdatedAt, err)
	}
	after, err := scene.Store.View().AnyResponse(t.Context(), r.ID)
	if err != nil || !after.UpdatedAt.Equal(stored.UpdatedAt) || after.Progress != response.Complete {
		t.Errorf("the response is %+v, %v", after, err)
	}

	// The process died before the end of the job was recorded: it runs again.
	if err := run(t, scene, a, r); err != nil || len(a.read) != 1 {
		t.Errorf("the second run asked the analyst again (%d), %v", len(a.read), err)
	}
	if again, _ := item(t, scene, r); !again.UpdatedAt.Equal(stored.UpdatedAt) {
		t.Error("the second run changed the document")
	}
}

func TestScreenedOutIsLeftToBuiltIn(t *testing.T) {
	t.Parallel()
	scene, r := finished(t, response.ScreenedOut)
	a := &analyst{}
	if err := run(t, scene, a, r); err != nil {
		t.Fatal(err)
	}
	kept, err := scene.Store.View().Analysis(t.Context(), r.ID)
	if err != nil || len(a.read) != 0 || kept.Provider != textanalysis.Provider {
		t.Errorf("written by %q, the other analyst was asked %d times, %v", kept.Provider, len(a.read), err)
	}
}

func TestNothingToAnalyse(t *testing.T) {
	t.Parallel()
	a := &analyst{}
	scene, running := finished(t, response.InProgress)
	if err := run(t, scene, a, running); err != nil {
		t.Errorf("a running interview: %v", err)
	}
	if err := run(t, scene, a, response.Response{ID: store.NewID()}); err != nil {
		t.Errorf("a response that never was: %v", err)
	}
	if len(a.read) != 0 {
		t.Error("the analyst was asked")
	}
}

func TestDeletedMeanwhile(t *testing.T) {
	t.Parallel()
	scene, r := finished(t, response.Complete)
	a := &analyst{do: func() {
		storetest.Write(t, scene.Store, func(tx *store.Tx) error {
			_, err := tx.CreateDeletion(t.Context(), r)
			return err
		})
	}}
	if err := run(t, scene, a, r); err != nil {
		t.Fatal(err)
	}
	if kept, err := scene.Store.View().Analysis(t.Context(), r.ID); kept != nil || err != nil {
		t.Errorf("an analysis of a deleted response is kept: %v, %v", kept, err)
	}
	if _, err := scene.Store.View().ItemByResponse(t.Context(), scene.Study.ID, r.ID); !errors.Is(err, response.ErrNotFound) {
		t.Errorf("its document is back: %v", err)
	}
}

func TestHiddenMeanwhileStaysHidden(t *testing.T) {
	t.Parallel()
	scene, r := finished(t, response.Complete)
	a := &analyst{do: func() {
		storetest.Write(t, scene.Store, func(tx *store.Tx) error { return tx.HideResponse(t.Context(), r.OrgID, r.ID, true) })
	}}
	if err := run(t, scene, a, r); err != nil {
		t.Fatal(err)
	}
	if stored, _ := item(t, scene, r); !stored.Hidden || !stored.Analysed {
		t.Errorf("hidden %t, analysed %t", stored.Hidden, stored.Analysed)
	}
}

func TestAnalystFails(t *testing.T) {
	t.Parallel()
	scene, r := finished(t, response.Complete)
	broken := errors.New("no answer")
	if err := run(t, scene, &analyst{err: broken}, r); !errors.Is(err, broken) {
		t.Fatalf("error is %v", err)
	}
	if stored, _ := item(t, scene, r); stored.Analysed {
		t.Error("a failed analysis is shown as done")
	}
	if err := run(t, scene, &analyst{}, r); err != nil {
		t.Errorf("the retry: %v", err)
	}
}

// Words of a recording that are transcribed while the analyst reads are included; words transcribed after the analysis are
// analysed later.
func TestTranscribedWords(t *testing.T) {
	t.Parallel()
	scene, r := finished(t, response.Complete)
	transcribe := func() {
		storetest.Write(t, scene.Store, func(tx *store.Tx) error {
			at, err := tx.NextUpdate(t.Context(), r.StudyID)
			return errors.Join(err, tx.TranscribeTurn(t.Context(), r.ID, "s0", "They are heard.", at))
		})
	}
	for name, a := range map[string]*analyst{"while the analyst reads": {}, "after the analysis": {}} {
		scene, r = finished(t, response.Complete)
		if name == "after the analysis" {
			if err := run(t, scene, a, r); err != nil {
				t.Fatal(err)
			}
			transcribe()
		} else {
			a.do = func() {
				a.do = nil
				transcribe()
			}
		}
		for range 2 {
			if err := run(t, scene, a, r); err != nil {
				t.Fatal(err)
			}
		}
		_, shown := item(t, scene, r)
		if len(a.read) != 2 || a.read[1].Answers[0].Text != "They are heard." || shown.AnswersArray[0].Answer != "They are heard." {
			t.Errorf("%s: read %d times, shown as %+v", name, len(a.read), shown)
		}
	}
}
