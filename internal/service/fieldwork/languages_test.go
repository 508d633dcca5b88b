package fieldwork_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/translation"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/jobs"
)

// translate stores a German translation that puts a mark before every text of the study's guide, approved or not.
func (f *fixture) translate(g *guide.Guide, mark string, approved bool) {
	f.t.Helper()
	storetest.Write(f.t, f.Store, func(tx *store.Tx) error {
		translated := translation.New(g, f.study.ID, f.study.PublishedRevision, "de")
		if stored, err := tx.Translation(f.t.Context(), f.study.ID, translated.Revision, "de"); err == nil {
			translated.Version, translated.Shown = stored.Version, stored.Shown
		}
		for i := range translated.Entries {
			e := &translated.Entries[i]
			e.Text, e.State = mark+e.Source, translation.Edited
		}
		if approved {
			if err := translated.Approve(); err != nil {
				return err
			}
		}
		return tx.SaveTranslation(f.t.Context(), translated)
	})
}

// TestParticipantsReadTheirLanguage: participants see a translation once it is approved, also in interviews begun before; what
// is stored does not depend on it.
func TestParticipantsReadTheirLanguage(t *testing.T) {
	t.Parallel()
	g := small()
	f := setup(t, g, 9*wallet.Credit)
	f.TranslateAnswers = true
	landing := func() string {
		t.Helper()
		landing, err := f.Study(t.Context(), f.study.LinkID)
		if err == nil {
			landing, err = f.Localize(t.Context(), landing, "de")
		}
		if err != nil {
			t.Fatal(err)
		}
		return landing.TextLanguage + " " + landing.Guide.ParticipantTitle()
	}
	token, at, err := f.Start(t.Context(), f.study.LinkID, "", "de")
	if err != nil || at.Step.Words != "Do you eat apples?" || at.TextLanguage != "en" || landing() != "en Apples" {
		t.Fatalf("without a translation: %v, %q, %s, landing page %s", err, at.Step.Words, at.TextLanguage, landing())
	}
	f.translate(g, "§", false)
	if at, err = f.Current(t.Context(), token); err != nil || at.Step.Words != "Do you eat apples?" || landing() != "en Apples" {
		t.Errorf("before the approval: %v, %q, landing page %s", err, at.Step.Words, landing())
	}
	f.translate(g, "§", true)
	if at, err = f.Current(t.Context(), token); err != nil || at.Step.Words != "§Do you eat apples?" || at.TextLanguage != "de" || at.Step.Options[0].Text != "§Yes" || landing() != "de §Apples" {
		t.Errorf("approved: %v, %+v, landing page %s", err, at.Step, landing())
	}
	f.translate(g, "§§", false)
	if at, err = f.Current(t.Context(), token); err != nil || at.Step.Words != "§Do you eat apples?" {
		t.Errorf("with edits that are not approved: %v, %q", err, at.Step.Words)
	}
	f.translate(g, "§§", true)
	f.moderator.words = []string{"Warum?"}
	at = f.answer(token, at, yes)
	if at.Step.Words != "§§Why apples?" || at.Guide.ParticipantTitle() != "§§Apples" {
		t.Errorf("approved again: %q", at.Step.Words)
	}
	if at = f.answer(token, at, text("Süß.")); at.Step.Words != "Warum?" || at.Step.Item.Text != "§§Why apples?" {
		t.Errorf("the follow-up: %+v", at.Step)
	}
	if ask := f.moderator.asks[0]; ask.Item.Text != "§§Why apples?" || ask.Language != "de" || ask.Exchanges[0].Moderator != "§§Do you eat apples?" {
		t.Errorf("the moderator was told %+v", ask)
	}
	at = f.answer(token, at, text("Darum."))
	f.answer(token, at, red)

	var questions, answers []string
	for _, a := range f.item(at.Response).AnswersArray {
		questions, answers = append(questions, a.Question), append(answers, a.Answer)
	}
	if diff := cmp.Diff([]string{"Do you eat apples?", "Why apples?", "Which colour?"}, questions); diff != "" {
		t.Errorf("questions of the document (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Yes", "Süß.\n\nDarum.", "Red"}, answers); diff != "" {
		t.Errorf("answers of the document (-want +got):\n%s", diff)
	}
	claimed := f.jobs()[jobs.KindTranslate]
	if len(claimed) != 1 || claimed[0].Args != jobs.New(jobs.TranslateArgs{ResponseID: at.Response.ID}).Args || claimed[0].ResponseID != at.Response.ID {
		t.Errorf("jobs to translate: %+v", claimed)
	}
}

// TestTheSameInEveryLanguage: two participants with the same answers have the same log and documents, in any language.
func TestTheSameInEveryLanguage(t *testing.T) {
	t.Parallel()
	g := rich()
	g.Config.AvailableLanguages = []string{"de"}
	f := setup(t, g, 9*wallet.Credit)
	f.translate(g, "§", true)
	play := func(language string) ([]interview.Turn, response.Response) {
		token, at, err := f.Start(t.Context(), f.study.LinkID, "task=shop", language)
		if err != nil {
			t.Fatal(err)
		}
		for !at.Step.Ended() {
			if at.Step.Kind != interview.StepFollowUp && (at.Step.Words[:len("§")] == "§") != (language == "de") {
				t.Fatalf("in %s it says %q", language, at.Step.Words)
			}
			at = f.answer(token, at, anyAnswer(at.Step))
		}
		return f.turns(at.Response), at.Response
	}
	turns, r := play("de")
	plan := interview.NewPlan(g)
	state, err := plan.Replay(r.Seed, r.URLParams, turns)
	if err != nil || !state.Next().Ended() {
		t.Fatalf("the log of a translated interview does not replay in the study's own: %v", err)
	}
	var texts []string
	for _, a := range state.Answers() {
		texts = append(texts, a.Text)
	}
	var stored []string
	for _, a := range f.item(r).AnswersArray {
		stored = append(stored, a.Answer)
	}
	if diff := cmp.Diff(texts, stored); diff != "" {
		t.Errorf("documents (-replayed +stored):\n%s", diff)
	}
	play("en")
	f.balance()
}

// TestAnswersAreTranslatedWhereItIsDue: not in the study's own language, and not if TranslateAnswers is off.
func TestAnswersAreTranslatedWhereItIsDue(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		language string
		on       bool
		jobs     int
	}{{"en", true, 0}, {"de", false, 0}, {"de", true, 1}} {
		f := setup(t, small(), wallet.Credit)
		f.TranslateAnswers = tt.on
		token, at, err := f.Start(t.Context(), f.study.LinkID, "", tt.language)
		if err != nil {
			t.Fatal(err)
		}
		f.answer(token, at, no)
		if claimed := f.jobs()[jobs.KindTranslate]; len(claimed) != tt.jobs {
			t.Errorf("%s, on %t: %d jobs, want %d", tt.language, tt.on, len(claimed), tt.jobs)
		}
	}
}
