package guardrail

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// A follow-up is allowed for what it is: one question or request about what was asked and said, beside it at most a recap in the
// participant's words. structure refuses everything else. It judges only where the question and the answer are known, in the languages
// that have a vocabulary.

// Bounds of the words that stand neither in the conversation nor in the vocabulary of interviews.
const (
	newInQuestion = 1 // in an open question or a request that shares words with the conversation
	newInThanks   = 1
	thanksTerms   = 7 // a sentence of so few terms may be a mere thank-you
)

// ties holds the texts of a conversation that the words of a probe are compared with.
type ties struct {
	said, guide, known stock // by the participant; by the researcher to the participant; both and what the author permits
	hidden             stock // the study's goal and background
	forbidden          stock // what the author forbids to mention
	names              map[string]bool
	priors             []prior
}

// judgesStructure reports whether there is enough to judge by.
func (g *Guard) judgesStructure() bool {
	return g.vocabulary != nil && g.in.Question != "" && strings.TrimSpace(g.in.Answer) != ""
}

// tie prepares the texts of the conversation.
func (g *Guard) tie() {
	allowed, forbidden := g.divided(g.in.Instructions)
	said := append([]string{g.in.Answer}, g.in.Earlier...)
	guide := []string{g.in.Question, g.in.ConceptTitle, g.in.StudyTitle}
	g.ties = ties{
		said: g.stock(said...), guide: g.stock(guide...),
		known:     g.stock(slices.Concat(said, guide, g.in.Asked, []string{allowed})...),
		hidden:    g.stock(g.in.StudyGoal, g.in.Background),
		forbidden: g.stock(forbidden), names: map[string]bool{},
	}
	g.ties.priors = g.priors()
	for _, text := range []string{g.in.StudyGoal, g.in.Background, forbidden} {
		for _, name := range g.namesIn(text) {
			if !g.ties.known.holds(name, g.vocabulary.code) {
				g.ties.names[name] = true
			}
		}
	}
}

// negations are the words by which a sentence of the author's instructions forbids something.
var negations = strings.Fields("not never don't nicht nie kein keine keinen niemals ne pas jamais no nunca sin non mai senza não nao sem niet nooit geen لا لن بدون دون ليس 不 别 勿 莫 ない しない せず 避け")

// divided parts the author's instructions into what may be spoken of and what may not. A negation in a sentence forbids all of it.
func (g *Guard) divided(instructions string) (allowed, forbidden string) {
	for _, s := range g.lexicon.sentences(instructions) {
		words := g.lexicon.wordsOf(s.text)
		negated := slices.ContainsFunc(negations, func(n string) bool {
			return isDense(n) && strings.Contains(s.text, n) || slices.Contains(words, n)
		})
		if negated {
			forbidden += s.text + ". "
		} else {
			allowed += s.text + ". "
		}
	}
	return allowed, forbidden
}

