package moderator

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/simulation"
)

// coffee holds open questions of the sample study.
var coffee = []string{
	"Please walk me through making your first coffee of the day, from entering the kitchen to the first sip.",
	"You use a capsule machine. What would have to change for you to give it up?",
	"You said that cleaning up leaves something to be desired. What happened the last time it annoyed you?",
	"What goes through your mind when you see this idea?",
	"What keeps you from it?",
	"Is there anything about your coffee that we should have asked and did not?",
}

// simulated serves the protocol with the questions above and follow-ups of the built-in moderator, and keeps the transcript.
type simulated struct {
	seed       uint64
	at, steps  int
	ask        interview.Ask
	transcript []string
}

func (s *simulated) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body struct{ Text string }
	_ = json.NewDecoder(r.Body).Decode(&body)
	step := map[string]any{"kind": "complete"}
	if strings.HasSuffix(r.URL.Path, "/answers") {
		s.steps++
		s.transcript = append(s.transcript, "- "+body.Text)
		s.ask.Answer = body.Text
		if d := (BuiltIn{}).Decide(context.Background(), s.ask); d.Words != "" {
			s.ask.Earlier, s.ask.Asked, s.ask.FollowUps = append(s.ask.Earlier, body.Text), append(s.ask.Asked, d.Words), s.ask.FollowUps+1
			step["kind"], step["moderator"] = "follow_up", d.Words
		} else {
			s.at++
		}
	}
	if s.at < len(coffee) {
		if step["kind"] == "complete" {
			item := &guide.Item{ID: fmt.Sprint("q", s.at), Type: guide.OpenEnded, Text: coffee[s.at], FollowUp: guide.FollowUpHeavy}
			s.ask.Item, s.ask.Earlier, s.ask.FollowUps = item, nil, 0
			step["kind"], step["moderator"] = "question", coffee[s.at]
		}
		step["question"] = map[string]any{"id": s.ask.Item.ID, "number": s.at + 3, "type": "open_ended", "text": coffee[s.at]}
		s.transcript = append(s.transcript, fmt.Sprint(step["moderator"]))
	}
	step["stepId"] = fmt.Sprint("s", s.steps)
	_ = json.NewEncoder(w).Encode(map[string]any{"token": "t", "step": step})
}

// TestSimulatedParticipants: the demo's participants reply to what was asked, and never say the same twice. -v prints their interviews.
func TestSimulatedParticipants(t *testing.T) {
	t.Parallel()
	for seed := range uint64(12) {
		s := &simulated{seed: seed, ask: interview.Ask{Language: "en", Seed: seed}}
		server := httptest.NewServer(s)
		p := simulation.New(seed)
		p.LeaveAfter = 0
		if _, err := p.Take(t.Context(), server.Client(), server.URL, "link", nil); err != nil {
			t.Fatal(err)
		}
		server.Close()
		t.Log("\n" + strings.Join(s.transcript, "\n"))
		said := map[string]bool{}
		for _, line := range s.transcript {
			if text, found := strings.CutPrefix(line, "- "); found {
				if said[text] || strings.ContainsAny(text, "{}") {
					t.Errorf("seed %d: %q is said twice, or has a gap", seed, text)
				}
				said[text] = true
			}
		}
	}
}
