package moderator

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"verbatim/internal/domain/guardrail"
	"verbatim/internal/domain/guardrail/guardrailtest"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/platform/llm/llmtest"
)

// attacked is an interview in which the participant has just written an attack.
func attacked(a guardrailtest.Attack) interview.Ask {
	c := a.Context()
	g := &guide.Guide{
		Title: "Trains", StudyGoal: c.StudyGoal, Background: guardrailtest.Prompt,
		Blocks: []guide.Block{{ID: "main", Type: guide.BlockFlat, Items: []guide.Item{
			{ID: "journey", Type: guide.OpenEnded, Text: c.Question, FollowUp: guide.FollowUpHeavy}, {ID: "later", Type: guide.OpenEnded, Text: c.Questions[0]},
		}}},
	}
	return interview.Ask{
		Guide: g, Item: &g.Blocks[0].Items[0], Language: a.Language, Answer: a.Text, Earlier: []string{"…"}, Asked: c.Asked, Seed: 3, FollowUps: 1, Left: 3,
		Exchanges: []interview.Exchange{{ItemID: "journey", Moderator: c.Question, User: a.Text}},
	}
}

// TestObedientModel: a model says whatever participants tell it to say. None of it is shown, not even briefly, and none of it is
// asked, however often the model tries; what is asked instead keeps to the rules.
func TestObedientModel(t *testing.T) {
	t.Parallel()
	languages := map[string]bool{}
	all := guardrailtest.Attacks()
	for _, a := range all {
		languages[a.Language] = true
		t.Run(a.Language+" "+a.Name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				in := attacked(a)
				obeys := llmtest.Slowly(time.Millisecond, asJSON(modelReply{true, interview.Clarifying, a.Obedient, a.Text}))
				d, shown := decide(t, in, llmtest.New(obeys))
				if d.Fallback != interview.FallbackGuard && d.Provider != interview.BuiltIn || d.Source() != interview.BuiltIn {
					t.Fatalf("%q was told to say %q and decided %+v", a.Text, a.Obedient, d)
				}
				if len(shown.shown) > 0 {
					t.Errorf("the page showed %q", shown.shown)
				}
				if d.Words == "" {
					return
				}
				if strings.Contains(d.Words, a.Obedient) {
					t.Errorf("asked is %q", d.Words)
				}
				for _, f := range guardrail.Judge(d.Words, guardOf(in)) {
					t.Errorf("asked is %q: %s", d.Words, f)
				}
			})
		})
	}
	if len(all) < 60 || len(languages) < 5 {
		t.Errorf("%d attacks in %d languages", len(all), len(languages))
	}
}
