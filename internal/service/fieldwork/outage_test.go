package fieldwork_test

import (
	"encoding/json"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/llm"
	"verbatim/internal/platform/llm/llmtest"
	"verbatim/internal/service/moderator"
)

// appleModerator answers as a model that asks follow-ups about apples.
func appleModerator(w http.ResponseWriter, r *http.Request, a llmtest.Asked) {
	var told struct {
		Researcher struct{ FollowUpsLeft int }
	}
	if err := json.Unmarshal([]byte(a.Last()), &told); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	llmtest.Gives(map[string]any{"probe": true, "kind": interview.Idiographic, "reason": "an occasion is missing", "question": map[int]string{
		2: "What happened the last time you picked sour apples?", 1: "How do you tell that apples are crisp?",
	}[told.Researcher.FollowUpsLeft]})(w, r, a)
}

// TestOutage: the model fails in the middle of 200 interviews and comes back. All are finished, each follow-up is the model's
// or the built-in moderator's, and the log says which, and why.
func TestOutage(t *testing.T) {
	t.Parallel()
	const size = 200
	f := setup(t, small(), (size+1)*wallet.Credit)
	server := llmtest.New(appleModerator)
	f.Moderator = &moderator.Model{LLM: server.Client(t, llm.Config{Parallel: 16})}
	var started atomic.Int64
	var participants sync.WaitGroup
	finished := make(chan response.Response, size)
	for range 16 {
		participants.Go(func() {
			for n := started.Add(1); n <= size; n = started.Add(1) {
				switch n {
				case size / 3:
					server.Then(llmtest.Down)
				case 2 * size / 3:
					server.Then(appleModerator)
				}
				token, at, err := f.Start(t.Context(), f.study.LinkID, "", "")
				for answers := 0; err == nil && !at.Step.Ended(); answers++ {
					answer := text([]string{"They are crisp, and my family likes the sour ones.", "I stood at the market with my son.", "By the sound."}[answers%3])
					if at.Step.Item.Type == guide.MultipleChoice {
						answer = interview.Answer{Selected: []string{at.Step.Options[0].ID}}
					}
					at, err = f.Answer(t.Context(), token, at.Step.ID, answer)
				}
				if err != nil {
					t.Errorf("interview %d: %v", n, err)
					continue
				}
				finished <- at.Response
			}
		})
	}
	participants.Wait()
	close(finished)
	if len(finished) != size || f.completed() != size {
		t.Fatalf("%d interviews were finished, %d are counted as complete", len(finished), f.completed())
	}
	sources, fallbacks := map[string]int{}, map[string]int{}
	for r := range finished {
		decisions, err := f.Store.View().Decisions(t.Context(), r.ID)
		if err != nil {
			t.Fatal(err)
		}
		for seq, turn := range f.turns(r) {
			d, decided := decisions[seq]
			if moderators := turn.Kind == interview.TurnProbe || turn.Kind == interview.TurnDecline; decided != moderators || turn.Probe != d.Words {
				t.Errorf("turn %d is %+v, its decision %+v", seq, turn, d)
			}
			if turn.Kind == interview.TurnProbe {
				sources[turn.Provider]++
				fallbacks[d.Fallback]++
			}
		}
	}
	if sources["fake"] < size/3 || sources[interview.BuiltIn] == 0 || fallbacks[interview.FallbackUnavailable] != sources[interview.BuiltIn] || len(fallbacks) != 2 {
		t.Errorf("follow-ups by %v, because of %v: the outage hit nobody, or everybody", sources, fallbacks)
	}
}
