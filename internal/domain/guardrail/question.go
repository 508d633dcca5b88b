package guardrail

import (
	"slices"
	"strings"
)

// Bounds of the words in an open question or a request that stand neither in the conversation nor in the vocabulary of interviews. Of 710 good
// follow-ups of the trials 78 have one such word, and 2 have more.
const (
	newInQuestion = 1
	newInThanks   = 1  // in a short sentence that merely acknowledges
	ellipsis      = 10 // terms of a question without a verb: "and in quieter months"
)

// question judges a sentence that asks, in a follow-up that is tied to the conversation in some measure.
func (g *Guard) question(terms []term, marked bool, all measured) (violations []Violation) {
	m := g.measure(terms, true)
	fresh := m.fresh
	pointing := g.pointsBack(terms)
	elliptic := len(terms) <= ellipsis && joined[terms[0].text]
	open := elliptic || slices.ContainsFunc(terms, func(t term) bool { return t.ask })
	why := slices.ContainsFunc(terms, func(t term) bool { return t.ask && t.classes.has(reasonClass) })
	closed := !open && marked && !g.asksToTell(terms) && !neutral(terms, fresh)
	limit := newInQuestion
	if closed {
		limit = 0
	}
	tied := all.tied-all.dated+len(all.near) > 0 || pointing
	switch {
	case !tied && !elliptic && len(m.foreign) > 0:
		violations = append(violations, violation(OffSubject, "It asks about what nobody spoke of: %s.", strings.Join(m.foreign, ", ")))
	case len(fresh) > limit && (closed || why) && tied:
		violations = append(violations, violation(Leading, "It puts into the participant's mouth what they did not say: %s.", strings.Join(fresh, ", ")))
	case len(fresh) > limit:
		violations = append(violations, violation(OffSubject, "It asks about what nobody spoke of: %s.", strings.Join(fresh, ", ")))
	case len(fresh) > 0 && g.asksForNew(terms):
		violations = append(violations, violation(OffSubject, "It asks for something that nobody spoke of: %s.", strings.Join(fresh, ", ")))
	}
	if closed && m.tied > 0 {
		violations = append(violations, violation(Leading, "It can be answered with yes or no and suggests which; ask with what or how."))
	}
	if g.twoAsks(terms) {
		violations = append(violations, violation(SeveralQuestions, "It asks for two things; ask for one."))
	}
	violations = append(violations, g.suggests(terms)...)
	return append(violations, g.identifies(terms)...)
}

// joined begin a question that only names what else it is about.
var joined = set("and but und aber et mais y e ma mas en maar o e")

// neutral reports whether a question for yes or no suggests neither: whether something changed or differs, or one of two things that are both named.
func neutral(terms []term, fresh []string) bool {
	return len(fresh) <= newInQuestion && !slices.ContainsFunc(terms, func(t term) bool { return t.classes.has(guardedClasses) || denials[t.text] }) &&
		slices.ContainsFunc(terms, func(t term) bool {
			return (t.classes.has(changeClass|differClass|occasionClass) || t.concepts&changing != 0) && !t.classes.has(functionClass) || ors[t.text]
		})
}

var (
	changing = conceptNamed("change")

	ors     = set("or oder ou o oppure of ام او أم أو それとも 还是")
	denials = set("not never no nicht nie kein keine pas jamais nunca non mai nao niet nooit geen لا لم ليس 不 没 ない dont doesnt didnt isnt wasnt wont wouldnt havent hasnt")
)

// pointsBack reports whether a sentence has a word that stands for what was said: "that", "daran", "eso". "In this moment" points to no
// earlier one.
func (g *Guard) pointsBack(terms []term) bool {
	for i, t := range terms {
		if pointers[g.vocabulary.code][t.text] && (i+1 == len(terms) || !terms[i+1].classes.has(timeClass|occasionClass)) {
			return true
		}
	}
	return false
}

