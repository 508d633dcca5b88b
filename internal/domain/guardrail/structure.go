package guardrail

import (
	"slices"
	"strings"
	"unicode"
)

// A follow-up is allowed for what it is: one question or request about what was asked and said, beside it at most a recap in the
// participant's words. structure refuses everything else. It judges only where the question and the answer are known, in the languages
// that have a vocabulary; Chinese only in simplified characters.

// Bounds of the words that stand neither in the conversation nor in the vocabulary of interviews.
const (
	newInQuestion = 1 // in an open question or a request, if the follow-up shares words with the conversation
	minRequest    = 3 // terms of a request; fewer merely acknowledge: "I see"
	newInThanks   = 1 // in a short sentence that merely acknowledges
	wellTied      = 2 // terms tied to the conversation from which a question may have one more
	tiedRecap     = 4 // and from which a recap may have one
	generalRecap  = 3 // for each general word of a recap that is taken for the participant's
	shortSentence = 7 // terms of such a sentence
)

// ties holds the texts of a conversation that the words of a probe are compared with.
type ties struct {
	own          stock // the participant's answers
	guide, known stock // what the researcher says to the participant; that, the answers, and what the author permits
	title        stock // the study's subject
	hidden       stock // the study's goal and background
	forbidden    stock // what the author forbids to mention
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
	t.priors = g.priors(t)
	return t
}

// structure finds what no follow-up may be.
func (g *Guard) structure(words string, all []sentence) (violations []Violation) {
	if !g.judgesStructure() {
		return nil
	}
	divided := make([][]term, len(all))
	tied := 0
	for i, s := range all {
		divided[i] = g.terms(s)
		n, _ := g.measure(divided[i], false)
		tied += n
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
				violations = append(violations, g.recap(head)...)
			}
			violations = append(violations, g.question(terms, s.asks || g.vocabulary.dense(), tied)...)
		} else {
			violations = append(violations, g.recap(terms)...)
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

// asking reports whether a sentence asks for an answer.
func (g *Guard) asking(s sentence, terms []term) bool {
	return s.asks || g.requests(s) || g.asksUnmarked(s, terms)
}

// asksUnmarked reports whether a sentence asks without a question mark: in Japanese questions end in "ka" and requests in "kudasai", in
// the other languages a request begins with a verb of telling, or has one beside the moderator as the one to be told.
func (g *Guard) asksUnmarked(s sentence, terms []term) bool {
	if len(terms) < minRequest || thanks[terms[0].text] {
		return false
	}
	switch g.vocabulary.code {
	case "ja":
		return endsWith(s.text, "か", "ください", "下さい", "でしょう", "願います", "のは", "ませんか")
	case "zh":
		return slices.ContainsFunc(terms[:min(len(terms), 8)], func(t term) bool { return t.classes.has(tellClass) }) || strings.HasPrefix(s.text, "请")
	}
	begin := terms[:min(len(terms), 8)]
	if i := slices.IndexFunc(begin, tells); i == 0 || i > 0 && i < 5 && (wishes[terms[0].text] || g.vocabulary.code == "ar" && i < 3) {
		return true
	}
	if begin[0].classes.has(keepClass) && slices.ContainsFunc(begin, func(t term) bool { return backs[t.text] }) {
		return true
	}
	return begin[0].classes.has(keepClass) && toldBeside(begin, 0, 6) || slices.ContainsFunc(begin, func(t term) bool { return tells(t) && attached(t.text, g.vocabulary.code) }) || toldMe(begin, 2)
}

func endsWith(text string, ends ...string) bool {
	text = strings.TrimRight(text, "。 ?？")
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(text, end) })
}

var (
	// toMe are the words by which the moderator asks to be told something.
	toMe = set("me us mir mich moi mi mij mim لي لنا")
	// backs lead the participant back to an occasion: "go back to that morning".
	backs = set("back zuruck terug")
	// wishes begin a sentence by which the moderator asks for more.
	wishes = set("please id i bitte ich jaimerais j je s'il me quisiera vorrei gostaria gostava graag ik can could would will pouvez pourriez konnen konnten wurden kunt zou puede podria puo potrebbe pode poderia")
)

func tells(t term) bool {
	return t.classes.has(tellClass) && !t.classes.has(functionClass) && !strings.HasSuffix(t.text, "ت") // an Arabic verb of what was said ends so
}

// toldBeside reports whether the moderator stands among the terms around one as the one to be told.
func toldBeside(terms []term, i, reach int) bool {
	return slices.ContainsFunc(terms[max(0, i-2):min(len(terms), i+reach+1)], func(o term) bool { return toMe[o.text] })
}

// toldMe reports whether a verb of telling, giving or leading has the moderator beside it.
func toldMe(terms []term, reach int) bool {
	for i, t := range terms {
		if t.classes.has(tellClass|keepClass) && !t.classes.has(functionClass) && toldBeside(terms, i, reach) {
			return true
		}
	}
	return false
}

// attached reports whether a verb ends in the pronoun of the one to be told, as imperatives of Spanish and Italian do.
func attached(word, code string) bool {
	return (code == "es" || code == "it" || code == "pt") && (strings.HasSuffix(word, "me") || strings.HasSuffix(word, "mi") || strings.HasSuffix(word, "nos")) && len(word) > 4
}

// asksToTell reports whether a sentence has a verb by which the participant is asked to tell something.
func (g *Guard) asksToTell(terms []term) bool {
	if g.vocabulary.dense() {
		return slices.ContainsFunc(terms, func(t term) bool { return t.classes.has(tellClass) })
	}
	return slices.ContainsFunc(terms, tells) || toldMe(terms, 2)
}

