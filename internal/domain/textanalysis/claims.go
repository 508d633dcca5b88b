package textanalysis

import (
	"strings"

	"verbatim/internal/domain/evidence"
	"verbatim/internal/domain/response"
)

// claim records a statement with the spans that it rests on. It is verified, because everything claimed here is quoted, retold or
// counted.
func (r *reading) claim(part response.Part, text string, spans ...evidence.Span) {
	r.claims = append(r.claims, response.Claim{Part: part, Text: text, Spans: spans, Verified: true})
}

// quoted returns where the words of a quotation stand in an answer: the passage that quotation shows, without the punctuation
// that it leaves out.
func (r *reading) quoted(a *answer, text string, words int) []evidence.Span {
	part, complete := clip(text, words)
	if complete {
		part = strings.TrimRight(part, ".。 ")
	}
	for _, i := range a.exchanges {
		if at := strings.Index(r.in.Exchanges[i].User, part); at >= 0 && part != "" {
			return []evidence.Span{{Row: Row(i), Start: at, End: at + len(part)}}
		}
	}
	return r.spans(a)
}

// spans returns spans that cover an answer, row by row.
func (r *reading) spans(a *answer) (spans []evidence.Span) {
	for _, i := range a.exchanges {
		if user := r.in.Exchanges[i].User; user != "" {
			spans = append(spans, evidence.Span{Row: Row(i), End: len(user)})
		}
	}
	return spans
}

// spansOf returns spans that cover all answers of the kinds.
func (r *reading) spansOf(kinds ...kind) (spans []evidence.Span) {
	for i := range r.answers {
		for _, k := range kinds {
			if r.answers[i].kind == k {
				spans = append(spans, r.spans(&r.answers[i])...)
			}
		}
	}
	return spans
}

// mentions returns where topics occur first.
func (r *reading) mentions(topics ...string) (spans []evidence.Span) {
	for _, topic := range topics {
		if span, ok := r.turns.Locate(topic); ok {
			spans = append(spans, span)
		}
	}
	return spans
}

// rows returns the transcript rows of an answer.
func (a *answer) rows() []int {
	rows := make([]int, len(a.exchanges))
	for i, e := range a.exchanges {
		rows[i] = Row(e)
	}
	return rows
}

// rowsOf returns the transcript rows of all answers that chosen accepts.
func (r *reading) rowsOf(chosen func(*answer) bool) (rows []int) {
	for i := range r.answers {
		if chosen(&r.answers[i]) {
			rows = append(rows, r.answers[i].rows()...)
		}
	}
	return rows
}

// ofKind returns a function that reports whether an answer is of one of the kinds.
func ofKind(kinds ...kind) func(*answer) bool {
	return func(a *answer) bool {
		for _, k := range kinds {
			if a.kind == k {
				return true
			}
		}
		return false
	}
}
