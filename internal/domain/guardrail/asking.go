package guardrail

import (
	"slices"
	"strings"
)

// minRequest is the least number of terms of a request; fewer merely acknowledge: "I see".
const minRequest = 3

// asking reports whether a sentence asks for an answer.
func (g *Guard) asking(s sentence, terms []term) bool {
	return s.asks || !g.eases(terms) && (g.requests(s) || g.asksUnmarked(s, terms))
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
		return slices.ContainsFunc(terms[:min(len(terms), 8)], func(t term) bool { return t.classes.has(tellClass) && !reported[t.text] }) || strings.HasPrefix(s.text, "请") || strings.Contains(s.text, "给我") || strings.Contains(s.text, "跟我")
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

// reported are the words of telling that recall what was said.
var reported = set("说 提到 说到 讲到 谈到 词 话 句 说法")

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
