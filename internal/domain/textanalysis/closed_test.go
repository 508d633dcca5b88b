package textanalysis

import (
	"testing"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
)

// TestLabelsOfSeveralLines: a line break in a label does not divide it.
func TestLabelsOfSeveralLines(t *testing.T) {
	t.Parallel()
	rows := []guide.Row{{ID: "1", Text: "=row: and\nNEWLINE\u007fDEL"}, {ID: "2", Text: "plain"}}
	for _, tt := range []struct {
		item guide.Item
		text string
		want string
	}{
		{guide.Item{Type: guide.Matrix, Rows: rows}, "=row: and\nNEWLINE\u007fDEL: =col\r\nb\nplain: poor", "“=col b” for =row: and NEWLINE DEL; “poor” for plain"},
		{guide.Item{Type: guide.Matrix, Rows: rows}, "eine: gut\nzweite: gut", "“gut” for eine and zweite"},
		{guide.Item{Type: guide.Ranking}, "1. first\nof all\n2. second", "“first of all” ranked first"},
		{guide.Item{Type: guide.MaxDiff}, "Most: a\nb; Least: c\nd\nMost: a\nb; Least: e", "“a b” most, “c d” least"},
		{guide.Item{Type: guide.MultipleChoice}, "one\nline; two", "“one line” and “two”"},
	} {
		a := answer{Answered: interview.Answered{Text: tt.text}, item: &tt.item}
		if got := a.closedShort(); got != tt.want {
			t.Errorf("%q is %q, want %q", tt.text, got, tt.want)
		}
	}
}
