package guardrail

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// negations are the words by which a clause of the author's instructions forbids something, with a verb of mentioning beside it.
var (
	negations     = set("not never dont nicht nie kein keine keinen niemals ne pas jamais no nunca sin non mai senza não nao sem niet nooit geen لا لن بدون دون")
	denseNegation = regexp.MustCompile(`不|别|勿|莫|ない|しない|せず|避け`)
	denseMention  = regexp.MustCompile(`提|说|谈|评价|透露|触れ|話|言|名前`)
)

// divided parts the author's instructions into what may be spoken of and what may not. A clause that forbids to mention forbids all its
// words.
func (g *Guard) divided(instructions string) (allowed, forbidden string) {
	clauses := strings.FieldsFunc(instructions, func(r rune) bool { return strings.ContainsRune(".,;!。，、；؛،", r) })
	for _, clause := range clauses {
		words := g.lexicon.wordsOf(clause)
		negated := slices.ContainsFunc(words, func(w string) bool { return negations[w] })
		mentions := slices.ContainsFunc(words, func(w string) bool { return g.vocabulary.of(fold(w)).has(tellClass) || strings.HasPrefix(w, "name") })
		if g.vocabulary.dense() {
			negated, mentions = denseNegation.MatchString(clause), denseMention.MatchString(clause)
		}
		if negated && mentions {
			forbidden += clause + ". "
		} else {
			allowed += clause + ". "
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
		for i, w := range words {
			runes := []rune(w)
			inside := i > 0 && !strings.Contains(p.text, ". "+w) && !strings.Contains(p.text, ": "+w)
			name := unicode.IsUpper(runes[0]) && (inside || len(runes) > 1 && unicode.IsUpper(runes[1]))
			figure := unicode.IsDigit(runes[0]) && len(runes) > 1
			word := fold(w)
			if (name || p.quoted || figure) && len(runes) > 1 && !g.vocabulary.of(word).has(generalClasses) {
				names = append(names, word)
			}
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
