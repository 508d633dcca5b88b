package reporting

import (
	"context"
	"math"
	"slices"
	"strings"

	"verbatim/internal/domain/keywords"
	"verbatim/internal/domain/tables"
	"verbatim/internal/domain/textanalysis"
)

// version is the version of the built-in analysis of studies. Raise it with every change that gives other results for the same
// answers.
const version = "4"

// builtInSource is the source of what this program finds without a model.
var builtInSource = tables.Source{Provider: textanalysis.Provider, Version: version}

// Keywords is the Themer that needs no model.
type Keywords struct{}

// Learn implements Themer. It never fails.
func (Keywords) Learn(_ context.Context, q OpenQuestion, sample []OpenAnswer) (Codebook, error) {
	var sentences []keywords.Sentence
	ignored, languages := map[string]bool{}, map[string]bool{}
	for _, said := range sample {
		if !languages[said.Language] {
			languages[said.Language] = true
			q.ignore(said.Language, ignored)
		}
		for _, sentence := range sentencesOf(said) {
			if sentence.Quotable {
				sentences = append(sentences, keywords.Sentence{Text: sentence.Text, Terms: sentence.Terms})
			}
		}
	}
	return keywordBook(keywords.Groups(sentences, ignored)), nil
}

// ignore adds the stems, in a language, of the words of the question and of its concepts: they say nothing about an answer.
func (q *OpenQuestion) ignore(language string, stems map[string]bool) {
	for _, text := range append([]string{q.Text}, q.Concepts...) {
		for _, sentence := range textanalysis.LexiconOf(language, text).Sentences(text) {
			for _, t := range sentence.Terms {
				stems[t.Stem] = true
			}
		}
	}
}

func sentencesOf(said OpenAnswer) (all []textanalysis.Sentence) {
	lexicon := textanalysis.LexiconOf(said.Language, said.Texts...)
	for _, text := range said.Texts {
		all = append(all, lexicon.Sentences(text)...)
	}
	return all
}

type keywordBook []keywords.Group

// Source implements Codebook.
func (keywordBook) Source() tables.Source { return builtInSource }

// Name implements Codebook.
func (b keywordBook) Name() string {
	if !slices.ContainsFunc(b, func(g keywords.Group) bool { return !g.Phrase }) {
		return "Frequent phrases"
	}
	return "Keyword groups"
}

// Themes implements Codebook.
func (b keywordBook) Themes() []Theme {
	themes := make([]Theme, len(b))
	for i, group := range b {
		themes[i] = Theme{group.Label, "answers that say one of these words, in any form: " + strings.Join(group.Words, ", ")}
		if group.Phrase {
			themes[i].Meaning = "answers that say these words next to each other, in any form: " + group.Label
		}
	}
	return themes
}

// bestLength is the ideal number of words of a quote; maxWords is the most that it may have.
const (
	bestLength = 14
	maxWords   = 45
)

// atLength weighs a number of words: 1 at bestLength, less for others; 0 for none and above maxWords.
func atLength(words int) float64 {
	if words == 0 || words > maxWords {
		return 0
	}
	return 1 / (1 + math.Abs(math.Log(float64(words)/bestLength)))
}

// Mentions implements Codebook: an answer mentions a group if it contains one of the group's words. The quote is the sentence
// with the most of them, weighted by its length. It never fails.
func (b keywordBook) Mentions(_ context.Context, said []OpenAnswer) ([][]Mention, error) {
	mentions := make([][]Mention, len(said))
	onAllProcessors(len(said), func(begin, end int) {
		for i := begin; i < end; i++ {
			mentions[i] = b.mentions(said[i])
		}
	})
	return mentions, nil
}

func (b keywordBook) mentions(said OpenAnswer) (mentions []Mention) {
	sentences := sentencesOf(said)
	for i := range b {
		m := Mention{Theme: i, Weight: -1}
		for _, s := range sentences {
			words := b[i].Find(s.Terms)
			if words == 0 {
				continue
			}
			weight := 0.0
			if s.Quotable {
				weight = float64(words) * atLength(s.Words)
			}
			if weight > m.Weight {
				m.Quote, m.Weight = s.Text, weight
			}
		}
		if m.Quote != "" {
			mentions = append(mentions, m)
		}
	}
	return mentions
}
