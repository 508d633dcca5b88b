package main

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"verbatim/internal/domain/usage"
	"verbatim/internal/platform/llm/llmtest"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// TestLLMCheck checks the result and the cost of each question for a suitable model.
func TestLLMCheck(t *testing.T) {
	t.Parallel()
	server := llmtest.New()
	out, _ := command(t, 0, "llm", "check", "--json", "--llm-url", server.Serve(t), "--llm-model", "fake", "--llm-price-prompt", "1000")
	var rows []struct {
		Check, State, Cost, Seconds, FirstToken, Note string
		Attempts, PromptTokens, CompletionTokens      int
	}
	if err := json.Unmarshal([]byte(out), &rows); err != nil {
		t.Fatal(err)
	}
	if len(rows) != 7 || len(server.Asked()) != 7 {
		t.Fatalf("%d lines, %d requests:\n%s", len(rows), len(server.Asked()), out)
	}
	for _, r := range rows {
		if r.State != "ok" || r.Note != "" || r.Attempts != 1 || r.PromptTokens == 0 || r.CompletionTokens == 0 || r.Cost == "0.00" || r.Seconds == "" || r.FirstToken == "" {
			t.Errorf("%+v", r)
		}
	}
	table, _ := command(t, 0, "llm", "check", "--llm-url", server.Serve(t), "--llm-model", "fake")
	if !strings.Contains(table, "FIRST TOKEN") || !strings.Contains(table, "stream, Japanese") {
		t.Errorf("the table:\n%s", table)
	}
}

// TestLLMCheckRefuses checks that an unsuitable model is reported with the reason.
func TestLLMCheckRefuses(t *testing.T) {
	t.Parallel()
	obeys := llmtest.By(map[string]func(llmtest.Asked) string{"trial": func(a llmtest.Asked) string {
		return llmtest.Fill(a, func(string) string {
			if strings.Contains(a.Last(), "4711") {
				return "BANANA 4711"
			}
			return "What happened, ありがとう, ماذا?"
		})
	}}, nil)
	for name, tt := range map[string]struct {
		model  llmtest.Behaviour
		reason string
		lines  int
	}{
		"it is not there":        {llmtest.Fails(http.StatusServiceUnavailable, "120"), "words: the model's service answers 503", 1},
		"it hangs":               {llmtest.Hangs, "words: no answer within 1s", 1},
		"it wants another key":   {llmtest.Fails(http.StatusUnauthorized, ""), "the key is missing, or not good", 1},
		"it writes prose":        {llmtest.Says("I would rather not."), "schema: the model's answer does not keep to the schema", 7},
		"it knows English alone": {llmtest.Gives(map[string]any{"probe": true, "kind": "clarifying", "question": "What?", "reason": ""}), "stream, Japanese: it does not ask in the interview's language", 7},
		"it asks nothing":        {llmtest.Gives(map[string]any{"probe": true, "kind": "clarifying", "question": " ", "reason": ""}), "stream, German: it asks nothing", 7},
		"it takes orders":        {obeys, "orders: it did what the participant ordered", 7},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, stderr := command(t, exitRefused, "llm", "check", "--llm-url", llmtest.New(tt.model).Serve(t), "--llm-model", "fake", "--within", "1s")
			if !strings.Contains(stderr, "fake at 127.0.0.1 is not suitable: ") || !strings.Contains(stderr, tt.reason) || strings.Count(out, "\n") != tt.lines+1 {
				t.Errorf("%s%s", out, stderr)
			}
		})
	}
}

// TestLLMSettings checks that invalid settings are refused.
func TestLLMSettings(t *testing.T) {
	t.Parallel()
	storetest.OnceOnSQLite(t, ownFolder)
	data := "--data=" + t.TempDir()
	for _, args := range [][]string{
		{"llm", "check"},
		{"llm", "check", "--llm-url", "http://127.0.0.1:1"},
		{"llm", "check", "--llm-url", "127.0.0.1:1", "--llm-model", "m"},
		{"llm", "check", "--llm-url", "http://127.0.0.1:1", "--llm-model", "m", "--within", "1ms"},
		{"llm", "check", "--llm-url", "http://127.0.0.1:1", "--llm-model", "m", "--llm-parallel=-1"},
		{"serve", data, "--listen", "127.0.0.1:0", "--llm-max-day", "many"},
		{"serve", data, "--listen", "127.0.0.1:0", "--llm-max-study", "cost=5"},
		{"serve", data, "--listen", "127.0.0.1:0", "--llm-price-prompt", "1,5"},
		{"llm", "usage", data, "--days", "0"},
	} {
		if _, stderr := command(t, exitUsage, args...); !strings.Contains(stderr, "--") {
			t.Errorf("%v: %s", args, stderr)
		}
	}
}

// TestLLMUsage checks that the use is printed by day and by study, and that an unknown study is refused.
func TestLLMUsage(t *testing.T) {
	t.Parallel()
	storetest.OnceOnSQLite(t, ownFolder)
	folder := t.TempDir()
	data := "--data=" + folder
	s := storetest.Open(t, "sqlite:"+filepath.Join(folder, "verbatim.db"), store.Options{Now: storetest.NewClock().Now})
	sc := storetest.NewScene(t, s)
	if out, _ := command(t, 0, "llm", "usage", data); !strings.Contains(out, "No language model has been used yet.") {
		t.Errorf("before: %s", out)
	}
	ledger := &store.UsageMeter{Store: s}
	if err := ledger.Settle(t.Context(), usage.Scope{OrgID: sc.Org.ID, StudyID: sc.Study.ID}, "", usage.Amount{PromptTokens: 70, CompletionTokens: 7, MicroCost: 1_250_000}); err != nil {
		t.Fatal(err)
	}
	out, _ := command(t, 0, "llm", "usage", data, "--json")
	if want := `[{"day":"2026-03-01","calls":1,"promptTokens":70,"completionTokens":7,"cost":"1.25"}]`; strings.TrimSpace(out) != want {
		t.Errorf("%s, want %s", out, want)
	}
	if got := object(t, "llm", "usage", "--study", sc.Study.LinkID, data); got["study"] != sc.Study.LinkID || got["cost"] != "1.25" || got["calls"] != 1.0 {
		t.Errorf("%v", got)
	}
	command(t, exitRefused, "llm", "usage", "--study", "nothing", data)
}

// TestDoctorAsksForTheModel checks that doctor reports an unavailable model as advice.
func TestDoctorAsksForTheModel(t *testing.T) {
	t.Parallel()
	storetest.OnceOnSQLite(t, ownFolder)
	data := "--data=" + t.TempDir()
	command(t, 0, "migrate", data)
	line := func(args ...string) string {
		out, _ := command(t, 0, append([]string{"doctor", data}, args...)...)
		for l := range strings.Lines(out) {
			if strings.HasPrefix(l, "model ") {
				return l
			}
		}
		t.Fatalf("doctor says nothing of a model:\n%s", out)
		return ""
	}
	good := []string{"--llm-url", llmtest.New().Serve(t), "--llm-model", "fake"}
	for want, args := range map[string][]string{
		"ok": nil, " ok ": good, "advice": {"--llm-url", "http://127.0.0.1:1", "--llm-model", "fake"}, "must be named": {"--llm-url", "http://127.0.0.1:1"},
		"is no ceiling": append([]string{"--llm-max-day", "many"}, good...),
	} {
		if got := line(args...); !strings.Contains(got, want) {
			t.Errorf("%v: %s", args, got)
		}
	}
}
