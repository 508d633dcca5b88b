package exporting_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/uuid"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/guide/sample"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/exporting"
	"verbatim/internal/service/interviewlog"
)

// world is a live study with interviews.
type world struct {
	store    *store.Store
	study    study.Study
	compiled *interviewlog.CompiledGuide
	exports  *exporting.Service
	words    func(chance *rand.Rand) string // of answers to open questions
}

func sampleGuide(t testing.TB) *guide.Guide {
	t.Helper()
	g, err := guide.Decode(sample.Payload, guide.Options{NewID: uuid.NewString})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func newWorld(t testing.TB, s *store.Store, g *guide.Guide) *world {
	t.Helper()
	w := &world{store: s, exports: &exporting.Service{Store: s}, words: func(*rand.Rand) string { return "It is the smell." }}
	o := storetest.Org(t, s)
	storetest.Write(t, s, func(tx *store.Tx) error {
		st, err := tx.CreateStudy(t.Context(), study.Study{OrgID: o.ID, Title: "Coffee at home"}, guide.Encode(g))
		if err != nil {
			return err
		}
		if err := tx.Publish(t.Context(), st, ""); err != nil {
			return err
		}
		w.study, err = tx.Study(t.Context(), o.ID, st.ID)
		return err
	})
	w.compile(t)
	return w
}

func (w *world) compile(t testing.TB) {
	t.Helper()
	var err error
	if w.compiled, err = interviewlog.Compile(t.Context(), w.store.View(), w.study.OrgID, w.study.ID, w.study.PublishedRevision); err != nil {
		t.Fatal(err)
	}
}

// fill runs interviews with random answers. Every tenth participant leaves half-way.
func (w *world) fill(t testing.TB, n int) (all []response.Response) {
	t.Helper()
	const together = 100
	for begin := 0; begin < n; begin += together {
		var some []response.Response
		storetest.Write(t, w.store, func(tx *store.Tx) error {
			some = nil
			for i := begin; i < min(n, begin+together); i++ {
				r, err := w.interview(t, tx, i)
				if err != nil {
					return err
				}
				some = append(some, r)
			}
			return nil
		})
		all = append(all, some...)
	}
	return all
}

func (w *world) interview(t testing.TB, tx *store.Tx, i int) (response.Response, error) {
	ctx, chance := t.Context(), rand.New(rand.NewPCG(uint64(i), 5))
	r, err := tx.StartResponse(ctx, response.Response{
		ID: store.NewID(), OrgID: w.study.OrgID, StudyID: w.study.ID, Revision: w.study.PublishedRevision, Seed: uint64(i), Language: "en",
		URLParams: map[string]string{"source": []string{"mail", "=web()"}[i%2], "_preview": "1"}, DisclosedAt: tx.Now(), ConsentedAt: tx.Now(),
	}, fmt.Sprint("token ", w.study.ID, i))
	if err != nil {
		return r, err
	}
	iv := w.compiled.Begin(r)
	for seq := 0; !iv.State.Next().Ended() && (i%10 != 9 || seq < 8); seq++ {
		turn, err := iv.State.Apply(w.answer(iv.State.Next(), chance), tx.Now())
		if err != nil {
			return r, err
		}
		if err := tx.AppendTurn(ctx, r.ID, seq, turn); err != nil {
			return r, err
		}
	}
	if iv.Response, err = tx.AnyResponse(ctx, r.ID); err != nil {
		return r, err
	}
	switch iv.State.Next().Kind {
	case interview.StepScreenedOut:
		iv.Response.Progress, iv.Response.EndedAt = response.ScreenedOut, tx.Now()
	case interview.StepComplete:
		iv.Response.Progress, iv.Response.EndedAt = response.Complete, tx.Now()
	}
	_, err = iv.Save(ctx, tx, tx.Now(), nil)
	return iv.Response, err
}

// answer draws the input for a step.
func (w *world) answer(step interview.Step, chance *rand.Rand) interview.Input {
	var a interview.Answer
	ids := make([]string, len(step.Options))
	for i, o := range step.Options {
		ids[i] = o.ID
	}
	switch {
	case step.Kind == interview.StepProbe:
		if step.FollowUps == 0 {
			return interview.Probe{StepID: step.ID, Words: "Why is that?"}
		}
		return interview.Decline{StepID: step.ID}
	case step.Kind == interview.StepFollowUp:
		a.Text = "Because of my sister."
	case step.Kind == interview.StepStatement:
	case step.Item.Type == guide.OpenEnded:
		a.Text = w.words(chance)
	case step.Item.Type == guide.MultipleChoice:
		count := max(1, step.MinSelect)
		for _, at := range chance.Perm(len(ids))[:min(len(ids), 1+chance.IntN(2))] {
			if o := step.Options[at]; !o.Exclusive && o.Status != guide.Reject && (len(a.Selected) < count || step.Item.MultiSelect && len(a.Selected) < max(step.MaxSelect, count)) {
				a.Selected = append(a.Selected, o.ID)
			}
		}
		for at := 0; len(a.Selected) < count; at++ {
			if o := step.Options[at]; !o.Exclusive && o.Status != guide.Reject && !contains(a.Selected, o.ID) {
				a.Selected = append(a.Selected, o.ID)
			}
		}
		if step.Item.AllowCustomOption && chance.IntN(3) == 0 {
			a.Selected, a.CustomText = nil, "=cmd|' /C calc'!A0"
		}
	case step.Item.Type == guide.Ranking:
		chance.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		a.Ranking = ids
	case step.Item.Type == guide.Matrix:
		a.Cells = map[string]string{}
		for _, row := range step.Item.Rows {
			a.Cells[row.ID] = ids[chance.IntN(len(ids))]
		}
	case step.Item.Type == guide.MaxDiff:
		places := chance.Perm(len(ids))
		a.Best, a.Worst = ids[places[0]], ids[places[1]]
	}
	return interview.Submit{StepID: step.ID, Answer: a}
}

func contains(all []string, one string) bool {
	for _, each := range all {
		if each == one {
			return true
		}
	}
	return false
}

// write returns an export.
func (w *world) write(t testing.TB, o exporting.Options) ([]byte, exporting.Summary) {
	t.Helper()
	var b bytes.Buffer
	sum, err := w.exports.Write(t.Context(), w.study, o, &b)
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), sum
}
