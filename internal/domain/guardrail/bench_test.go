package guardrail_test

import (
	"testing"

	"verbatim/internal/domain/guardrail"
)

// BenchmarkJudgement prepares and judges the cases of the trials one after the other: the cost of one judgement with nothing prepared.
func BenchmarkJudgement(b *testing.B) {
	type judged struct {
		in   guardrail.Context
		text string
	}
	var all []judged
	for _, one := range trials(b) {
		for _, c := range one.cases {
			all = append(all, judged{one.context(c), c.Text})
		}
	}
	for i := 0; b.Loop(); i++ {
		c := all[i%len(all)]
		guardrail.Judge(c.text, c.in)
	}
}
