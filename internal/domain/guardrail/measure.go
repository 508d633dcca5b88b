package guardrail

import (
	"slices"
	"unicode"
)

// measured says how the terms of a sentence are tied to the conversation.
type measured struct {
	tied    int      // stand in it
	dated   int      // of these, name a time
	own     int      // stand in the participant's answers and name something
	near    []string // name something that somebody spoke of in other words
	fresh   []string // name something new
	foreign []string // name a subject that nobody spoke of
}

func (m *measured) add(other measured) {
	m.tied += other.tied
	m.own += other.own
	m.dated += other.dated
	m.near = append(m.near, other.near...)
}

func (g *Guard) isKnown(t term) bool {
	return t.text == mark || g.ties.known.holds(t.text, g.vocabulary.code)
}

// measure ties the terms of a sentence to the conversation. A new term that stands in the study's goal or background weighs double. A lenient
// measure takes words of conversation at large for known.
func (g *Guard) measure(terms []term, lenient bool) (m measured) {
	hidden := 0
	for _, t := range terms {
		if t.text == mark {
			m.tied++
			m.own++
			continue
		}
		if t.classes.has(functionClass) || t.ask {
			continue
		}
		known, runes := g.isKnown(t), []rune(t.text)
		foreign := !known && t.concepts&everyday != 0 && t.concepts&spokenOf == 0 && t.concepts&g.ties.about == 0 && !t.classes.has(tellClass) && len(runes) > 1
		if foreign && !slices.Contains(m.foreign, t.text) {
			m.foreign = append(m.foreign, t.text)
		}
		switch {
		case known:
			m.tied++
			if t.classes.has(timeClass | lastClass | usualClass | oftenClass) {
				m.dated++
			}
			if g.ties.own.holds(t.text, g.vocabulary.code) {
				m.own++
			}
		case t.concepts&subjects&g.ties.about != 0:
			m.near = append(m.near, t.text)
		case !t.content() || slices.Contains(m.fresh, t.text) || lenient && (t.general || t.concepts != 0 && !foreign):
		case g.vocabulary.dense() || len(runes) > 2 || unicode.IsDigit(runes[0]):
			m.fresh = append(m.fresh, t.text)
			if !g.vocabulary.dense() && g.ties.hidden.holds(t.text, g.vocabulary.code) {
				hidden++
			}
		}
	}
	if g.vocabulary.dense() {
		m.fresh = m.fresh[:(len(m.fresh)+1)/2]
		return m
	}
	m.fresh = append(m.fresh, m.fresh[:hidden]...)
	return m
}
