package moderator

import (
	"strings"
	"testing"

	"verbatim/internal/domain/guardrail"
)

// TestTheGuardAcceptsThePhrasebooks: the guard finds no violation in the built-in moderator's words.
func TestTheGuardAcceptsThePhrasebooks(t *testing.T) {
	t.Parallel()
	for code := range books {
		book := bookFor(code)
		for _, p := range book.all() {
			words := strings.ReplaceAll(p, quoteMark, book.open+"Alpha"+book.close)
			if violations := guardrail.Judge(words, guardrail.Context{Language: code, Question: "Beta", Answer: "Alpha", Left: 1}); len(violations) > 0 {
				t.Errorf("%s: %q: %v", code, words, violations)
			}
		}
	}
}

// all returns every probe of a phrasebook.
func (book *phrasebook) all() (all []string) {
	for _, probes := range book.probes {
		all = append(all, probes...)
	}
	return all
}

// TestEveryPhrasebook: each need can be asked for, in one question that no other begins like or resembles.
func TestEveryPhrasebook(t *testing.T) {
	t.Parallel()
	for code := range books {
		book := bookFor(code)
		for n, probes := range book.probes {
			if len(probes) == 0 || kinds[n] == "" {
				t.Errorf("%s: need %d has %d probes of kind %q", code, n, len(probes), kinds[n])
			}
		}
		all := book.all()
		for i, p := range all {
			if n := questions(p); n > 1 || strings.Count(p, quoteMark) > 1 {
				t.Errorf("%s: %q asks %d questions", code, p, n)
			}
			for _, before := range all[:i] {
				if guardrail.Alike(p, before) {
					t.Errorf("%s: %q and %q count as one question", code, p, before)
				}
			}
		}
	}
}

// TestEveryCueIsFound: every cue is found in a text that is nothing else.
func TestEveryCueIsFound(t *testing.T) {
	t.Parallel()
	for code := range books {
		book := bookFor(code)
		for c, list := range book.cues {
			for p := range strings.SplitSeq(list, "|") {
				if p = strings.Trim(p, "* \n\t"); p != "" && !book.has(book.fold(p), cue(c)) {
					t.Errorf("%s: cue %d %q is never found", code, c, p)
				}
			}
		}
	}
}
