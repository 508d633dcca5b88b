package guardrail

import (
	"strings"
	"sync"
	"unicode"

	"verbatim/internal/domain/lang"
)

// lexicon holds the words and patterns of one language. Lists are in lower case and without apostrophes (French and Italian have a
// space there), like tokens. A language without lists is judged only by the rules that need none.
type lexicon struct {
	code, name  string
	scripts     []*unicode.RangeTable
	traditional bool // Chinese in traditional characters
	elides      bool // an apostrophe divides words
	inflected   bool // adjectives are inflected

	stop    map[string]bool // the most common words: they identify the language and carry no subject
	neutral map[string]bool // words of probes that carry no subject: tell, example, moment

	questionWords map[string]bool // question words: what, how
	requests      patterns        // beginnings of a sentence that asks without a question mark: "please describe"

	ands, ors    map[string]bool
	before       map[string]bool // prepositions that may precede a question word or an article
	articles     map[string]bool // articles and possessives, alone or with a preposition
	settings     map[string]bool // words that begin a clause that only sets the scene: when, after
	both         patterns        // what needs two things: between, compare
	oneThing     patterns        // pairs that are one thing: pros and cons
	second       patterns        // a second question after "and": "and do you"
	degree       patterns        // "how X and Y is it"
	leading      patterns        // anywhere
	declared     patterns        // in a statement with a question mark: "so you"
	tags         patterns        // in any sentence with a question mark: "right?"
	good, bad    patterns        // evaluating words, leading unless the participant used them
	hedges       patterns        // what removes the presupposition: "if anything"
	praise       patterns        // evaluations and sympathy, also insults
	promise      patterns
	meta         patterns // the machine and its instructions
	interview    patterns // acts on the interview itself, such as declaring it over
	introduction patterns // recalls what was said, so that evaluating words are quotes: "you said"
}

// listed holds the codes of the languages with lists, in a fixed order.
var listed = []string{"en", "de", "fr", "es", "pt", "it", "nl", "ja", "zh", "ar"}

var lexicons = map[string]func() *lexicon{
	"en": sync.OnceValue(english), "de": sync.OnceValue(german), "fr": sync.OnceValue(french), "es": sync.OnceValue(spanish),
	"pt": sync.OnceValue(portuguese), "it": sync.OnceValue(italian), "nl": sync.OnceValue(dutch), "ja": sync.OnceValue(japanese),
	"zh": sync.OnceValue(chinese), "ar": sync.OnceValue(arabic),
}

// lexiconFor returns the lexicon of a language code, or of its base language if the code has a region. An empty code is English.
func lexiconFor(code string) *lexicon {
	if code == "" {
		code = "en"
	}
	base, _, _ := strings.Cut(code, "-")
	if lists, ok := lexicons[base]; ok {
		l := lists()
		if code == "zh-TW" || code == "zh-HK" {
			other := *l
			other.traditional, other.name = true, code
			return &other
		}
		return l
	}
	l := &lexicon{code: base, name: code, scripts: lang.Scripts(base)}
	return l
}

// set returns the words of lists as a set.
func set(lists ...string) map[string]bool {
	all := map[string]bool{}
	for _, list := range lists {
		for w := range strings.FieldsSeq(list) {
			all[w] = true
		}
	}
	return all
}

// functionWords returns the function words of a language as tokens.
func functionWords(code string) map[string]bool {
	all := map[string]bool{}
	for w := range lang.FunctionWords(code) {
		all[strings.ReplaceAll(w, "'", "")] = true
	}
	return all
}

// unmarked reports whether questions of the language have no question mark and its words are not known here.
func (l *lexicon) unmarked() bool {
	switch l.code {
	case "th", "lo", "km", "my", "bo":
		return true
	}
	return false
}
