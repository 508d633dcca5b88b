package statement

import (
	"strings"
	"sync"
)

// The kinds of words that turn a sentence around, or that say whose it is.
const (
	wordNot   = "not"   // negations
	wordIf    = "if"    // conditions
	wordEven  = "even"  // phrases that hold such a word and state no condition, or no negation
	wordHedge = "hedge" // doubts that stand before what is doubted
	wordSays  = "says"  // somebody else says, thinks or claims
	wordSaid  = "said"  // the same, unless the participant is the subject
	wordI     = "i"     // the participant as a subject
	wordIt    = "it"    // other subjects that are nobody in particular
	wordHe    = "he"    // somebody else as a subject
	wordKin   = "kin"   // people around the participant
	wordStaff = "staff" // other people, whom a statement may name
	wordOf    = "of"    // prepositions: a noun behind one is no subject
	wordThat  = "that"  // introduces what is said, thought or denied
	wordBreak = "break" // begins a clause of its own
	wordPast  = "past"  // contrasts what was with what is
	wordWish  = "wish"  // what is wished, expected or considered, not so
	wordWhy   = "why"   // gives, or asks for, a reason
)

// lexicon holds the words of a language by their kind. A phrase has single spaces.
type lexicon struct {
	code  string
	words map[string][]string
	sets  map[string]map[string]bool // the single words
}

// lexicons returns the known languages.
var lexicons = sync.OnceValue(func() map[string]*lexicon {
	all := map[string]*lexicon{}
	for code, table := range map[string]string{
		"en": lexiconEN, "de": lexiconDE, "fr": lexiconFR, "es": lexiconES, "it": lexiconIT, "pt": lexiconPT, "nl": lexiconNL,
		"ar": lexiconAR, "zh": lexiconZH, "ja": lexiconJA,
	} {
		all[code] = readLexicon(code, table)
	}
	return all
})

// readLexicon reads a table: each line has a kind, a colon, and its words divided by commas.
func readLexicon(code, table string) *lexicon {
	l := &lexicon{code: code, words: map[string][]string{}, sets: map[string]map[string]bool{}}
	for line := range strings.SplitSeq(strings.TrimSpace(table), "\n") {
		kind, list, _ := strings.Cut(line, ":")
		kind = strings.TrimSpace(kind)
		l.sets[kind] = map[string]bool{}
		for phrase := range strings.SplitSeq(list, ",") {
			if phrase = strings.TrimSpace(fold(phrase)); phrase != "" {
				l.words[kind] = append(l.words[kind], phrase)
				l.sets[kind][phrase] = true
			}
		}
	}
	return l
}

var noLexicon = readLexicon("", "")

func lexiconOf(code string) *lexicon {
	if l := lexicons()[code]; l != nil {
		return l
	}
	return noLexicon
}

// dense reports whether the language is written without spaces.
func (l *lexicon) dense() bool { return l.code == "zh" || l.code == "ja" }

// has reports whether a text has a word of a kind.
func (l *lexicon) has(kind, text string) bool {
	if l.dense() {
		for _, phrase := range l.words[wordEven] {
			text = strings.ReplaceAll(text, phrase, " ")
		}
		for _, phrase := range l.words[kind] {
			if strings.Contains(text, phrase) {
				return true
			}
		}
		return false
	}
	return l.within(kind, padded(wordsOf(text)))
}

// within is has for words that were divided before.
func (l *lexicon) within(kind, words string) bool {
	if kind == wordNot || kind == wordIf {
		for _, phrase := range l.words[wordEven] {
			words = strings.ReplaceAll(words, " "+phrase+" ", " ")
		}
	}
	for _, phrase := range l.words[kind] {
		if strings.Contains(words, " "+phrase+" ") {
			return true
		}
		if l.code == "ar" && (strings.Contains(words, " و"+phrase+" ") || strings.Contains(words, " ف"+phrase+" ")) {
			return true
		}
	}
	return false
}

// is reports whether a single word is of a kind.
func (l *lexicon) is(kind, form string) bool {
	if l.sets[kind][form] {
		return true
	}
	if l.code == "ar" {
		for _, prefix := range []string{"و", "ف"} {
			if rest, found := strings.CutPrefix(form, prefix); found && l.sets[kind][rest] {
				return true
			}
		}
	}
	return false
}
