package interviewlog_test

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"verbatim/internal/domain/document"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/interviewlog"
	"verbatim/internal/service/jobs"
)

// fixture is a response whose interview has not begun, and what loads it.
type fixture struct {
	storetest.Scene
	t      *testing.T
	id     string
	loader interviewlog.Loader
}

func setup(t *testing.T) *fixture {
	t.Helper()
	scene := storetest.NewScene(t, storetest.New(t))
	f := &fixture{Scene: scene, t: t, id: storetest.Response(t, scene.Store, scene.Study, nil).ID}
	storetest.Write(t, f.Store, func(tx *store.Tx) error {
		r, err := tx.LockResponse(t.Context(), f.id)
		if err != nil {
			return err
		}
		return tx.PutDocument(t.Context(), document.Source{Response: r})
	})
	return f
}

// load returns the interview as it is stored.
func (f *fixture) load() interviewlog.Interview {
	f.t.Helper()
	view := f.Store.View()
	r, err := view.AnyResponse(f.t.Context(), f.id)
	if err != nil {
		f.t.Fatal(err)
	}
	iv, err := f.loader.Load(f.t.Context(), view, r)
	if err != nil {
		f.t.Fatal(err)
	}
	return iv
}

// answer answers the only question of an interview and saves it.
func (f *fixture) answer(iv interviewlog.Interview, text string) error {
	return f.Store.Write(f.t.Context(), func(tx *store.Tx) error {
		next, err := iv.Replay(iv.Response, iv.Turns)
		if err != nil {
			return err
		}
		turn, err := next.State.Apply(interview.Submit{StepID: next.State.Next().ID, Answer: interview.Answer{Text: text}}, tx.Now())
		if err != nil {
			return err
		}
		if err := iv.Append(f.t.Context(), tx, turn); err != nil {
			return err
		}
		next.Response.Progress, next.Response.EndedAt = response.Complete, tx.Now()
		_, err = next.Save(f.t.Context(), tx, tx.Now(), nil)
		return err
	})
}

// TestSaved: what was saved is what is loaded, and the documents say the same.
func TestSaved(t *testing.T) {
	t.Parallel()
	f := setup(t)
	if err := f.answer(f.load(), "They are sweet."); err != nil {
		t.Fatal(err)
	}
	iv := f.load()
	if r := iv.Response; len(iv.Turns) != 1 || r.TurnCount != 1 || r.Progress != response.Complete || !iv.State.Next().Ended() {
		t.Errorf("%d turns, at %s, of the response %+v", len(iv.Turns), iv.State.Next().Kind, r)
	}
	stored, err := f.Store.View().ItemByResponse(t.Context(), f.Study.ID, f.id)
	if err != nil {
		t.Fatal(err)
	}
	src := iv.Source(nil)
	if !stored.UpdatedAt.Equal(iv.Response.UpdatedAt) || !bytes.Equal(stored.List, document.ListItem(src)) || !bytes.Equal(stored.Single, document.Single(src)) {
		t.Errorf("stored at %v: %s %s, the log says %s %s", stored.UpdatedAt, stored.List, stored.Single, document.ListItem(src), document.Single(src))
	}
}

// TestLock: an interview that changed after it was loaded is not saved.
func TestLock(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(f *fixture) error{
		"answered": func(f *fixture) error { return f.answer(f.load(), "First.") },
		"hidden": func(f *fixture) error {
			return f.Store.Write(f.t.Context(), func(tx *store.Tx) error { return tx.HideResponse(f.t.Context(), f.Org.ID, f.id, true) })
		},
		"transcribed": func(f *fixture) error {
			return f.Store.Write(f.t.Context(), func(tx *store.Tx) error {
				at, err := tx.NextUpdate(f.t.Context(), f.Study.ID)
				return errors.Join(err, tx.SaveProgress(f.t.Context(), response.Response{ID: f.id, Progress: response.InProgress, UpdatedAt: at}, at))
			})
		},
		"deleted": func(f *fixture) error {
			return f.Store.Write(f.t.Context(), func(tx *store.Tx) error {
				r, err := tx.LockResponse(f.t.Context(), f.id)
				if err == nil {
					_, err = tx.CreateDeletion(f.t.Context(), r)
				}
				return err
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			f.t = t
			iv := f.load()
			lock := func() error {
				return f.Store.Write(t.Context(), func(tx *store.Tx) error { return iv.Lock(t.Context(), tx) })
			}
			if err := lock(); err != nil {
				t.Errorf("before the change: %v", err)
			}
			if err := change(f); err != nil {
				t.Fatal(err)
			}
			if err := lock(); !errors.Is(err, response.ErrMoved) {
				t.Errorf("Lock = %v", err)
			}
			if err := f.answer(iv, "Second."); !errors.Is(err, response.ErrMoved) {
				t.Errorf("Append = %v", err)
			}
		})
	}
}

// TestCompiledOnce: a Loader compiles a revision once, a nil one each time.
func TestCompiledOnce(t *testing.T) {
	t.Parallel()
	f := setup(t)
	view := f.Store.View()
	compile := func(l *interviewlog.Loader) *interviewlog.CompiledGuide {
		t.Helper()
		c, err := l.CompiledGuide(t.Context(), view, f.Org.ID, f.Study.ID, f.Study.PublishedRevision)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	first := compile(&f.loader)
	if again := compile(&f.loader); again != first || f.load().CompiledGuide != first {
		t.Error("a Loader compiled a revision twice")
	}
	if fresh := compile(nil); fresh == compile(nil) || fresh.Guide.Title != "Apples" {
		t.Errorf("a nil Loader returned %+v", fresh)
	}
	if _, err := f.loader.CompiledGuide(t.Context(), view, f.Org.ID, f.Study.ID, 99); !errors.Is(err, study.ErrNotFound) {
		t.Errorf("an unknown revision: %v", err)
	}
}

// TestEnqueueTranslation: only what was said in another language is translated, and only when all of it was said.
func TestEnqueueTranslation(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		language string
		progress response.Progress
		want     int
	}{
		{"de", response.Complete, 1},
		{"de", response.ScreenedOut, 1},
		{"de", response.InProgress, 0},
		{guide.DefaultLanguage, response.Complete, 0},
	} {
		t.Run(tt.language+" "+string(tt.progress), func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			iv := f.load()
			iv.Response.Language, iv.Response.Progress = tt.language, tt.progress
			var claimed []store.Job
			storetest.Write(t, f.Store, func(tx *store.Tx) error { return iv.EnqueueTranslation(t.Context(), tx) })
			storetest.Write(t, f.Store, func(tx *store.Tx) (err error) {
				claimed, err = tx.ClaimJobs(t.Context(), store.Queue{Name: jobs.QueueOf(jobs.KindTranslate)}, 10, time.Minute)
				return err
			})
			if len(claimed) != tt.want || tt.want == 1 && (claimed[0].Args != jobs.New(jobs.TranslateArgs{ResponseID: f.id}).Args || claimed[0].ResponseID != f.id || claimed[0].OrgID != f.Org.ID) {
				t.Errorf("jobs: %+v", claimed)
			}
		})
	}
}
