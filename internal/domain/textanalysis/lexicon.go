package textanalysis

// Lexicon maps the forms of words to stems, in one language, to count what many answers are about.
type Lexicon struct{ lang *language }

// LexiconOf returns the Lexicon of a language code, unless the texts clearly are in another known language.
func LexiconOf(code string, texts ...string) Lexicon { return Lexicon{languageOf(code, texts)} }

// Sentence is one sentence of a text, letter for letter.
type Sentence struct {
	Text     string
	Terms    []Term
	Quotable bool // it says something, and may be read back: no address, no long number, no random keys
	Words    int
}

// Term is a word that carries a topic. Its stem is for counting, its form for display.
type Term struct {
	Stem, Form string
	Weight     float64 // how likely it names a topic
}

// Sentences splits a text.
func (l Lexicon) Sentences(text string) []Sentence {
	r := reading{lang: l.lang}
	var all []Sentence
	for _, s := range sentences(text, l.lang) {
		one := Sentence{
			Text: s.text, Words: s.words,
			Quotable: s.words >= 3 && quotable(s.text) && !isGibberish(s.text) && !saysNothing(s.text),
		}
		for i := range s.tokens {
			if t := &s.tokens[i]; t.stem != "" {
				one.Terms = append(one.Terms, Term{t.stem, r.form(s.tokens, i), t.weight})
			}
		}
		all = append(all, one)
	}
	return all
}