// speaks finds the moderator speaking of itself or of those behind it.
func (g *Guard) speaks(terms []term) []Violation {
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
		if !slices.ContainsFunc(near, func(o term) bool { return o.classes.has(tellClass) }) {
			return []Violation{violation(Claim, "“%s” speaks of the moderator; speak only of what the participant said.", t.text)}
		}
	}
	return nil
}

// inclusive reports whether the word for those who speak takes in the participant: "wenn wir das offenlassen", "comment en est-on arrivé là".
func inclusive(terms []term, at int) bool {
	switch terms[at].text {
	case "we", "wir":
		return at == 1 && terms[0].classes.has(functionClass) && slices.ContainsFunc(terms, func(t term) bool { return t.ask })
	case "on":
		return at > 0 && terms[at-1].text == "est"
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

func (g *Guard) isKnown(t term) bool {
	return t.text == mark || g.ties.known.holds(t.text, g.vocabulary.code)
}

// measure counts the terms that are tied to the conversation, and returns those that name something new. One that stands in the study's
// goal or background weighs double.
func (g *Guard) measure(terms []term, lenient bool) (tied int, fresh []string) {
	hidden := 0
	for _, t := range terms {
		if t.text == mark {
			tied++
			continue
		}
		if t.classes.has(functionClass) || t.ask {
			continue
		}
		switch runes := []rune(t.text); {
		case g.isKnown(t):
			tied++
		case !t.content() || slices.Contains(fresh, t.text) || lenient && t.general:
		case g.vocabulary.dense() || len(runes) > 2 || unicode.IsDigit(runes[0]):
			fresh = append(fresh, t.text)
			if !g.vocabulary.dense() && g.ties.hidden.holds(t.text, g.vocabulary.code) {
				hidden++
			}
		}
	}
	if g.vocabulary.dense() {
		return tied, fresh[:(len(fresh)+1)/2]
	}
	return tied, append(fresh, fresh[:hidden]...)
}

// recap judges a sentence that asks nothing: it has to be made of the participant's words.
func (g *Guard) recap(terms []term) []Violation {
	tied, fresh := g.measure(terms, false)
	if len(fresh) > 0 && (tied >= generalRecap*len(fresh) || len(fresh) == 1 && (g.pointsBack(terms) || quotes(terms)) && len(terms) <= shortSentence) {
		tied, fresh = g.measure(terms, true)
	}
	switch {
	case len(terms) <= shortSentence && tied == 0 && (len(fresh) == 0 || len(fresh) <= newInThanks && thanks[terms[0].text]):
		return nil
	case len(fresh) == 1 && tied >= tiedRecap && !g.vocabulary.dense():
	case len(fresh) > 0:
		return []Violation{violation(Claim, "It states what the participant did not say: %s. A recap may only use their words.", strings.Join(fresh, ", "))}
	case tied == 0 && len(terms) > 3:
		return []Violation{violation(Claim, "It states something that has nothing to do with what the participant said.")}
	}
	return nil
}

func quotes(terms []term) bool {
	return slices.ContainsFunc(terms, func(t term) bool { return t.text == mark })
}

// thanks begin a sentence that merely thanks.
var thanks = set("thank thanks danke dank bedankt merci gracias grazie obrigado obrigada شكرا 谢谢 謝謝")

// question judges a sentence that asks, in a follow-up that has some terms tied to the conversation.
func (g *Guard) question(terms []term, marked bool, tied int) (violations []Violation) {
	here, fresh := g.measure(terms, true)
	if g.pointsBack(terms) {
		tied++
	}
	open := slices.ContainsFunc(terms, func(t term) bool { return t.ask })
	why := slices.ContainsFunc(terms, func(t term) bool { return t.ask && t.classes.has(reasonClass) })
	closed := !open && marked && !g.asksToTell(terms) && !neutral(terms, fresh)
	limit := newInQuestion
	if here >= wellTied && marked {
		limit++
	}
	if closed || tied == 0 {
		limit = 0
	}
	switch {
	case len(fresh) > limit && (closed || why) && tied > 0:
		violations = append(violations, violation(Leading, "It puts into the participant's mouth what they did not say: %s.", strings.Join(fresh, ", ")))
	case len(fresh) > limit:
		violations = append(violations, violation(OffSubject, "It asks about what nobody spoke of: %s.", strings.Join(fresh, ", ")))
	case len(fresh) > 0 && g.asksForNew(terms):
		violations = append(violations, violation(OffSubject, "It asks for something that nobody spoke of: %s.", strings.Join(fresh, ", ")))
	}
	if closed && here > 0 {
		violations = append(violations, violation(Leading, "It can be answered with yes or no and suggests which; ask with what or how."))
	}
	if g.twoAsks(terms) {
		violations = append(violations, violation(SeveralQuestions, "It asks for two things; ask for one."))
	}
	violations = append(violations, g.suggests(terms)...)
	return append(violations, g.identifies(terms)...)
}

// neutral reports whether a question for yes or no suggests neither: whether something changed or differs, or one of two things that are both named.
func neutral(terms []term, fresh []string) bool {
	return len(fresh) == 0 && !slices.ContainsFunc(terms, func(t term) bool { return t.classes.has(guardedClasses) || denials[t.text] }) &&
		slices.ContainsFunc(terms, func(t term) bool {
			return t.classes.has(changeClass|differClass|occasionClass) && !t.classes.has(functionClass) || ors[t.text]
		})
}

var (
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
		if t.ask && (amount || whichWords[t.text]) && next.content() && !g.isKnown(next) {
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
