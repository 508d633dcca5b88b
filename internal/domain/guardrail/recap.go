package guardrail

import (
	"regexp"
	"slices"
	"strings"
)

// speaks finds the moderator speaking of itself or of those behind it.
func (g *Guard) speaks(terms []term) []Violation {
	asks := slices.ContainsFunc(terms, func(t term) bool { return t.ask })
	if len(terms) <= 3 {
		return nil // "I see"
	}
	for i, t := range terms {
		if !t.classes.has(selfClass) {
			continue
		}
		if inclusive(terms, i) {
			continue
		}
		near := terms[max(0, i-1):min(len(terms), i+5)]
		if !slices.ContainsFunc(near, func(o term) bool { return o.classes.has(tellClass) || asks && o.classes.has(knowClass) }) {
			return []Violation{violation(Claim, "“%s” speaks of the moderator; speak only of what the participant said.", t.text)}
		}
	}
	return nil
}

// inclusive reports whether the word for those who speak takes in the participant: "wenn wir das offenlassen", "comment en est-on arrivé là"; or for
// others: "on vous avait dit".
func inclusive(terms []term, at int) bool {
	switch terms[at].text {
	case "we", "wir":
		return at == 1 && terms[0].classes.has(functionClass) && slices.ContainsFunc(terms, func(t term) bool { return t.ask })
	case "on":
		return at > 0 && terms[at-1].text == "est" || at+1 < len(terms) && (terms[at+1].text == "vous" || terms[at+1].text == "t")
	}
	return false
}

// reveals finds names, code words and figures that stand only in the study's goal, its background, or what the author forbids.
func (g *Guard) reveals(text string, terms []term) []Violation {
	const detail = "“%s” stands only in what the participant must not learn."
	if g.vocabulary.dense() {
		folded := fold(text)
		for name := range g.ties.names {
			if strings.Contains(folded, name) {
				return []Violation{violation(Leak, detail, name)}
			}
		}
		return nil
	}
	for _, t := range terms {
		if g.ties.names[t.text] || t.content() && !g.isKnown(t) && g.ties.forbidden.holds(t.text, g.vocabulary.code) {
			return []Violation{violation(Leak, detail, t.text)}
		}
	}
	return nil
}

// Bounds of a recap.
const (
	shortSentence = 7  // terms of a sentence that merely acknowledges or points back
	shortEase     = 10 // of one that takes pressure from the participant: "take your time, small things matter too"
	shortRecap    = 10 // of a recap that may have a word of its own if it has one of the participant's
	longRecap     = 14 // of one that may have more
	ownPerNew     = 2  // words of the participant's for each new one of a recap
	generalRecap  = 3  // and for each general one
)

// recap judges a sentence that asks nothing: it has to be made of the participant's words, or to put them at ease.
func (g *Guard) recap(text string, terms []term) []Violation {
	if g.eases(terms) {
		return nil
	}
	m := g.measure(terms, false)
	if word := g.asserts(text, terms); word != "" && len(terms) > minRequest {
		return []Violation{violation(Claim, "“%s” makes a statement of its own; a recap may only use the participant's words.", word)}
	}
	fresh := append(m.fresh, m.near...)
	if len(fresh) > 0 && (m.tied >= generalRecap*len(fresh) || len(fresh) == 1 && (g.pointsBack(terms) || quotes(terms)) && len(terms) <= shortSentence) {
		lenient := g.measure(terms, true)
		fresh = append(lenient.fresh, lenient.near...)
	}
	switch {
	case len(terms) <= shortSentence && m.tied == 0 && (len(fresh) == 0 || len(fresh) <= newInThanks && thanks[terms[0].text]):
		return nil
	case len(fresh) > 0 && len(fresh) <= g.newInRecap(terms, m) && len(terms) <= longRecap:
	case len(fresh) > 0:
		return []Violation{violation(Claim, "It states what the participant did not say: %s. A recap may only use their words.", strings.Join(fresh, ", "))}
	case m.tied == 0 && len(terms) > minRequest:
		return []Violation{violation(Claim, "It states something that has nothing to do with what the participant said.")}
	}
	return nil
}

// eases reports whether a sentence only takes pressure from the participant: "no hurry", "whatever comes to mind is fine".
func (g *Guard) eases(terms []term) bool {
	if len(terms) > shortEase || !slices.ContainsFunc(terms, func(t term) bool { return t.classes.has(easeClass) }) {
		return false
	}
	return !slices.ContainsFunc(terms, func(t term) bool {
		return t.classes.has(guardedClasses) || t.classes.has(assertClass) && !t.classes.has(easeClass) || t.content() && !t.general && !t.classes.has(easeClass)
	})
}

// asserts returns a word by which a sentence states something about the world, about duties or about what will be, unless the participant
// used it.
func (g *Guard) asserts(text string, terms []term) string {
	for _, t := range terms {
		if t.classes.has(assertClass) && !g.ties.own.holds(t.text, g.vocabulary.code) {
			return t.text
		}
	}
	if shape := futures[g.vocabulary.code]; shape != nil {
		for _, word := range g.lexicon.wordsOf(text) {
			if shape.MatchString(word) && !g.ties.own.holds(fold(word), g.vocabulary.code) {
				return word
			}
		}
	}
	return ""
}

// futures match verbs of what will be, in the languages whose verbs show it.
var futures = map[string]*regexp.Regexp{
	"fr": regexp.MustCompile(`^\pL{2,}(?:er|ir|dr|rr|ur)(?:a|ai|as|ons|ez|ont)$`), "es": regexp.MustCompile(`^\pL{2,}r(?:á|án|ás|é|emos|éis)$`),
	"pt": regexp.MustCompile(`^\pL{2,}r(?:á|ão|ás|ei|emos)$`), "it": regexp.MustCompile(`^\pL{2,}r(?:à|anno|ò|emo|ete)$`), "ar": regexp.MustCompile(`^[وف]?س[يتنأ]\pL{2,}$`),
}

// newInRecap returns how many words of its own a recap may have.
func (g *Guard) newInRecap(terms []term, m measured) int {
	limit := m.own / ownPerNew
	if m.own > 0 && len(terms) <= shortRecap {
		limit = max(limit, 1)
	}
	return limit
}

func quotes(terms []term) bool {
	return slices.ContainsFunc(terms, func(t term) bool { return t.text == mark })
}

// thanks begin a sentence that merely thanks.
var thanks = set("thank thanks danke dank bedankt merci gracias grazie obrigado obrigada شكرا 谢谢 謝謝")
