package guardrail

import (
	"strings"
	"unicode/utf8"
)

// phrases finds what no probe may say, anywhere in it: evaluations, promises, and words that affect the interview itself.
func (g *Guard) phrases(all []sentence) []Violation {
	var violations []Violation
	l := g.lexicon
	for _, list := range []struct {
		kind     Kind
		patterns patterns
		detail   string
	}{
		{Praise, l.praise, "“%s” evaluates the participant or the answer; stay neutral."},
		{Promise, l.promise, "“%s” promises something or speaks of a reward or of secrecy; promise nothing."},
		{OffSubject, l.interview, "“%s” speaks of the interview's end or course, which is not the moderator's to decide."},
	} {
		for _, s := range all {
			if words, found := g.found(list.patterns, s); found {
				violations = append(violations, violation(list.kind, list.detail, words))
				break
			}
		}
	}
	return violations
}

// found returns the words of the first match that is the moderator's own: neither words of the researcher's texts, nor the
// participant's words after "you said".
func (g *Guard) found(all patterns, s sentence) (string, bool) {
	for at := range s.tokens {
		for end := range all.at(s.tokens, at) {
			if !g.recalls(s.tokens[at:end], s.tokens[:at]) {
				return show(s.tokens[at:end]), true
			}
		}
	}
	return "", false
}

// recalls reports whether all significant words of a match stand in the guide's texts, or in the replies if the words before the
// match introduce them as quoted.
func (g *Guard) recalls(tokens, before []string) bool {
	var weight []string
	for _, w := range tokens {
		if isWord(w) && !isDense(w) && !g.lexicon.stop[w] && !g.lexicon.neutral[w] {
			weight = append(weight, w)
		}
	}
	if isDense(tokens[0]) {
		weight = []string{show(tokens)}
	}
	if len(weight) == 0 {
		return false
	}
	if holdsAll(g.guide, weight) {
		return true
	}
	_, introduced := find(g.lexicon.introduction, before)
	return introduced && holdsAll(g.known, weight)
}

func holdsAll(plain string, words []string) bool {
	for _, w := range words {
		if isDense(w) && !strings.Contains(plain, w) || !isDense(w) && !strings.Contains(plain, " "+w+" ") {
			return false
		}
	}
	return true
}

// leading finds words that suggest an answer: patterns that expect agreement, assumptions, and evaluating words that neither the
// participant nor the researcher used.
func (g *Guard) leading(all []sentence) []Violation {
	for _, s := range all {
		words, found := g.found(g.lexicon.leading, s)
		if !found && s.asks {
			words, found = g.found(g.lexicon.tags, s)
			if !found && !g.open(s) {
				words, found = g.found(g.lexicon.declared, s)
			}
		}
		if !found && (s.asks || g.requests(s)) {
			words, found = g.loaded(s)
		}
		if found {
			return []Violation{violation(Leading, "“%s” suggests an answer; ask openly, in the participant's own words.", words)}
		}
	}
	return nil
}

// open reports whether a sentence has a question word.
func (g *Guard) open(s sentence) bool {
	for _, w := range s.tokens {
		if g.lexicon.questionWords[w] && !g.lexicon.settings[w] {
			return true
		}
	}
	return false
}

// loaded finds an evaluating word that is new to the conversation. If the conversation is not known, it finds none. Both ends of
// a scale, joined by "or", do not count as evaluating.
func (g *Guard) loaded(s sentence) (string, bool) {
	if g.in.Answer == "" {
		return "", false
	}
	if _, hedged := find(g.lexicon.hedges, s.tokens); hedged {
		return "", false
	}
	good, bad := g.first(g.lexicon.good, s.tokens), g.first(g.lexicon.bad, s.tokens)
	switch {
	case good < 0 && bad < 0:
		return "", false
	case good >= 0 && bad >= 0:
		for _, w := range s.tokens[min(good, bad):max(good, bad)] {
			if g.lexicon.ors[w] {
				return "", false
			}
		}
	}
	return s.tokens[max(good, bad)], true
}

// first returns the index of the first word of a list that nobody has used yet, or -1.
func (g *Guard) first(all patterns, tokens []string) int {
	for at, w := range tokens {
		for range all.at(tokens, at) {
			if !g.familiar(w) {
				return at
			}
		}
	}
	return -1
}

// familiar reports whether the participant or the researcher used a word, in this or another form.
func (g *Guard) familiar(word string) bool {
	if g.ties != nil && !isDense(word) && g.ties.known.holds(fold(word), g.lexicon.code) {
		return true
	}
	if isDense(word) {
		return strings.Contains(g.known, word)
	}
	if g.lexicon.inflected {
		for _, ending := range []string{"en", "er", "es", "em", "e"} {
			if stem, found := strings.CutSuffix(word, ending); found && len(stem) > 2 {
				word = stem
				break
			}
		}
	}
	if n := utf8.RuneCountInString(word); n > 4 {
		word = string([]rune(word)[:max(4, n-3)])
	}
	return strings.Contains(g.known, " "+word)
}
