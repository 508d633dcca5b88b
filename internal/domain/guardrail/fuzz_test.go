package guardrail_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/guardrail"
	"verbatim/internal/domain/guardrail/guardrailtest"
)

// FuzzJudge: for any words, no panic, the same violations again, and cleaned words are clean.
func FuzzJudge(f *testing.F) {
	for _, a := range guardrailtest.Attacks() {
		f.Add(a.Obedient, a.Text, a.Language)
		f.Add(a.Text, a.Obedient, a.Language)
	}
	f.Add("When you say “slow”, what do you mean? And then?", "It is slow.", "en")
	f.Add("「遅い」とは、どういうことですか。なぜですか。", "遅い", "ja")
	f.Fuzz(func(t *testing.T, words, answer, language string) {
		in := guardrail.Context{
			Language: language, Question: "What was your last train journey like?", Answer: answer, Earlier: []string{"It was late."},
			Asked: []string{"Could you tell me about the last time the train was late?"}, Questions: []string{"Where do you work?"}, Secrets: []string{guardrailtest.Prompt, answer}, Left: 1,
		}
		g := guardrail.For(in)
		violations := g.Judge(words)
		if diff := cmp.Diff(violations, guardrail.Judge(words, in)); diff != "" {
			t.Fatalf("judged twice: %s", diff)
		}
		clean := guardrail.Clean(words)
		if guardrail.Clean(clean) != clean {
			t.Fatalf("cleaned twice: %q, %q", clean, guardrail.Clean(clean))
		}
		for _, violation := range g.Judge(clean) {
			if violation.Kind == guardrail.Unclean && strings.Contains(violation.Detail, "U+") {
				t.Fatalf("%q is not clean: %v", clean, violation)
			}
		}
	})
}

// BenchmarkJudge judges one probe late in a long interview.
func BenchmarkJudge(b *testing.B) {
	in := long()
	g := guardrail.For(in)
	b.ReportAllocs()
	for b.Loop() {
		if violations := g.Judge(asked); len(violations) > 0 {
			b.Fatal(violations)
		}
	}
}

// BenchmarkFor prepares a Guard for that place, which is done once per follow-up.
func BenchmarkFor(b *testing.B) {
	in := long()
	b.ReportAllocs()
	for b.Loop() {
		guardrail.For(in)
	}
}

const asked = "Thank you. You mentioned that the menu hides the export. Could you walk me through what you did the last time you needed it?"

func long() guardrail.Context {
	in := guardrail.Context{
		Language: "en", Question: "How do you get your figures out of the system?", StudyTitle: "Reporting", Left: 1,
		Answer:  strings.Repeat("The menu hides the export and I needed it for my boss on Monday, so I called a colleague. ", 10),
		Secrets: []string{strings.Repeat(guardrailtest.Prompt+" ", 10)},
	}
	for _, words := range strings.Fields("morning report deadline colleague spreadsheet filter password printer screen meeting chart template comment archive calendar budget supplier invoice contract delivery") {
		in.Asked = append(in.Asked, "You spoke of the "+words+" earlier on. What did the "+words+" change about your "+words+" routine?")
		in.Questions = append(in.Questions, "Which "+words+" do you use, and since when?")
	}
	return in
}
