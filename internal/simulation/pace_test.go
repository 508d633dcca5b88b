package simulation_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"verbatim/internal/simulation"
)

// TestThinking: a participant who takes time takes as much as a person, sends how the answer was typed, and says the same as one who does
// not.
func TestThinking(t *testing.T) {
	t.Parallel()
	s := serve(t, openQuestion, choice)
	hasty, err := simulation.New(4).Take(t.Context(), s.Client(), s.URL, "link", nil)
	if err != nil || s.got[0]["telemetry"] != nil {
		t.Fatalf("sent %v, %v", s.got, err)
	}
	s = serve(t, openQuestion, choice)
	p, took := simulation.New(4), time.Duration(0)
	p.Think = func(_ context.Context, d time.Duration) error { took += d; return nil }
	calm, err := p.Take(t.Context(), s.Client(), s.URL, "link", nil)
	if err != nil {
		t.Fatal(err)
	}
	text := calm.Given[0].Body["text"].(string)
	typed, _ := s.got[0]["telemetry"].(map[string]any)
	if text != hasty.Given[0].Body["text"] || typed["typed"].(float64) < float64(len(text)) || typed["seconds"].(float64) > took.Seconds() {
		t.Errorf("%q instead of %q, typed %v in %s", text, hasty.Given[0].Body["text"], typed, took)
	}
	if least := time.Duration(len(text)) * time.Second / 8; took < least || took > 10*time.Minute {
		t.Errorf("%d characters took %s", len(text), took)
	}
}

// TestOwnWords: many people with few stories hardly ever use the same words.
func TestOwnWords(t *testing.T) {
	t.Parallel()
	said := map[string]int{}
	long := 0
	for seed := range uint64(60) {
		s := serve(t, openQuestion)
		p := simulation.New(seed)
		p.LeaveAfter = 0
		outcome, err := p.Take(t.Context(), s.Client(), s.URL, "link", nil)
		if err != nil {
			t.Fatal(err)
		}
		if text := outcome.Given[0].Body["text"].(string); len(strings.Fields(text)) >= 15 {
			long++
			said[text]++
		}
	}
	if long < 20 || len(said) < long*9/10 {
		t.Errorf("%d long answers, %d different", long, len(said))
	}
}
