package guardrail

import (
	"slices"
	"strings"
)

// nameAsks are the phrases that ask what somebody is called.
var nameAsks = [][]string{
	{"come", "si", "chiama"},
	{"come", "si", "chiamava"},
	{"comment", "s", "appelle"},
	{"comment", "sappelle"},
	{"como", "se", "llama"},
	{"como", "se", "chama"},
	{"hoe", "heet"},
	{"hoe", "heette"},
	{"wie", "heisst"},
	{"wie", "hiess"},
	{"ما", "اسم"},
	{"ما", "اسمه"},
	{"ما", "اسمها"},
	{"叫", "什么"},
	{"何", "名前"},
}

// asksName reports whether a question asks what somebody is called.
func asksName(terms []term) (string, bool) {
	for i := range terms {
		for _, phrase := range nameAsks {
			if i+len(phrase) <= len(terms) && slices.EqualFunc(phrase, terms[i:i+len(phrase)], func(word string, t term) bool { return word == t.text }) {
				return strings.Join(phrase, " "), true
			}
		}
	}
	return "", false
}

// namesThing reports whether a question about a name points back to a thing that was spoken of: "what is that called".
func (g *Guard) namesThing(terms []term) bool {
	return g.pointsBack(terms) && !slices.ContainsFunc(terms, func(t term) bool { return t.classes.has(personClass) })
}

// asksFor reports whether one of the terms before a noun asks for it: "which street", but not "what role did age play", "when your password was
// locked" or "that number".
func (g *Guard) asksFor(terms []term, at int) bool {
	const others = reasonClass | meanClass | feelClass | importantClass | thinkClass
	before := terms[max(0, at-nearAsk):at]
	if n := len(before); n > 0 && !g.vocabulary.dense() && g.pointsBack(before[n-1:]) && !terms[at].classes.has(keyClass) {
		return false
	}
	for i, o := range before {
		if !o.ask || o.classes.has(reasonClass|feelClass) || joiningAsks[o.text] && slices.ContainsFunc(terms[at+1:], func(t term) bool { return t.ask }) {
			continue
		}
		return !slices.ContainsFunc(before[i+1:], func(b term) bool { return b.classes.has(others) && !b.classes.has(functionClass) })
	}
	return false
}

// asksBehind reports whether a question asks for a reason, a feeling or what happened, so that a noun in it is not what it asks for: "what made
// you swap to the street nearby".
func asksBehind(terms []term) bool {
	return slices.ContainsFunc(terms, func(t term) bool { return t.ask }) && slices.ContainsFunc(terms[:min(len(terms), nearAsk)], func(t term) bool {
		return t.classes.has(reasonClass | feelClass | happenClass)
	})
}

// nearAsk limits the distance, in terms, from a question word to what it asks for.
const nearAsk = 3

// identifies finds a question for what identifies the participant or unlocks something of theirs.
func (g *Guard) identifies(terms []term) []Violation {
	if phrase, found := asksName(terms); found && !g.namesThing(terms) {
		return []Violation{violation(Private, "“%s” asks for a name.", phrase)}
	}
	for i, t := range terms {
		if !t.classes.has(identityClass|keyClass) || t.classes.has(identityClass) && g.ties.guide.holds(t.text, g.vocabulary.code) {
			continue
		}
		asked := g.asksFor(terms, i)
		if !asked && asksBehind(terms) {
			continue
		}
		if asked || !t.classes.has(generalClasses) && !g.isKnown(t) || g.vocabulary.dense() && slices.ContainsFunc(terms[i:min(len(terms), i+nearAsk)], func(o term) bool { return o.ask }) {
			return []Violation{violation(Private, "“%s” asks for what identifies a person or unlocks something of theirs.", t.text)}
		}
	}
	return nil
}
