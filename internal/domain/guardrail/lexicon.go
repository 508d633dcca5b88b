package guardrail

import (
	"strings"
	"sync"
	"unicode"

	"verbatim/internal/domain/lang"
)

// tongue is what the guard knows of one language. Lists are in lower case and without apostrophes (French and Italian
// have a blank there), as tokens are. A language without lists is judged by what needs none.
type lexicon struct {
	code, name  string
	scripts     []*unicode.RangeTable
	traditional bool // Chinese in traditional characters
	elides      bool // an apostrophe divides words
	bends       bool // adjectives end as their nouns ask for

	stop    map[string]bool // the most common words: they tell the language and carry no subject
	neutral map[string]bool // words of probes that carry no subject: tell, example, moment

	asks     map[string]bool // words that ask: what, how
	requests patterns        // beginnings of a sentence that asks without a question mark: "please describe"

	ands, ors    map[string]bool
	before       map[string]bool // prepositions that may stand before a word that asks or an article
	articles     map[string]bool // articles and possessives, alone or with a preposition
	settings     map[string]bool // words that begin a clause which is only the setting: when, after
	both         patterns        // what needs two things: between, compare
	oneThing     patterns        // pairs that are one thing: pros and cons
	second       patterns        // a second question after "and": "and do you"
	degree       patterns        // "how X and Y is it"
	leading      patterns        // wherever it stands
	declared     patterns        // in a statement with a question mark: "so you"
	tags         patterns        // in any sentence with a question mark: "right?"
	good, bad    patterns        // evaluating words, leading when the participant did not use them
	hedges       patterns        // what takes the presupposition away: "if anything"
	praise       patterns        // evaluations and sympathy, insults among them
	promise      patterns
	meta         patterns // the machine and its instructions
	interview    patterns // acts on the interview itself: declares it over
	introduction patterns // recalls what was said, so that evaluating words are quoted ones: "you said"
}

// listed are the codes of the languages with lists, in a fixed order.
var listed = []string{"en", "de", "fr", "es", "pt", "it", "nl", "ja", "zh", "ar"}

var lexicons = map[string]func() *lexicon{
	"en": sync.OnceValue(english), "de": sync.OnceValue(german), "fr": sync.OnceValue(french), "es": sync.OnceValue(spanish),
	"pt": sync.OnceValue(portuguese), "it": sync.OnceValue(italian), "nl": sync.OnceValue(dutch), "ja": sync.OnceValue(japanese),
	"zh": sync.OnceValue(chinese), "ar": sync.OnceValue(arabic),
}

// tongueFor gives what is known of a language code, of its base language where it has a region. Empty is English.
func lexiconFor(code string) *lexicon {
	if code == "" {
		code = "en"
	}
	base, _, _ := strings.Cut(code, "-")
	if lists, ok := lexicons[base]; ok {
		t := lists()
		if code == "zh-TW" || code == "zh-HK" {
			other := *t
			other.traditional, other.name = true, code
			return &other
		}
		return t
	}
	t := &lexicon{code: base, name: code, scripts: lang.Scripts(base)}
	return t
}

// set makes a set of words out of a list with blanks.
func set(lists ...string) map[string]bool {
	all := map[string]bool{}
	for _, list := range lists {
		for w := range strings.FieldsSeq(list) {
			all[w] = true
		}
	}
	return all
}

// unmarked tells languages whose questions carry no mark and whose words are not known here.
func (t *lexicon) unmarked() bool {
	switch t.code {
	case "th", "lo", "km", "my", "bo":
		return true
	}
	return false
}
