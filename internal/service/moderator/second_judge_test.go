package moderator

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"verbatim/internal/domain/interview"
	"verbatim/internal/platform/llm"
	"verbatim/internal/platform/llm/llmtest"
)

// script answers requests for follow-ups and for reviews by the second judge, each from a list of its own.
func script(t *testing.T, followUps []modelReply, reviews ...llmtest.Behaviour) *llmtest.Server {
	t.Helper()
	return llmtest.New(func(w http.ResponseWriter, r *http.Request, a llmtest.Asked) {
		if a.Schema.Name == reviewShape.Name {
			reviews[0](w, r, a)
			if len(reviews) > 1 {
				reviews = reviews[1:]
			}
			return
		}
		llmtest.Gives(followUps[0])(w, r, a)
		if len(followUps) > 1 {
			followUps = followUps[1:]
		}
	})
}

// judgedDecision decides with a second judge.
func judgedDecision(t *testing.T, server *llmtest.Server) (interview.Decision, *page) {
	t.Helper()
	in, shown := checkout(), &page{}
	in.Words = shown.words
	m := &Model{LLM: server.Client(t, llm.Config{}), SecondJudge: true}
	return m.Decide(t.Context(), in), shown
}

// TestSecondJudge: what it refuses is not shown, and its reason goes into the next attempt; it can never allow more.
func TestSecondJudge(t *testing.T) {
	t.Parallel()
	other := modelReply{true, interview.Descriptive, "What happened after the card form was confusing?", "the course is open"}
	refuses := llmtest.Gives(review{true, "suggests", "takes for granted that something happened"})
	allows := llmtest.Gives(review{Rule: "none"})

	server := script(t, []modelReply{good, other}, refuses, allows)
	d, shown := judgedDecision(t, server)
	if d.Words != other.Question || d.Fallback != "" || len(d.Attempts) != 2 || len(shown.shown) != 1 || shown.last() != other.Question {
		t.Errorf("decided %+v, showed %q", d, shown.shown)
	}
	if found := d.Attempts[0].Violations; len(found) != 1 || found[0].Kind != SecondJudge || found[0].Detail != "suggests: takes for granted that something happened" {
		t.Errorf("the first attempt has the violations %+v", found)
	}
	asked := server.Asked()
	if len(asked) != 4 || !strings.Contains(asked[2].Last(), "takes for granted") {
		t.Fatalf("asked %d times: %+v", len(asked), asked)
	}
	var sent struct {
		briefing
		Proposed string `json:"proposed"`
	}
	if err := json.Unmarshal([]byte(asked[1].Last()), &sent); err != nil || sent.Proposed != good.Question || sent.Researcher.Question == "" || asked[1].System == asked[0].System {
		t.Errorf("the judge was sent %+v, %v", sent, err)
	}

	d, shown = judgedDecision(t, script(t, []modelReply{good}, refuses))
	if d.Fallback != interview.FallbackGuard || d.Words == good.Question || strings.Contains(strings.Join(shown.shown, " "), good.Question) {
		t.Errorf("refused twice: decided %+v, showed %q", d, shown.shown)
	}

	praising := modelReply{true, interview.Descriptive, "Great answer! What happened when you filled in the card form?", ""}
	server = script(t, []modelReply{praising}, allows)
	if d, _ = judgedDecision(t, server); d.Words == praising.Question || len(server.Asked()) != 2 {
		t.Errorf("after %d calls the guard's refusal became %q", len(server.Asked()), d.Words)
	}
}

// TestSecondJudgeFails: without a judgement the guard's stands.
func TestSecondJudgeFails(t *testing.T) {
	t.Parallel()
	for name, behaviour := range map[string]llmtest.Behaviour{
		"words":  llmtest.Says("I would not ask that."),
		"broken": llmtest.BreaksOff(`{"refused": true, "rule": "states", "reason": "it states"}`),
		"status": llmtest.Fails(http.StatusBadRequest, ""),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if d, shown := judgedDecision(t, script(t, []modelReply{good}, behaviour)); d.Words != good.Question || d.Fallback != "" || shown.last() != good.Question {
				t.Errorf("decided %+v, showed %q", d, shown.shown)
			}
		})
	}
}
