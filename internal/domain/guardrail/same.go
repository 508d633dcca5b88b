package guardrail

import (
	"math/bits"
	"slices"
	"unicode/utf8"
)

// A question in other words is the same question where most of what it names, by stem or by class, is the same: "how did you choose it"
// and "what made you pick that one" share the class of deciding. weights says how much a class shows of what is asked; a word that
// names something counts as 1.
var weights = classWeights(map[classes]float64{
	timeClass: 0.2, placeClass: 0.5, personClass: 0.6, happenClass: 0.4, reasonClass: 0.8, meanClass: 0.8, feelClass: 0.6, thinkClass: 0.6,
	changeClass: 0.9, differClass: 0.7, occasionClass: 0.3, lastClass: 0.8, usualClass: 0.6, oftenClass: 0.6, longClass: 0.6, beginClass: 0.8,
	endClass: 0.5, importantClass: 0.8, helpClass: 0.9, decideClass: 0.9, getClass: 0.8, useClass: 0.8, knowClass: 0.4, reactClass: 0.5,
	wantClass: 0.8, homeClass: 0.8, workClass: 0.9, moneyClass: 0.9,
})

func classWeights(of map[classes]float64) (all [64]float64) {
	for class, weight := range of {
		all[bits.TrailingZeros64(uint64(class))] = weight
	}
	return all
}

// Bounds of likeness: questions are the same if they have most of their weight in common, or somewhat less of more weight. A follow-up that has
// most of what an earlier one named is the same whatever it adds.
const (
	sameAsk, sameAskWeight = 0.66, 1.3
	likeAsk, likeAskWeight = 0.6, 2.0
	covered, coveredWeight = 0.65, 1.2

	subjectWeight = 0.5 // of a word of the study's title, which any of its questions may have
)

// reduced is a question without what carries no meaning of its own.
type reduced struct {
	terms  []weighted
	total  float64
	aims   classes // what it wants to know
	points []term  // what it names, in quotes too
	quotes bool    // it quotes
}

type weighted struct {
	term
	weight float64
}

// reduce returns what the question of a text names. Recaps are left out.
func (g *Guard) reduce(all [][]term, title *stock) (r reduced) {
	for _, terms := range all {
		if len(all) > 1 && !slices.ContainsFunc(terms, func(t term) bool { return t.ask || t.classes.has(tellClass) }) {
			continue
		}
		for _, t := range terms {
			if t.content() {
				t.classes |= g.vocabulary.compound(t.text)
			}
			w := weigh(t)
			if w == 1 && title.holds(t.text, g.vocabulary.code) {
				w = subjectWeight
			}
			if w > 0 && !slices.ContainsFunc(r.terms, func(o weighted) bool { return o.text == t.text || o.classes&t.classes&^weightless != 0 }) {
				r.terms = append(r.terms, weighted{t, w})
				r.total += w
			}
		}
	}
	return r
}

func (g *Guard) reduceText(text string, title *stock) reduced {
	without := unquoted(text)
	r := g.reduce(g.divide(without), title)
	r.quotes = len(without) < len(text)
	for _, t := range r.terms {
		if t.ask || !t.classes.has(weightless) {
			r.aims |= t.classes & aims
		}
	}
	const vague = weightless | timeClass | occasionClass | happenClass | aims
	for _, terms := range g.divide(text) {
		for _, t := range terms {
			if !t.ask && !t.classes.has(vague) {
				r.points = append(r.points, t)
			}
		}
	}
	return r
}

// divide returns the terms of each sentence of a text.
func (g *Guard) divide(text string) (all [][]term) {
	for _, s := range g.lexicon.sentences(text) {
		all = append(all, g.terms(s))
	}
	return all
}

func weigh(t term) (weight float64) {
	if t.content() && utf8.RuneCountInString(t.text) == 1 {
		return 0.5 // half a word, in a language without spaces
	}
	if t.content() && t.text != mark || t.classes&generalClasses == 0 {
		return 1
	}
	for rest := uint64(t.classes); rest != 0; rest &= rest - 1 {
		weight = max(weight, weights[bits.TrailingZeros64(rest)])
	}
	if t.classes.has(functionClass|tellClass|keepClass|thingClass) && weight > 0.3 && !t.ask {
		weight = 0.3 // a word that may mean anything
	}
	return weight
}

func (g *Guard) shared(a, b reduced) (weight float64) {
	for _, t := range a.terms {
		if slices.ContainsFunc(b.terms, func(o weighted) bool { return g.alikeTerms(t.term, o.term) }) {
			weight += t.weight
		}
	}
	return weight
}

const weightless = functionClass | tellClass | keepClass | thingClass | guardedClasses

func (g *Guard) alikeTerms(a, b term) bool {
	if a.text == b.text || a.classes&b.classes&^weightless != 0 {
		return true
	}
	switch {
	case g.vocabulary.dense():
		return false
	case g.vocabulary.code == "ar":
		return sameRoot(arabicStem(a.text), arabicStem(b.text))
	}
	return sameStem(a.text, b.text)
}

