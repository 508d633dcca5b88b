package main

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"verbatim/internal/platform/llm/llmtest"
	"verbatim/internal/platform/store"
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
	previewIsWhatWasSent(t, server.Asked(), link, place)
}

// previewIsWhatWasSent checks that the preview of each response shows exactly the requests that were made about its follow-ups.
func previewIsWhatWasSent(t *testing.T, asked []llmtest.Asked, link string, place []string) {
	t.Helper()
	sent := map[string]bool{}
	for _, a := range asked {
		sent[a.Last()] = true
	}
	s := storetest.Open(t, place[3], store.Options{})
	st, err := s.View().PublicStudy(t.Context(), link)
	if err != nil {
		t.Fatal(err)
	}
	ids, err := s.View().ResponseIDs(t.Context(), st.ID)
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]int{}
	for _, id := range ids {
		out, _ := command(t, 0, append([]string{"llm", "preview", id, "--json"}, place...)...)
		var requests []struct {
			Purpose, System string
			Messages        []struct{ Role, Text string }
		}
		if err := json.Unmarshal([]byte(out), &requests); err != nil {
			t.Fatalf("%v in %s", err, out)
		}
		for _, q := range requests {
			shown[q.Purpose]++
			if q.System == "" || len(q.Messages) != 1 || q.Purpose == "moderation" && !sent[q.Messages[0].Text] {
				t.Errorf("the preview shows what was not sent: %+v", q)
			}
		}
	}
	if shown["moderation"] < 5 || shown["analysis"] < 5 || shown["report"] < 5 {
		t.Errorf("the previews show %v", shown)
	}
	printed, _ := command(t, 0, append([]string{"llm", "preview", ids[0]}, place...)...)
	if !strings.Contains(printed, "none was sent") {
		t.Errorf("the preview prints %s", printed)
	}
	command(t, 1, append([]string{"llm", "preview", "00000000-0000-7000-8000-000000000000"}, place...)...)
}
