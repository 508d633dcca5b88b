package moderator

import "strings"

// stage is the kind of information that a probe asks for.
type stage int

const (
	meaning stage = iota // what a word stands for
	example              // a concrete event
	process              // how it went, what else happened
	effect               // what it changes
	reason               // why
)

// quoteMark is the placeholder in a probe for the participant's words with their quotation marks.
const quoteMark = "{q}"

// wording is one way to ask. It holds exactly one question or request.
type wording struct {
	stage stage
	text  string
}

// phrasebook holds what the moderator can say and understand in one language. Phrases to understand are normalised: lower case,
// without apostrophes, words separated by single spaces.
type phrasebook struct {
	open, close string // quotation marks
	probes      []wording
	vague       []string // judgements that say little until they are explained
	stop        []string // the participant wants no more questions, anywhere in the answer
	unsure      []string // nothing more to say, if it is (nearly) the complete answer
	nothing     []string // nothing to say, if it is the complete answer
	fillers     []string // openings that a quote leaves out, longer ones first
	joins       []string // words before which a clause ends
	ands        []string // words at which a long clause may be cut
	endings     []string // endings that a quote leaves out
	settled     []string // signs of a particular event or of a wish, for which an example cannot be asked
}

var english = bookEnglish

var books = map[string]*phrasebook{
	"en": bookEnglish, "de": bookGerman, "fr": bookFrench, "es": bookSpanish, "pt": bookPortuguese, "it": bookItalian, "nl": bookDutch,
	"ja": bookJapanese, "zh": bookChinese, "zh-TW": bookTaiwan, "zh-HK": bookHongKong, "ar": bookArabic,
}

// bookFor returns the phrasebook of a language code, or of its base language (en for en-medical), or nil. An interview without a
// language is held in English.
func bookFor(code string) *phrasebook {
	if code == "" {
		return english
	}
	if b, ok := books[code]; ok {
		return b
	}
	base, _, _ := strings.Cut(code, "-")
	return books[base]
}