// sameIntent reports whether two questions share a class that shows what is asked about their subject. Every follow-up shares the subject with
// its question.
func (g *Guard) sameIntent(a, b reduced) bool {
	const intents = lastClass | usualClass | oftenClass | longClass | beginClass | decideClass | getClass | useClass | changeClass | wantClass | helpClass |
		importantClass | moneyClass | reasonClass | meanClass | thinkClass
	return slices.ContainsFunc(a.terms, func(t weighted) bool {
		return slices.ContainsFunc(b.terms, func(o weighted) bool { return t.classes&o.classes&intents&^weightless != 0 })
	})
}

// samePoint reports whether two follow-ups ask the same about the same word of the participant's, one that neither the question nor the title
// of the study has.
func (g *Guard) samePoint(a, b reduced) bool {
	return sameAim(a.aims, b.aims) && g.sharePoint(a, b)
}

func (g *Guard) sharePoint(a, b reduced) bool {
	return slices.ContainsFunc(a.points, func(t term) bool {
		return !g.ties.guide.holds(t.text, g.vocabulary.code) && slices.ContainsFunc(b.points, func(o term) bool { return g.alikeTerms(term{text: t.text}, term{text: o.text}) })
	})
}

// aims are the classes of what a follow-up wants to know about a word.
const aims = reasonClass | meanClass | thinkClass | feelClass | importantClass | wantClass | oftenClass | longClass | beginClass | decideClass | changeClass | differClass

// sameAim reports whether two words ask for the same: to mean, to think of and to feel count as one.
func sameAim(a, b classes) bool {
	const inner = meanClass | thinkClass | feelClass
	return a&b&aims != 0 || a.has(inner) && b.has(inner)
}

// prior is a question that was asked, or that the guide asks elsewhere.
type prior struct {
	text  string
	kind  Kind
	named []named
	reduced
}

// priors reduces what must not be asked again.
func (g *Guard) priors(t *ties) (all []prior) {
	for _, text := range append(slices.Clone(g.in.Asked), g.in.Question) {
		all = append(all, prior{text, Repeat, g.names(text, &t.raised), g.reduceText(text, &t.title)})
	}
	for _, text := range g.in.Questions {
		if text != g.in.Question {
			all = append(all, prior{text, Leak, g.names(text, &t.raised), g.reduceText(text, &t.title)})
		}
	}
	return all
}

// rephrases finds a question that was asked before, or that the guide asks elsewhere, in other words.
func (g *Guard) rephrases(words string) []Violation {
	r := g.reduceText(words, &g.ties.title)
	named := g.names(words, &g.ties.raised)
	points := slices.ContainsFunc(g.divide(words), g.pointsBack)
	for _, p := range g.ties.priors {
		if g.repeatsPrior(r, p) || g.likeness(named, p.named, g.followedUp(p), points, r.quotes) > tooLike {
			return []Violation{violation(p.kind, "It asks in other words what is asked elsewhere: “%s”.", clip(p.text))}
		}
	}
	return nil
}

// followedUp reports whether a question was a follow-up and not one of the guide.
func (g *Guard) followedUp(p prior) bool { return p.kind == Repeat && p.text != g.in.Question }

// returnsTo reports whether a question names nothing of the participant's answers, but something of an earlier question, and wants to know
// the same about it.
func (g *Guard) returnsTo(r reduced, p prior) bool {
	if r.quotes || g.vocabulary.dense() {
		return false
	}
	content := func(t weighted) bool { return t.content() && t.text != mark }
	if !slices.ContainsFunc(g.ties.own.words, func(w string) bool { return !g.vocabulary.of(w).has(generalClasses) }) {
		return false // an answer that names nothing leaves only the question to ask about
	}
	shared := 0
	for _, t := range r.terms {
		switch {
		case !content(t):
		case g.ties.raised.holds(t.text, g.vocabulary.code):
			return false
		case slices.ContainsFunc(p.terms, func(o weighted) bool { return g.alikeTerms(t.term, o.term) }):
			shared++
		}
	}
	return shared > 0 && g.sameIntent(r, p.reduced)
}

func (g *Guard) repeatsPrior(r reduced, p prior) bool {
	if r.total == 0 || p.total == 0 {
		return false
	}
	left, right := g.shared(r, p.reduced), g.shared(p.reduced, r)
	share, weight := (left+right)/(r.total+p.total), min(left, right)
	same := share >= sameAsk && weight >= sameAskWeight || share >= likeAsk && weight >= likeAskWeight
	switch {
	case g.returnsTo(r, p):
		return true
	case p.text == g.in.Question:
		return same && g.sameIntent(r, p.reduced)
	case p.kind == Repeat && r.quotes && p.quotes && !g.sharePoint(r, p.reduced):
		return false // the same about other words
	case p.kind == Repeat:
		return same || right >= covered*p.total && right >= coveredWeight && g.sameIntent(r, p.reduced) || g.samePoint(r, p.reduced)
	}
	return same
}
