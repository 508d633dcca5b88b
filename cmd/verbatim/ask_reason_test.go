package main

import (
	"fmt"
	"strings"
	"testing"

	"verbatim/internal/service/asking"
)

// TestReasonFitsTheCounts: an answer that counts a word of the question does not say that nobody speaks of it.
func TestReasonFitsTheCounts(t *testing.T) {
	t.Parallel()
	for responses, want := range map[int]string{0: "speaks of what the question", 3: "speaks of most of what the question"} {
		var b strings.Builder
		printAnswer(func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }, asking.Answer{
			Status: asking.Declined, Reason: asking.NoMatch, Words: []asking.Word{{Text: "olives", Responses: responses}, {Text: "volcanoes"}},
		})
		if !strings.Contains(b.String(), want) {
			t.Errorf("%d responses: %s", responses, b.String())
		}
	}
}
