package main

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"verbatim/internal/platform/llm/llmtest"
	"verbatim/internal/platform/store/storetest"
)

// followUpModel returns a model whose follow-ups quote the participant's words.
func followUpModel(t *testing.T) func(a llmtest.Asked) string {
	return func(a llmtest.Asked) string {
		var request struct {
			Researcher struct{ FollowUpsLeft int }
			Interview  struct {
				Before, ThisQuestion []struct{ Participant string }
			}
		}
		if err := json.Unmarshal([]byte(a.Messages[0].Text), &request); err != nil {
			t.Errorf("the model received %q: %v", a.Messages[0].Text, err)
			return ""
		}
		this := request.Interview.ThisQuestion
		words := strings.Fields(this[len(this)-1].Participant)
		quote := strings.Trim(strings.Join(words[:min(len(words), 4)], " "), ".,")
		ways := []string{"You said “{q}”. How did that begin?", "What do you do after “{q}”?", "When was “{q}” last the case?", "What did you notice about “{q}”?", "Where does “{q}” usually take place?"}
		way := ways[(len(request.Interview.Before)+request.Researcher.FollowUpsLeft)%len(ways)]
		answer, err := json.Marshal(map[string]any{
			"probe": request.Researcher.FollowUpsLeft > 1, "kind": "descriptive", "question": strings.ReplaceAll(way, "{q}", quote), "reason": "it is open",
		})
		if err != nil {
			t.Error(err)
		}
		return string(answer)
	}
}

// TestDemoWithAModel checks that the configured model asks, that the tour says so, and that the interviews match their logs.
func TestDemoWithAModel(t *testing.T) {
	t.Parallel()
	server := llmtest.New(llmtest.By(map[string]func(llmtest.Asked) string{"follow_up": followUpModel(t)}, nil))
	place := []string{"--data", filepath.Join(t.TempDir(), "demo"), "--database", storetest.Address(t)}
	with := func(args ...string) []string { return append(args, place...) }
	tour, _ := command(t, 0, with("demo", "--listen", "127.0.0.1:0", "--participants", "8", "--exit", "--llm-url", server.Serve(t), "--llm-model", "tiny")...)
	if !strings.Contains(tour, "tiny at 127.0.0.1") {
		t.Errorf("the tour does not say who moderates:\n%s", tour)
	}
	link := regexp.MustCompile(`/s/(\S+)`).FindStringSubmatch(tour)[1]
	if all := object(t, with("replay", "--study", link)...); all["responses"] != 8.0 || all["differing"] != 0.0 {
		t.Errorf("the replay says %v", all)
	}
	report := object(t, with("moderation", link)...)
	sources := report["sources"].(map[string]any)
	asked, _ := sources["tiny"].(float64)
	if asked < 5 || report["promptTokens"].(float64) < 1000 || report["repeats"] != 0.0 || report["secondsToFirstWords"].(map[string]any)["count"].(float64) < asked {
		t.Errorf("moderation report: %v", report)
	}
}
