package analysis

import (
	"verbatim/internal/domain/evidence"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/textanalysis"
)

// Verifier checks statements about several interviews by the rules that hold for a Model's.
type Verifier struct{ v *verifier }

// NewVerifier returns a Verifier of statements that rest on some exchanges. Nothing is counted of them, so a statement contains
// no number that nobody said.
func NewVerifier(exchanges []interview.Exchange) *Verifier {
	v := newVerifier(textanalysis.Input{Exchanges: exchanges})
	v.counts = map[string]int{}
	return &Verifier{v}
}

// Statement verifies one statement, which may be as long as one of a summary. The rows of the claim's spans are the places of
// the exchanges, from 1. ok is false where the statement must not be shown.
func (v *Verifier) Statement(text string, quotes []string) (_ response.Claim, ok bool) {
	return v.v.claim(response.PartSummary, statement{Text: text, Quotes: quotes})
}

// Text returns the words of a span.
func (v *Verifier) Text(span evidence.Span) string { return v.v.turns.Text(span) }
