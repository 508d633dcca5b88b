package usage_test

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"verbatim/internal/domain/usage"
)

func TestCost(t *testing.T) {
	t.Parallel()
	prices := usage.Prices{Prompt: 150_000, Completion: 600_000} // 0.15 and 0.60
	for _, tt := range []struct {
		prompt, completion int64
		want               usage.Amount
	}{
		{1_000_000, 1_000_000, usage.Amount{PromptTokens: 1_000_000, CompletionTokens: 1_000_000, MicroCost: 750_000}},
		{1, 0, usage.Amount{PromptTokens: 1, MicroCost: 1}}, // rounded up
		{0, 0, usage.Amount{}},
		{-5, 1 << 62, usage.Amount{CompletionTokens: usage.MaxTokens, MicroCost: 1288490189}},
	} {
		if got := prices.Cost(tt.prompt, tt.completion); got != tt.want {
			t.Errorf("%d and %d tokens: %+v, want %+v", tt.prompt, tt.completion, got, tt.want)
		}
	}
	if got := (usage.Prices{}).Cost(10, 20); got.MicroCost != 0 || got.Tokens() != 30 {
		t.Errorf("without prices: %+v", got)
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	everything := usage.Scope{OrgID: "o", StudyID: "s", ResponseID: "r"}
	limits := usage.Limits{Interview: usage.Ceiling{Tokens: 100}, Study: usage.Ceiling{MicroCost: 2_500_000}, Day: usage.Ceiling{Tokens: 10_000}}
	for _, tt := range []struct {
		name  string
		scope usage.Scope
		spent usage.Totals
		next  usage.Amount
		want  string // of the error; empty: none
	}{
		{"nothing yet", everything, usage.Totals{}, usage.Amount{PromptTokens: 60, CompletionTokens: 40}, ""},
		{"one too many", everything, usage.Totals{}, usage.Amount{PromptTokens: 60, CompletionTokens: 41}, "the interview would come to 101 tokens, of 100"},
		{"with what was spent", everything, usage.Totals{Interview: usage.Amount{PromptTokens: 50}}, usage.Amount{PromptTokens: 51}, "interview"},
		{"no interview", usage.Scope{StudyID: "s"}, usage.Totals{}, usage.Amount{PromptTokens: 101}, ""},
		{"cost", everything, usage.Totals{Study: usage.Amount{MicroCost: 2_000_000}}, usage.Amount{MicroCost: 500_001}, "the study would come to 2.500001, of 2.50"},
		{"cost, just so", everything, usage.Totals{Study: usage.Amount{MicroCost: 2_000_000}}, usage.Amount{MicroCost: 500_000}, ""},
		{"no study", usage.Scope{}, usage.Totals{}, usage.Amount{MicroCost: 3_000_000}, ""},
		{"the day is everybody's", usage.Scope{}, usage.Totals{Day: usage.Amount{CompletionTokens: 9_999}}, usage.Amount{PromptTokens: 2}, "day"},
	} {
		err := limits.Check(tt.scope, tt.spent, tt.next)
		if tt.want == "" && err != nil || tt.want != "" && (!errors.Is(err, usage.ErrCeiling) || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
	if (usage.Limits{}).Any() || !limits.Any() {
		t.Error("Any is wrong")
	}
}

func TestMoney(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]int64{"0": 0, "1": 1e6, "0.15": 150_000, "2.500001": 2_500_001, "12.": 12e6, "999999999": 999999999e6} {
		if got, err := usage.ParseMoney(s); got != want || err != nil {
			t.Errorf("%q: %d, %v; want %d", s, got, err, want)
		}
	}
	for _, s := range []string{"", ".5", "-1", "1,5", "0.1234567", "1e3", "1000000000", "+1", " 1", "1.-5"} {
		if got, err := usage.ParseMoney(s); err == nil {
			t.Errorf("%q is taken as %d", s, got)
		}
	}
	for micro, want := range map[int64]string{0: "0.00", 1: "0.000001", 150_000: "0.15", 1_000_000: "1.00", 2_500_000: "2.50", -1_250_000: "-1.25"} {
		if got := usage.Money(micro); got != want {
			t.Errorf("%d: %s, want %s", micro, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		micro := rapid.Int64Range(0, 999_999_999_999_999).Draw(t, "micro")
		if got, err := usage.ParseMoney(usage.Money(micro)); got != micro || err != nil {
			t.Errorf("%d is written %s and read %d, %v", micro, usage.Money(micro), got, err)
		}
	})
}

func TestParseCeiling(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]usage.Ceiling{
		"": {}, "tokens=200000": {Tokens: 200_000}, "cost=0.50": {MicroCost: 500_000}, "cost=2,tokens=7": {Tokens: 7, MicroCost: 2e6},
	} {
		if got, err := usage.ParseCeiling(s); got != want || err != nil {
			t.Errorf("%q: %+v, %v", s, got, err)
		}
	}
	for _, s := range []string{"200000", "tokens=", "tokens=0", "tokens=-1", "cost=0", "cost=x", "tokens=1,tokens=2", "tokens=1,", "euros=3"} {
		if got, err := usage.ParseCeiling(s); err == nil || got != (usage.Ceiling{}) {
			t.Errorf("%q is taken as %+v, %v", s, got, err)
		}
	}
}
