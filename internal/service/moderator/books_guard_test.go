package moderator

import (
	"strings"
	"testing"

	"verbatim/internal/domain/guardrail"
)

// TestTheGuardPassesTheBooks holds that the guard has nothing against the built-in moderator's words.
func TestTheGuardPassesTheBooks(t *testing.T) {
	t.Parallel()
	for code, book := range books {
		for _, p := range book.probes {
			words := strings.ReplaceAll(p.text, quoteMark, book.open+"Alpha"+book.close)
			if violations := guardrail.Judge(words, guardrail.Context{Language: code, Question: "Beta", Answer: "Alpha", Left: 1}); len(violations) > 0 {
				t.Errorf("%s: %q: %v", code, words, violations)
			}
		}
	}
}
