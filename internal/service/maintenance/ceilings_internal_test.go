package maintenance

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"verbatim/internal/domain/usage"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// TestCeilingsAreLogged checks that each reached ceiling is logged once in its period, with its size, its end and the flag that raises it.
func TestCeilingsAreLogged(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	clock := storetest.NewClock()
	s := storetest.NewAt(t, clock)
	logged := &Ceilings{log: slog.New(slog.NewTextHandler(&out, nil)), now: clock.Now}
	ledger := WatchedLedger{&store.UsageMeter{Store: s, Limits: usage.Limits{
		Interview: usage.Ceiling{Tokens: 100}, Study: usage.Ceiling{Tokens: 150}, Day: usage.Ceiling{Tokens: 1000, MicroCost: 2_500_000},
	}}, logged}
	sc := storetest.NewScene(t, s)
	first, second := storetest.Response(t, s, sc.Study, nil), storetest.Response(t, s, sc.Study, nil)
	lines := func(scope usage.Scope, amount usage.Amount) string {
		t.Helper()
		out.Reset()
		for range 5 {
			if hold, err := ledger.Reserve(t.Context(), scope, amount); err != nil {
				continue
			} else if err := ledger.Settle(t.Context(), scope, hold, amount); err != nil {
				t.Fatal(err)
			}
		}
		return out.String()
	}
	for _, tt := range []struct {
		scope  usage.Scope
		amount usage.Amount
		want   []string
	}{
		{usage.Scope{StudyID: sc.Study.ID, ResponseID: first.ID}, usage.Amount{PromptTokens: 100}, []string{"ceiling=interview", first.ID, `size="100 tokens"`, "raise_with=--llm-max-interview", "ends=\"never"}},
		{usage.Scope{StudyID: sc.Study.ID, ResponseID: second.ID}, usage.Amount{PromptTokens: 60}, []string{"ceiling=study", sc.Study.ID, `size="150 tokens"`, "raise_with=--llm-max-study"}},
		{usage.Scope{}, usage.Amount{MicroCost: 2_500_001}, []string{"ceiling=day", "2026-03-01", "size=2.50", "raise_with=--llm-max-day", "ends=2026-03-02T00:00:00Z"}},
		{usage.Scope{}, usage.Amount{MicroCost: 2_500_001}, nil}, // logged already
		{usage.Scope{}, usage.Amount{PromptTokens: 1001}, []string{`size="1000 tokens"`}},
	} {
		got := lines(tt.scope, tt.amount)
		if count := strings.Count(got, "\n"); tt.want == nil && count != 0 || tt.want != nil && (count != 1 || !strings.Contains(got, "level=WARN")) {
			t.Errorf("%+v: %d lines:\n%s", tt.amount, count, got)
		}
		for _, part := range tt.want {
			if !strings.Contains(got, part) {
				t.Errorf("%+v: %q is not in %s", tt.amount, part, got)
			}
		}
	}
	clock.Advance(24 * time.Hour)
	if got := lines(usage.Scope{}, usage.Amount{MicroCost: 2_500_001}); !strings.Contains(got, "ends=2026-03-03T00:00:00Z") {
		t.Errorf("the next day: %s", got)
	}
	out.Reset()
	logged.Reached(usage.Scope{}, &usage.CeilingError{Of: "day", Unit: usage.UnitSpeech, Ceiling: (100 * time.Hour).Microseconds()})
	if got := out.String(); !strings.Contains(got, "raise_with=--speech-max-day") || !strings.Contains(got, `size="100h0m0s of speech"`) {
		t.Errorf("of speech: %s", got)
	}
}

// TestCeilingsOfInterviewsAreCounted checks that interviews that reach their ceilings are logged once an hour, with their number.
func TestCeilingsOfInterviewsAreCounted(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	clock := storetest.NewClock()
	logged := &Ceilings{log: slog.New(slog.NewTextHandler(&out, nil)), now: clock.Now}
	reach := func(unit string, from, to int) string {
		out.Reset()
		for i := from; i < to; i++ {
			for range 3 {
				logged.Reached(usage.Scope{ResponseID: fmt.Sprint(i)}, &usage.CeilingError{Of: "interview", Unit: unit, Ceiling: 100})
			}
		}
		return out.String()
	}
	if got := reach(usage.UnitTokens, 0, 12); strings.Count(got, "\n") != 1 || !strings.Contains(got, "of=0 ") || !strings.Contains(got, "interviews=1\n") {
		t.Errorf("twelve interviews:\n%s", got)
	}
	if got := reach(usage.UnitSpeech, 0, 12); strings.Count(got, "\n") != 1 || !strings.Contains(got, "--speech-max-interview") {
		t.Errorf("of speech:\n%s", got)
	}
	clock.Advance(interviewLogInterval)
	if got := reach(usage.UnitTokens, 12, 15); strings.Count(got, "\n") != 1 || !strings.Contains(got, "interviews=12\n") {
		t.Errorf("an hour later:\n%s", got)
	}
}