// namesIn returns the folded names, code words and figures of a text: numbers, what stands within quotation marks, and words with a
// capital letter inside a sentence that are no words of interviews. German writes all nouns with one, so that there nouns count, too.
func (g *Guard) namesIn(text string) (names []string) {
	if g.vocabulary.dense() {
		return denseNames(text)
	}
	for _, p := range parts(text) {
		words := strings.FieldsFunc(p.text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
		begins := true
		for i, w := range words {
			runes := []rune(w)
			inside := i > 0 && !strings.Contains(p.text, ". "+w) && !strings.Contains(p.text, ": "+w)
			name := unicode.IsUpper(runes[0]) && (inside || !begins || len(runes) > 1 && unicode.IsUpper(runes[1]))
			figure := unicode.IsDigit(runes[0]) && len(runes) > 1
			word := fold(w)
			if (name || p.quoted && len(runes) < 12 || figure) && !g.vocabulary.of(word).has(generalClasses) {
				names = append(names, word)
			}
			begins = false
		}
	}
	return names
}

// denseName matches what is a name in Chinese and Japanese: a passage within quotation marks, what follows a colon up to a sign, figures and
// words in other letters.
var denseName = regexp.MustCompile(`[“「『《]([^”」』》]{2,10})[”」』》]|[:：]([^，。、（）()；;]{2,8})[）)。]|([0-9０-９][0-9０-９,.]+|[A-Za-z]{3,}|[ァ-ヴー]{4,})`)

func denseNames(text string) (names []string) {
	for _, match := range denseName.FindAllStringSubmatch(text, -1) {
		names = append(names, fold(match[1]+match[2]+match[3]))
	}
	return names
}

// structure finds what no follow-up may be.
func (g *Guard) structure(all []sentence) []Violation {
	if !g.judgesStructure() {
		return nil
	}
	var violations []Violation
	for _, s := range all {
		terms := g.terms(s)
		if len(terms) == 0 {
			continue
		}
		v := g.speaks(terms)
		v = append(v, g.reveals(s.text, terms)...)
		if s.asks || g.requests(s) || g.asksUnmarked(s, terms) {
			v = append(v, g.question(s, terms)...)
		} else {
			v = append(v, g.recap(terms)...)
		}
		violations = append(violations, v...)
	}
	return violations
}

// asksUnmarked reports whether a sentence without a question mark asks: in Japanese questions end in "ka" and requests in "kudasai", in
// the other languages a request begins with a verb of telling.
func (g *Guard) asksUnmarked(s sentence, terms []term) bool {
	switch g.vocabulary.code {
	case "ja":
		return endsWith(s.text, "か", "ください", "下さい", "でしょう", "願います", "のは") && !strings.HasSuffix(s.text, "ませんか") || strings.Contains(s.text, "ませんか")
	case "zh":
		return terms[0].classes.has(tellClass) || slices.ContainsFunc(terms, func(t term) bool { return t.ask }) || strings.HasPrefix(s.text, "请")
	}
	return tellsMe(terms[:min(len(terms), 5)])
}

// toMe are the words by which the moderator asks to be told something.
var toMe = set("me us mir mich uns moi nous mi ci me nos mij ons لي لنا")

// tellsMe reports whether a verb of telling stands among the terms, or a verb of giving or leading with the moderator as its object.
func tellsMe(terms []term) bool {
	for i, t := range terms {
		if t.classes.has(functionClass) {
			continue
		}
		gives := t.classes.has(keepClass|functionClass) && slices.ContainsFunc(terms[i+1:min(len(terms), i+3)], func(o term) bool { return toMe[o.text] })
		if gives || t.classes.has(tellClass) {
			return true
		}
	}
	return false
}

func endsWith(text string, ends ...string) bool {
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(strings.TrimRight(text, "。 ?？"), end) })
}

// speaks finds the moderator speaking of itself or of those behind it.
func (g *Guard) speaks(terms []term) []Violation {
	for i, t := range terms {
		if !t.classes.has(selfClass) {
			continue
		}
		near := terms[max(0, i-3):min(len(terms), i+5)]
		if !slices.ContainsFunc(near, func(o term) bool { return o.classes.has(tellClass) }) {
			return []Violation{violation(Claim, "“%s” speaks of the moderator; speak only of what the participant said.", t.text)}
		}
	}
	return nil
}

// reveals finds names, code words and figures that stand only in the study's goal, its background, or what the author forbids.
func (g *Guard) reveals(text string, terms []term) []Violation {
	if g.vocabulary.dense() {
		folded := fold(text)
		for name := range g.ties.names {
			if strings.Contains(folded, name) {
				return []Violation{violation(Leak, "“%s” stands only in what the participant must not learn.", name)}
			}
		}
	}
	for _, t := range terms {
		if g.ties.names[t.text] || !g.vocabulary.dense() && t.content() && !g.isKnown(t) && g.ties.forbidden.holds(t.text, g.vocabulary.code) {
			return []Violation{violation(Leak, "“%s” stands only in what the participant must not learn.", t.text)}
		}
	}
	return nil
}

func (g *Guard) isKnown(t term) bool {
	return t.text == mark || g.ties.known.holds(t.text, g.vocabulary.code)
}

// measure counts the terms of a sentence that name something.
func (g *Guard) measure(terms []term) (tied int, fresh []string) {
	for _, t := range terms {
		switch {
		case t.text == mark:
			tied++
		case g.isKnown(t):
			if !t.classes.has(functionClass) {
				tied++
			}
		case !t.content() || !g.vocabulary.dense() && len([]rune(t.text)) < 3 && !unicode.IsDigit([]rune(t.text)[0]):
		default:
			fresh = append(fresh, t.text)
			if !g.vocabulary.dense() && g.ties.hidden.holds(t.text, g.vocabulary.code) {
				fresh = append(fresh, t.text)
			}
		}
	}
	if g.vocabulary.dense() {
		fresh = fresh[:len(fresh)/2+len(fresh)%2]
	}
	return tied, fresh
}

