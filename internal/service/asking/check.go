package asking

import (
	"slices"

	"verbatim/internal/domain/interview"
	statements "verbatim/internal/domain/statement"
	"verbatim/internal/domain/textanalysis"
	"verbatim/internal/service/analysis"
)

const maxSentences = 6

// checker decides which sentences of a model may be shown. Beyond the checks of an analysis, which hold for one person's words:
//
//   - A sentence about many people has no number at all, and no word for how many of them: what one of them says of others is not
//     counted. Numbers beside a sentence are counted from its quotes.
//   - At least half of a sentence's words, without those of the question, stand in its quotes or in what they answer, and at
//     least one word in the quotes themselves.
type checker struct {
	passages []Passage
	verifier *analysis.Verifier
	language string // of the study
	question []textanalysis.QueryWord
}

func newChecker(question, language string, passages []Passage) *checker {
	exchanges := make([]interview.Exchange, len(passages))
	for i, p := range passages {
		exchanges[i] = interview.Exchange{ItemID: p.QuestionID, Moderator: p.Asked, User: p.Said}
	}
	return &checker{passages, analysis.NewVerifier(exchanges), language, textanalysis.QueryWords(question, "en")}
}

// sentence verifies one sentence.
func (c *checker) sentence(s statement) (Sentence, bool) {
	claim, ok := c.verifier.Statement(s.Text, s.Quotes)
	if !ok || statements.HasNumber(claim.Text, "en") || statements.HasNumber(claim.Text, c.language) {
		return Sentence{}, false
	}
	checked := Sentence{Text: claim.Text}
	people := map[string]bool{}
	var quotes, said, asked []string
	for _, span := range claim.Spans {
		p := c.passages[span.Row-1]
		text := c.verifier.Text(span)
		quotes = append(quotes, text)
		said = append(said, textanalysis.IndexTerms(text, "")...)
		asked = append(asked, textanalysis.IndexTerms(p.Asked, "")...)
		people[p.ResponseID] = true
		checked.Quotes = append(checked.Quotes, Quote{p.Place, text})
	}
	checked.Responses = len(people)
	return checked, !saysHowMany(claim.Text, quotes) && c.restsOn(claim.Text, said, asked)
}

// restsOn reports whether a sentence is about what its quotes say.
func (c *checker) restsOn(text string, said, asked []string) bool {
	own, proved, quoted := 0, 0, 0
	for _, w := range textanalysis.QueryWords(text, "en") {
		inQuotes := has(w, said)
		if inQuotes {
			quoted++
		}
		if slices.ContainsFunc(c.question, func(q textanalysis.QueryWord) bool { return has(w, q.Forms) }) {
			continue
		}
		own++
		if inQuotes || has(w, asked) {
			proved++
		}
	}
	return quoted > 0 && 2*proved >= own
}

// has reports whether a word is among terms of any language. Stems are compared with stems, because the language of a quote is not
// known.
func has(w textanalysis.QueryWord, terms []string) bool {
	return slices.ContainsFunc(w.Forms, func(form string) bool { return slices.Contains(terms, form) })
}
