package guardrail

import (
	"slices"
	"strings"
)

// A follow-up is allowed for what it is: one question or request about what was asked and said, beside it at most a recap in the
// participant's words. structure refuses everything else. It judges only where the question and the answer are known, in the languages
// that have a vocabulary; Chinese only in simplified characters.

// ties holds the texts of a conversation that the words of a probe are compared with.
type ties struct {
	own          stock    // the participant's answers
	raised       stock    // these, and what the author permits
	guide, known stock    // what the researcher says to the participant; that, the answers, and what the author permits
	title        stock    // the study's subject
	hidden       stock    // the study's goal and background
	forbidden    stock    // what the author forbids to mention
	about        concepts // of all that the participant may know
	names        map[string]bool
	priors       []prior
}

// judgesStructure reports whether there is enough to judge by.
func (g *Guard) judgesStructure() bool {
	return g.vocabulary != nil && !g.lexicon.traditional && g.in.Question != "" && strings.TrimSpace(g.in.Answer) != ""
}

// tie prepares the texts of the conversation.
func (g *Guard) tie() *ties {
	allowed, forbidden := g.divided(g.in.Instructions)
	said := append([]string{g.in.Answer}, g.in.Earlier...)
	guide := []string{g.in.Question, g.in.ConceptTitle, g.in.StudyTitle}
	t := &ties{
		guide: g.stock(append(guide, g.in.Questions...)...), known: g.stock(slices.Concat(said, guide, g.in.Asked, []string{allowed})...),
		title: g.stock(g.in.StudyTitle), hidden: g.stock(g.in.StudyGoal, g.in.Background), forbidden: g.stock(forbidden), names: map[string]bool{},
	}
	for _, text := range []string{g.in.StudyGoal, g.in.Background, forbidden} {
		for _, name := range g.namesIn(text) {
			if !t.known.holds(name, g.vocabulary.code) {
				t.names[name] = true
			}
		}
	}
	t.own = g.stock(said...)
	t.raised = g.stock(append(said, allowed)...)
	t.about = t.known.about | t.guide.about
	t.priors = g.priors(t)
	return t
}

// structure finds what no follow-up may be.
func (g *Guard) structure(words string, all []sentence) (violations []Violation) {
	if !g.judgesStructure() {
		return nil
	}
	divided := make([][]term, len(all))
	var m measured
	for i, s := range all {
		divided[i] = g.terms(s)
		m.add(g.measure(divided[i], false))
	}
	for i, s := range all {
		terms := divided[i]
		if len(terms) == 0 {
			continue
		}
		violations = append(violations, g.speaks(terms)...)
		violations = append(violations, g.reveals(s.text, terms)...)
		if g.asking(s, terms) {
			if head := stated(terms); head != nil {
				violations = append(violations, g.recap(s.text, head)...)
			}
			violations = append(violations, g.question(terms, s.asks || g.vocabulary.dense(), m)...)
		} else {
			violations = append(violations, g.recap(s.text, terms)...)
		}
	}
	return append(violations, g.rephrases(words)...)
}

// stated returns what stands before a colon or semicolon and asks nothing itself: it is judged like a sentence of its own.
func stated(terms []term) []term {
	at := slices.IndexFunc(terms, func(t term) bool { return t.text == ":" })
	if at < 1 || at == len(terms)-1 || slices.ContainsFunc(terms[:at], func(t term) bool { return t.ask || tells(t) }) {
		return nil
	}
	return terms[:at]
}
