package translator_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/translation"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/jobs"
)

// startResponse returns a response with a log of its own, in a language.
func (d *desk) startResponse(language string) response.Response {
	d.t.Helper()
	var r response.Response
	storetest.Write(d.t, d.sc.Store, func(tx *store.Tx) (err error) {
		if d.study.Status != study.Live {
			if err := tx.Publish(d.t.Context(), d.study, ""); err != nil {
				return err
			}
			if d.study, err = tx.Study(d.t.Context(), d.sc.Org.ID, d.study.ID); err != nil {
				return err
			}
		}
		if r, err = tx.StartResponse(d.t.Context(), response.Response{
			ID: store.NewID(), OrgID: d.study.OrgID, StudyID: d.study.ID, Revision: d.study.PublishedRevision, Seed: 7, Language: language,
			DisclosedAt: tx.Now(), ConsentedAt: tx.Now(),
		}, "hash"); err != nil {
			return err
		}
		for i, turn := range []interview.Turn{
			{StepID: "s0", Kind: interview.TurnAnswer, ItemID: "which", Answer: interview.Answer{Selected: []string{"a"}}},
			{StepID: "s1", Kind: interview.TurnAnswer, ItemID: "like", Answer: interview.Answer{Text: "Sie sind süß, und ich esse 2 am Tag."}},
			{StepID: "s2", Kind: interview.TurnProbe, ItemID: "like", Probe: "Was heißt süß für Sie?"},
			{StepID: "s3", Kind: interview.TurnReply, ItemID: "like", Answer: interview.Answer{Text: "Wie früher bei meiner Oma im Garten."}},
			{StepID: "s4", Kind: interview.TurnAnswer, ItemID: "more", Answer: interview.Answer{Text: "123"}},
			{StepID: "s5", Kind: interview.TurnAnswer, ItemID: "said"},
		} {
			turn.At = tx.Now()
			if err := tx.AppendTurn(d.t.Context(), r.ID, i, turn); err != nil {
				return err
			}
		}
		return nil
	})
	return r
}

func (d *desk) translateAnswers(r response.Response) map[string]string {
	d.t.Helper()
	if err := d.Run(d.t.Context(), jobs.New(jobs.TranslateArgs{ResponseID: r.ID})); err != nil {
		d.t.Fatal(err)
	}
	all, err := d.Store.View().AnswerTranslations(d.t.Context(), r.ID)
	if err != nil {
		d.t.Fatal(err)
	}
	texts := map[string]string{}
	for step, a := range all {
		texts[step] = a.Text
	}
	return texts
}

// TestAnswersAreTranslated: every answer gets a translation, once, and the log does not change.
func TestAnswersAreTranslated(t *testing.T) {
	t.Parallel()
	d := setup(t, fruit(), nil)
	r := d.startResponse("de")
	want := map[string]string{
		"s1": "They are sweet, and I eat 2 a day.", "s2": "What does sweet mean to you?", "s3": "As it used to be in my grandmother's garden.",
	}
	if diff := cmp.Diff(want, d.translateAnswers(r)); diff != "" {
		t.Errorf("translations (-want +got):\n%s", diff)
	}
	sent := d.asked[0]
	if sent.From.Code != "de" || sent.To.Code != "en" || sent.Texts[0].BelongsTo != "What do you like about them?" || sent.Texts[1].Kind != "follow-up" || sent.Texts[2].BelongsTo != "Was heißt süß für Sie?" {
		t.Errorf("the model was sent %+v", sent)
	}
	turns, err := d.Store.View().Turns(t.Context(), r.ID)
	if err != nil || turns[1].Answer.Text != "Sie sind süß, und ich esse 2 am Tag." || turns[2].Probe != "Was heißt süß für Sie?" {
		t.Errorf("the log: %v, %+v", err, turns)
	}
	d.translateAnswers(r)
	if len(d.texts()) != 1 {
		t.Errorf("asked again: %q", d.texts())
	}
	storetest.Write(t, d.Store, func(tx *store.Tx) error {
		return tx.TranscribeTurn(t.Context(), r.ID, "s5", "Das habe ich nur gesagt.", tx.Now())
	})
	want["s5"] = "I only said that."
	if diff := cmp.Diff(want, d.translateAnswers(r)); diff != "" || d.texts()[1] != "Das habe ich nur gesagt." {
		t.Errorf("what was transcribed later, asked %q (-want +got):\n%s", d.texts(), diff)
	}
}

