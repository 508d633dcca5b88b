package guardrail

import "slices"

// A follow-up asks again what was asked when it is about the same things and wants to know the same, and adds nothing of what the participant
// answered. likeness weighs this for one earlier question. Its weights were fitted to three of the trials, left one out in turn, and rounded.

// named is one word that says what a question is about.
type named struct {
	term
	weight float64
	own    bool // the participant used it, or the author asks to speak of it
}

// commonConcepts holds the weights of concepts that very many questions have.
var commonConcepts = map[concepts]float64{
	conceptNamed("process"): 1, conceptNamed("duration"): 1.5, conceptNamed("opinion"): 1.5, conceptNamed("recent"): 2, conceptNamed("talk"): 2,
	conceptNamed("change"): 2, conceptNamed("choose"): 2, conceptNamed("routine"): 2, conceptNamed("person"): 2, conceptNamed("part"): 2, conceptNamed("use"): 2,
}

const conceptWeight, wordWeight, generalWeight = 3, 3, 1

func weightOf(c concepts) float64 {
	weight := float64(conceptWeight)
	for one, w := range commonConcepts {
		if c&one != 0 {
			weight = min(weight, w)
		}
	}
	return weight
}

// names returns the words of a text that say what it asks about, each once.
func (g *Guard) names(text string, own *stock) (all []named) {
	for _, terms := range g.divide(unquoted(text)) {
		for _, t := range terms {
			content := t.content() && t.text != mark
			if t.concepts == 0 && !content || slices.ContainsFunc(all, func(o named) bool { return o.text == t.text }) {
				continue
			}
			n := named{term: t, weight: wordWeight, own: own.holds(t.text, g.vocabulary.code)}
			switch {
			case t.concepts != 0:
				n.weight = weightOf(t.concepts)
			case t.general:
				n.weight = generalWeight
			}
			all = append(all, n)
		}
	}
	return all
}

// sameName reports whether two words name the same thing, and whether they are one word.
func (g *Guard) sameName(a, b named) (same, word bool) {
	switch {
	case a.text == b.text:
		return true, true
	case g.vocabulary.dense():
	case g.vocabulary.code == "ar":
		word = sameRoot(arabicStem(a.text), arabicStem(b.text))
	default:
		word = len(a.text) >= minStem && len(b.text) >= minStem && sameStem(a.text, b.text)
	}
	return word || a.concepts&b.concepts != 0, word
}

// tooLike is the likeness from which a follow-up asks an earlier question again.
const tooLike = 4.3

// likeness returns how much a follow-up is like an earlier question. Words of the participant's that both have speak for likeness if that was a
// follow-up of their answer, and against it if it was a question of the guide.
func (g *Guard) likeness(follow, prior []named, followedUp, points, quotes bool) float64 {
	var shared, total, back, backTotal, words, added, unknown, said float64
	for _, t := range follow {
		total += t.weight
		names := t.content() || t.concepts&subjects != 0
		matched := false
		for _, o := range prior {
			same, word := g.sameName(t, o)
			if matched = matched || same; word && t.content() {
				words++
				break
			}
		}
		switch {
		case matched:
			shared += t.weight
			if t.own && names {
				said++
			}
		case t.own && names:
			added++
		case t.content():
			unknown++
		}
	}
	for _, o := range prior {
		backTotal += o.weight
		if slices.ContainsFunc(follow, func(t named) bool { same, _ := g.sameName(t, o); return same }) {
			back += o.weight
		}
	}
	if total == 0 || backTotal == 0 {
		return 0
	}
	both := conceptsOf(follow) & conceptsOf(prior)
	if both&^subjects == 0 {
		return 0 // another question about the same
	}
	like := shared/total + 1.2*back/backTotal + 0.32*min(shared, back) + 0.3*min(words, 3) + 0.8*min(unknown, 3)
	if followedUp {
		like += 0.5*min(said, 2) - min(added, 3)
	} else {
		like -= 0.5*min(said, 2) + 1.5*min(added, 3)
	}
	like += 0.3 * float64(min((both&subjects).count(), 2))
	for i := range conceptNames {
		if one := concepts(1) << i; both&one&^subjects != 0 {
			like += 0.15 * weightOf(one)
		}
	}
	if points {
		like -= 0.3
	}
	if quotes {
		like -= 0.75
	}
	return like
}

func conceptsOf(all []named) (found concepts) {
	for _, n := range all {
		found |= n.concepts
	}
	return found
}
