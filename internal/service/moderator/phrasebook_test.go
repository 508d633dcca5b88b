package moderator

import (
	"strings"
	"testing"

	"verbatim/internal/domain/guardrail"
)

// TestTheGuardAcceptsThePhrasebooks: the guard finds no violation in the built-in moderator's words.
func TestTheGuardAcceptsThePhrasebooks(t *testing.T) {
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