// pointers leaves out words that are articles or persons as well.
var pointers = map[string]map[string]bool{
	"en": set("that this those these it them"),
	"de": set("das dies dieser diese dieses diesem diesen daran darauf daraus dafur dagegen damit danach davon davor dazu dabei darin daruber darum dadurch drauf drin dran dem"),
	"fr": set("cela ca ceci cet cette ces ce celui celle ceux"),
	"es": set("eso esa ese esos esas esto estos estas aquello aquel aquella ello"),
	"it": set("cio questo questa questi queste quello quella quelli quelle quel quei quegli ne"),
	"pt": set("isso isto aquilo esse essa esses essas estes estas aquele aquela nisso nisto disso disto nesse nessa nesses nessas desse dessa naquela naquele"),
	"nl": set("dat dit deze daaraan daarbij daarvan daarover daarmee daarna daarvoor daarin daarop eraan erbij ervan erover ermee erna ervoor erin erop"),
	"ar": set("ذلك هذا هذه تلك هولاء عنه عنها فيه فيها منه منها به بها"),
	"zh": set("这 那 此 其 这个 那个 这些 那些 这样 那样 这里 那里 它"),
	"ja": set("それ その これ この あれ あの そこ そちら"),
}

// amounts may stand between "how" and what is asked for.
var amounts = set("much very sehr viel tres plus mas muy molto piu mais muito erg veel")

// whichWords ask for one of several things.
var whichWords = set("which welche welcher welches welchen welchem quel quels quelle quelles cual cuales quale quali qual quais welk")

// asksForNew reports whether the thing that is asked for is new to the conversation: "which car", "how much smoother".
func (g *Guard) asksForNew(terms []term) bool {
	for i, t := range terms[:len(terms)-1] {
		next, amount := terms[i+1], t.text == "how"
		if amounts[next.text] && i+2 < len(terms) {
			next, amount = terms[i+2], true
		}
		if t.ask && (amount || whichWords[t.text]) && next.content() && !g.isKnown(next) && next.concepts&g.ties.about == 0 {
			return true
		}
	}
	return false
}

// twoAsks reports whether a second question stands behind a comma. A clause that a word before it announces is none: "welche Rolle hat er
// dabei gespielt, wie es weiterging".
func (g *Guard) twoAsks(terms []term) bool {
	asked, comma := map[string]bool{}, len(terms)
	for i, t := range terms {
		switch {
		case t.text == "," || t.text == ":":
			if len(asked) > 0 {
				comma = i
			}
		case strings.HasPrefix(t.text, "da") && g.vocabulary.code == "de" && len(t.text) > 4:
			return false
		case t.ask && i > comma && (len(asked) > 0 && i <= comma+3 || g.vocabulary.dense() && asked[t.text]):
			return true
		case t.ask && !joiningAsks[t.text] && !relative(terms, i):
			asked[t.text] = true
		}
	}
	return false
}

// relative reports whether a question word joins a clause to what stands before it: "de tudo o que referiu", "and those who were there".
func relative(terms []term, at int) bool {
	switch terms[at].text {
	case "quem", "chi", "qui", "who", "wer", "wie", "quien":
		return at == 1 && terms[0].classes.has(functionClass) && !terms[0].ask
	case "مما":
		return true
	case "ما":
		return at > 0 && terms[at-1].text != ","
	}
	return slices.ContainsFunc(terms[max(0, at-2):at], func(t term) bool { return alls[t.text] })
}

var alls = set("tudo todo todos todas tutto tutti tout tous toutes alles allem all كل")

// joiningAsks are question words that also join clauses.
var joiningAsks = set("when where quand ou quando dove onde cuando donde wenn wann als wanneer waar wo come como wie متي اين")

// suggests finds feelings and degrees that the participant did not speak of.
func (g *Guard) suggests(terms []term) []Violation {
	for _, t := range terms {
		if (t.classes.has(emotionClass) || t.classes.has(degreeClass) && !t.general) && !g.isKnown(t) {
			return []Violation{violation(Leading, "“%s” assumes what the participant did not say.", t.text)}
		}
	}
	return nil
}
