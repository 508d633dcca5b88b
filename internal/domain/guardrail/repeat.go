package guardrail

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// earlier is a text that was asked before: complete, without the participant's words, and only its question.
type earlier struct {
	name          string
	full, without groups
	question      groups // nil if it is short
}

const (
	sameQuestion  = 0.8 // share of common groups from which the questions of two probes with different beginnings are the same
	shortQuestion = 24  // characters of a question that many probes contain: "why is that"
)

func (g *Guard) earlier(words, name string) earlier {
	own := g.own(words)
	e := earlier{name: name, full: trigrams(words), without: trigrams(g.withoutReplies(own))}
	for _, s := range g.lexicon.sentences(own) {
		if plain := Plain(s.text); s.asks && utf8.RuneCountInString(plain) > shortQuestion {
			e.question = trigrams(plain)
		}
	}
	return e
}

// withoutReplies removes passages of two words and more that stand in the participant's last reply, quoted or not.
func (g *Guard) withoutReplies(own string) string {
	words := g.lexicon.wordsOf(own)
	reply := g.plain(g.in.Answer)
	var kept []string
	for i := 0; i < len(words); {
		n := 0
		for i+n < len(words) && strings.Contains(reply, " "+strings.Join(words[i:i+n+1], " ")+" ") {
			n++
		}
		if n < 2 {
			kept = append(kept, words[i])
			n = 1
		}
		i += n
	}
	return strings.Join(kept, " ")
}

// repeats finds a probe that was asked before, or nearly, and one that asks another question of the guide.
func (g *Guard) repeats(words string) []Violation {
	var violations []Violation
	e := g.earlier(words, "")
	if at := slices.IndexFunc(g.asked, e.repeats); at >= 0 {
		violations = append(violations, violation(Repeat, "It was asked already: “%s”.", clip(g.asked[at].name)))
	}
	for i, q := range g.others {
		if len(q) > 0 && (e.full.alike(q, tooAlike) || e.question != nil && e.question.alike(q, tooAlike)) {
			violations = append(violations, violation(Leak, "It asks another question of the guide: “%s”.", clip(g.in.Questions[i])))
			break
		}
	}
	return violations
}

func (e earlier) repeats(other earlier) bool {
	return e.full.alike(other.full, tooAlike) || len(e.without) > 0 && e.without.alike(other.without, tooAlike) ||
		e.question != nil && other.question != nil && e.question.alike(other.question, sameQuestion)
}

// clip shortens a text that is named in a detail.
func clip(text string) string {
	if runes := []rune(text); len(runes) > 80 {
		return strings.TrimRightFunc(string(runes[:80]), unicode.IsSpace) + "…"
	}
	return text
}
