package translator_test

import (
	"testing"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/translation"
)

// TestWithheldAnswersAreNotTranslated: an answer that the study withholds is not sent, and neither are follow-ups about it.
func TestWithheldAnswersAreNotTranslated(t *testing.T) {
	t.Parallel()
	g := fruit()
	g.Config.Model = guide.ModelUse{NeverSend: []string{"like"}}
	d := setup(t, g, nil)
	if got := d.translateAnswers(d.startResponse("de")); len(got) != 0 || len(d.asked) != 0 {
		t.Errorf("translated %q, asked %+v", got, d.asked)
	}
}

// TestStudyThatSendsNothing: its guide is not sent either, and waits for a person's translation.
func TestStudyThatSendsNothing(t *testing.T) {
	t.Parallel()
	g := fruit()
	g.Config.Model = guide.ModelUse{SendNothing: true}
	d := setup(t, g, nil)
	translated, err := d.Translate(t.Context(), d.study, 1, "de", false)
	if err != nil || len(d.asked) != 0 || translated.Count()[translation.Untranslated] == 0 {
		t.Errorf("%v, asked %+v, %v", err, d.asked, translated.Count())
	}
}
