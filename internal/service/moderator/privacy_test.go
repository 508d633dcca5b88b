package moderator

import (
	"strings"
	"testing"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/platform/llm"
	"verbatim/internal/platform/llm/llmtest"
)

// TestModelGetsNoDetails: details in the interview reach a model as placeholders, the same in each request, and its question comes back
// with what they stand for.
func TestModelGetsNoDetails(t *testing.T) {
	t.Parallel()
	server := llmtest.New(llmtest.Says(`{"probe": true, "kind": "descriptive", "question": "What happened with the [private 1] form?", "reason": "open"}`))
	in := private()
	decision := (&Model{LLM: server.Client(t, llm.Config{})}).Decide(t.Context(), in)
	asked := server.Asked()
	if len(asked) == 0 {
		t.Fatal("nothing was asked")
	}
	for _, detail := range []string{"Kowalski", "maria@example.org", "0171 2345678"} {
		if strings.Contains(asked[0].Last(), detail) {
			t.Errorf("%q leaves: %s", detail, asked[0].Last())
		}
	}
	if !strings.Contains(asked[0].Last(), "[mail 1]") || len(decision.Attempts) == 0 || decision.Attempts[0].Words != "What happened with the Kowalski form?" {
		t.Errorf("sent %s, got %+v", asked[0].Last(), decision)
	}
}

// private returns an Ask with details of a person.
func private() interview.Ask {
	in := checkout()
	in.Answer = "The Kowalski form was confusing, write to maria@example.org or 0171 2345678."
	in.Exchanges[2].User, in.Private = in.Answer, []string{"Kowalski"}
	return in
}

// TestModelGetsNoWithheldItems: an answer that the study withholds reaches no model, beside another question or under its own.
func TestModelGetsNoWithheldItems(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		use   guide.ModelUse
		asked int
	}{
		"another item": {guide.ModelUse{NeverSend: []string{"often"}}, 1},
		"this item":    {guide.ModelUse{NeverSend: []string{"paying"}}, 0},
		"all":          {guide.ModelUse{SendNothing: true}, 0},
	} {
		server := llmtest.New(llmtest.Says(`{"probe": false, "kind": "none", "question": "", "reason": "enough"}`))
		in := checkout()
		in.Guide.Config.Model = tt.use
		decision := (&Model{LLM: server.Client(t, llm.Config{})}).Decide(t.Context(), in)
		if got := server.Asked(); len(got) != tt.asked || tt.asked > 0 && strings.Contains(got[0].Last(), "Every week.") {
			t.Errorf("%s: asked %d times, want %d", name, len(got), tt.asked)
		}
		if tt.asked == 0 && (decision.Provider != interview.BuiltIn || decision.Fallback != "") {
			t.Errorf("%s: %+v", name, decision)
		}
	}
}