// recap judges a sentence that asks nothing: it has to be made of the participant's words.
func (g *Guard) recap(terms []term) []Violation {
	tied, fresh := g.measure(terms)
	switch {
	case len(terms) <= thanksTerms && len(fresh) <= newInThanks && tied == 0 && g.thanks(terms):
		return nil
	case len(fresh) > 0:
		return []Violation{violation(Claim, "It states what the participant did not say: %s. A recap may only use their words.", strings.Join(fresh, ", "))}
	case tied == 0 && len(terms) > 3:
		return []Violation{violation(Claim, "It states something that has nothing to do with what the participant said.")}
	}
	return nil
}

// thanks reports whether a short sentence merely acknowledges.
func (g *Guard) thanks(terms []term) bool {
	return slices.ContainsFunc(terms, func(t term) bool { return t.classes.has(functionClass | tellClass | knowClass) })
}

// question judges the sentence that asks.
func (g *Guard) question(s sentence, terms []term) (violations []Violation) {
	tied, fresh := g.measure(terms)
	open := slices.ContainsFunc(terms, func(t term) bool { return t.ask })
	asksToTell := tellsMe(terms)
	limit := newInQuestion
	why := slices.ContainsFunc(terms, func(t term) bool { return t.ask && t.classes.has(reasonClass) })
	closed := !open && !asksToTell
	if closed || why || tied == 0 {
		limit = 0
	}
	if len(fresh) > limit {
		kind, detail := OffSubject, "It asks about what nobody spoke of: %s."
		if (closed || why) && tied > 0 {
			kind, detail = Leading, "It puts into the participant's mouth what they did not say: %s."
		}
		violations = append(violations, violation(kind, detail, strings.Join(fresh, ", ")))
	}
	if closed && tied > 0 {
		violations = append(violations, violation(Leading, "It can be answered with yes or no and suggests which; ask with what or how."))
	}
	if len(fresh) > 0 && limit > 0 && g.asksForFresh(terms) {
		violations = append(violations, violation(OffSubject, "It asks for something that nobody spoke of: %s.", strings.Join(fresh, ", ")))
	}
	if twoAsks(terms, g.lexicon) {
		violations = append(violations, violation(SeveralQuestions, "It asks for two things; ask for one."))
	}
	violations = append(violations, g.suggests(terms)...)
	return append(violations, g.identifies(terms)...)
}

// asksForFresh reports whether what stands directly behind a question word is new to the conversation: "which car", "how much smoother".
func (g *Guard) asksForFresh(terms []term) bool {
	for i, t := range terms[:len(terms)-1] {
		next := terms[i+1]
		if amounts[next.text] && i+2 < len(terms) {
			next = terms[i+2]
		}
		if t.ask && next.content() && !g.isKnown(next) && !g.vocabulary.dense() {
			return true
		}
	}
	return false
}

// amounts may stand between "how" and what is asked for.
var amounts = set("much very sehr viel tres plus mas muy molto piu mais muito erg veel")

// twoAsks reports whether a second question stands behind a comma.
func twoAsks(terms []term, l *lexicon) bool {
	asked, comma := false, len(terms)
	for i, t := range terms {
		switch {
		case t.text == ",":
			if asked {
				comma = i
			}
		case t.ask && asked && i > comma && i <= comma+3:
			return true
		case t.ask && (i > 0 || !l.settings[t.text]):
			asked = true
		}
	}
	return false
}

// suggests finds feelings and degrees that the participant did not speak of.
func (g *Guard) suggests(terms []term) []Violation {
	for _, t := range terms {
		if t.classes.has(emotionClass|degreeClass) && !g.isKnown(t) {
			return []Violation{violation(Leading, "“%s” assumes what the participant did not say.", t.text)}
		}
	}
	return nil
}

// nearAsk is how many terms after a question word may stand what it asks for.
const nearAsk = 3

// identifies finds a question for what identifies the participant or unlocks something of theirs.
func (g *Guard) identifies(terms []term) []Violation {
	for i, t := range terms {
		if !t.classes.has(identityClass|keyClass) || t.classes.has(identityClass) && g.ties.guide.holds(t.text, g.vocabulary.code) {
			continue
		}
		for _, o := range terms[max(0, i-nearAsk):i] {
			if o.ask && !o.classes.has(reasonClass|feelClass) {
				return []Violation{violation(Private, "“%s” asks for what identifies a person or unlocks something of theirs.", t.text)}
			}
		}
	}
	return nil
}