func TestAnswersInTheStudysLanguageAreLeft(t *testing.T) {
	t.Parallel()
	d := setup(t, fruit(), nil)
	for _, language := range []string{"en", "en-medical"} {
		if texts := d.translateAnswers(d.startResponse(language)); len(texts) > 0 || len(d.texts()) > 0 {
			t.Errorf("%s: %v, asked %q", language, texts, d.texts())
		}
	}
	d.Model = nil
	if texts := d.translateAnswers(d.startResponse("de")); len(texts) > 0 {
		t.Errorf("without a model: %v", texts)
	}
}

// TestWrongAnswerTranslationsAreMarked: no translation is better than a wrong one; the others stay.
func TestWrongAnswerTranslationsAreMarked(t *testing.T) {
	t.Parallel()
	const said = "Sie sind süß, und ich esse 2 am Tag."
	d := setup(t, fruit(), func(_ int, b briefing, answer map[string]pair) any {
		for _, text := range b.Texts {
			if text.Text == said {
				answer[text.ID] = pair{said, "They are sweet, and I eat 20 a day."}
			}
		}
		return nil
	})
	r := d.startResponse("de")
	if texts := d.translateAnswers(r); texts["s1"] != "" || texts["s3"] == "" {
		t.Errorf("translations: %v", texts)
	}
	all, err := d.Store.View().AnswerTranslations(t.Context(), r.ID)
	if err != nil || all["s1"].Violation == "" || all["s3"].Violation != "" || all["s3"].Model != "fake" {
		t.Errorf("%v: %+v", err, all)
	}
	asked := len(d.texts())
	if d.translateAnswers(r); asked != 2 || len(d.texts()) != asked {
		t.Errorf("asked %q", d.texts())
	}
}

// TestAnswersGoWithTheirResponse: a deletion removes the translations, too, even if it comes while the model writes.
func TestAnswersGoWithTheirResponse(t *testing.T) {
	t.Parallel()
	var during func()
	d := setup(t, fruit(), func(int, briefing, map[string]pair) any {
		if during != nil {
			during()
		}
		return nil
	})
	first, second := d.startResponse("de"), d.startResponse("de")
	erase := func(r response.Response) {
		storetest.Write(t, d.Store, func(tx *store.Tx) error {
			_, err := tx.CreateDeletion(t.Context(), r)
			return err
		})
	}
	d.translateAnswers(first)
	erase(first)
	during = func() { erase(second) }
	if texts := d.translateAnswers(second); len(texts) > 0 {
		t.Errorf("translated after the deletion: %v", texts)
	}
	during = nil
	if texts := d.translateAnswers(first); len(texts) > 0 {
		t.Errorf("left of a deleted response: %v", texts)
	}
	err := d.Store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.SaveAnswerTranslations(t.Context(), first.ID, []translation.Answer{{StepID: "s1", Text: "x"}})
	})
	if !errors.Is(err, response.ErrGone) {
		t.Errorf("stored for a deleted response: %v", err)
	}
	for _, r := range []response.Response{first, second} {
		storetest.Write(t, d.Store, func(tx *store.Tx) error { return tx.Purge(t.Context(), r.ID) })
	}
}

// TestLongBlocksAreCut: between texts, never within one.
func TestLongBlocksAreCut(t *testing.T) {
	t.Parallel()
	g := fruit()
	g.Blocks[0].Items = nil
	for i := range 40 {
		id := fmt.Sprintf("q%d", i)
		g.Blocks[0].Items = append(g.Blocks[0].Items, guide.Item{ID: id, Type: guide.OpenEnded, Text: "What do you like about it?"})
	}
	d := setup(t, g, nil)
	if _, err := d.Translate(t.Context(), d.study, 1, "de", false); err != nil {
		t.Fatal(err)
	}
	var sizes []int
	for _, b := range d.asked {
		sizes = append(sizes, len(b.Texts))
	}
	if diff := cmp.Diff([]int{2, 30, 10, 1, 1}, sizes); diff != "" {
		t.Errorf("texts in each request (-want +got):\n%s", diff)
	}
}
