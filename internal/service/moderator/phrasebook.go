package moderator

import (
	"strings"
	"sync"

	"verbatim/internal/domain/interview"
)

// need names what a follow-up asks for. No need is asked for twice about one question.
type need int

const (
	more       need = iota // whatever else belongs to what was said
	standsOut              // which part of it stands out
	matters                // which part of it matters most
	other                  // what else comes to mind
	after                  // what happened then
	before                 // what led up to it
	thoughts               // what went through the participant's mind
	lastTime               // how it was the last time
	origin                 // how a habit came about
	view                   // what has led to an opinion
	judged                 // in what way a judgement holds
	thing                  // more about a thing that was named
	change                 // what a change is like
	figure                 // what a number is like
	feeling                // what a feeling was like
	difference             // what a wish would change
	choice                 // which of several things matters most
	worth                  // what makes the chosen thing matter
	certain                // which part of a hedged answer is certain
	condition              // what it depends on
	inWords                // words instead of signs
	onceMore               // the answer once more, where it cannot be read
	ownAnswer              // an answer, where the question came back
	setAside               // an answer, where the participant asked something
	asMeant                // an answer, where the question was unclear
	needs                  // how many there are
)

// kinds maps a need to the kind of its probes.
var kinds = [needs]interview.ProbeKind{
	more: interview.Descriptive, standsOut: interview.Descriptive, matters: interview.Explanatory, other: interview.Descriptive,
	after: interview.Descriptive, before: interview.Descriptive, thoughts: interview.Idiographic, lastTime: interview.Idiographic,
	origin: interview.Explanatory, view: interview.Explanatory, judged: interview.Clarifying, thing: interview.Clarifying,
	change: interview.Descriptive, figure: interview.Descriptive, feeling: interview.Descriptive, difference: interview.Explanatory,
	choice: interview.Clarifying, worth: interview.Explanatory, certain: interview.Clarifying, condition: interview.Clarifying,
	inWords: interview.Clarifying, onceMore: interview.Clarifying, ownAnswer: interview.Clarifying, setAside: interview.Clarifying, asMeant: interview.Clarifying,
}

// cue names words by which a class of answers is recognized.
type cue int

const (
	ending       cue = iota // the participant goes: "stop", "bye"
	endingHere              // what only the interview can be: "here", "the questions"
	polite                  // words that say nothing: "please", "really", "want"
	refusal                 // the participant will not speak of it
	finished                // there is no more to say, in a short answer
	nothing                 // nothing to say, as the complete answer
	none                    // "nothing", as the first word of a sentence
	lacking                 // what there is nothing of: "more", "missing"
	contrast                // what takes a statement back: "except"
	supposed                // verbs of what is not so: "would"
	yes                     // as the complete answer, with no
	no                      // as the complete answer, and at the beginning of one
	asking                  // a question that cannot be answered with yes or no
	closing                 // a question whether there is more to say
	death                   // with kin
	lost                    // before kin
	kin                     // persons and pets
	despair                 // distress by itself
	oneOccasion             // a question about one occasion
	past                    // when something happened
	habit                   // how often something happens
	opinion                 // an opinion is stated
	opinionAsked            // a question about one
	hedge                   // two of them make an answer uncertain
	depends                 // it depends
	wish                    // a wish is stated
	wishAsked               // a question about one
	formerly                // with nowadays: a contrast
	nowadays                // with formerly
	changeAsked             // a question about a change
	felt                    // a feeling is named
	feelingAsked            // a question about one
	amountAsked             // a question about a number
	numeral                 // a number in words
	judgement               // a word that judges and says little by itself
	degree                  // how much: "very", "too", "not"
	negation                // turns a judgement round
	article                 // before a thing
	connective              // in a thing: "of the"
	because                 // a reason follows
	unclear                 // the participant does not understand the question
	either                  // "or"
	and                     // before the last thing of a list
	cues                    // how many there are
)

// quoteMark is the placeholder in a probe for the participant's words with their quotation marks. It stands apart from the rest of
// its sentence, so that no language has to inflect anything around it.
const quoteMark = "{q}"

// phrasebook holds what the moderator can say and understand in one language.
type phrasebook struct {
	language    string
	open, close string // quotation marks
	probes      [needs][]string
	cues        [cues]string // separated by |; a star at the end stands for any ending
	elides      bool         // an apostrophe ends a word: l'an

	lists    [cues]phrases
	function map[string]bool // folded
}

var books = map[string]func() *phrasebook{
	"en": sync.OnceValue(bookEnglish), "de": sync.OnceValue(bookGerman), "fr": sync.OnceValue(bookFrench), "es": sync.OnceValue(bookSpanish),
	"pt": sync.OnceValue(bookPortuguese), "it": sync.OnceValue(bookItalian), "nl": sync.OnceValue(bookDutch), "ja": sync.OnceValue(bookJapanese),
	"zh": sync.OnceValue(bookChinese), "zh-TW": sync.OnceValue(bookTaiwan), "zh-HK": sync.OnceValue(bookHongKong), "ar": sync.OnceValue(bookArabic),
}

// bookFor returns the phrasebook of a language code, or of its base language (en for en-medical), or nil. An interview without a
// language is held in English.
func bookFor(code string) *phrasebook {
	if code == "" {
		code = "en"
	}
	if b := books[code]; b != nil {
		return b()
	}
	base, _, _ := strings.Cut(code, "-")
	if b := books[base]; b != nil {
		return b()
	}
	return nil
}
