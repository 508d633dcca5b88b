package textanalysis

import (
	"fmt"
	"strings"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/response"
)

// completeness looks at how much of what was asked was answered.
func (r *reading) completeness() response.QualityPart {
	asked := len(r.answers)
	if asked == 0 {
		return response.QualityPart{Name: partCompleteness, Score: 1, Reason: "No question was answered."}
	}
	full := r.count(substantial, closed)
	share := (float64(full) + 0.4*float64(r.count(unsure))) / float64(asked)
	p := response.QualityPart{
		Name:   partCompleteness,
		Score:  1 + 4*share,
		Reason: fmt.Sprintf("%d of %s answered with something to go on.", full, plural(asked, "question")),
		Rows:   r.rowsOf(ofKind(unsure, gibberish, skipped)),
	}
	switch progress := r.in.Response.Progress; {
	case progress == response.InProgress:
		p.Score = min(p.Score, 3)
		p.Reason += " The interview was not finished."
	case r.in.QuotaFull:
		p.Reason += " The interview ended because a quota was full."
	case progress == response.ScreenedOut:
		p.Reason += " The interview ended in screening."
	}
	return p
}

// attention looks for answers given without reading: random keys, one text for several questions, a matrix answered in one column
// from top to bottom.
func (r *reading) attention() response.QualityPart {
	p := response.QualityPart{Name: partAttention, Score: 5, Reason: "No sign of answers given without reading.", Rows: r.rowsOf(ofKind(gibberish))}
	var reasons []string
	if n := r.count(gibberish); n > 0 {
		share := float64(n) / float64(n+r.count(substantial, unsure))
		p.Score -= 1 + 3*share
		reasons = append(reasons, plural(n, "answer")+" that cannot be read")
	}
	said := map[string]bool{}
	repeats := 0
	for i := range r.answers {
		// Short answers repeat by nature: the same "yes" to two questions is no sign.
		if a := &r.answers[i]; a.kind == substantial && a.words >= 4 {
			text := plain(a.Text)
			if said[text] {
				repeats++
				p.Rows = append(p.Rows, a.rows()...)
			}
			said[text] = true
		}
	}
	if repeats > 0 {
		p.Score -= 1 + 3*float64(repeats)/float64(max(1, r.count(substantial)))
		reasons = append(reasons, plural(repeats, "answer")+" repeated word for word")
	}
	lines, matrices := 0, 0
	for i := range r.answers {
		if a := &r.answers[i]; a.kind == closed && a.item.Type == guide.Matrix {
			matrices++
			if rows := straight(a.Text); rows >= 4 {
				lines++
				p.Score -= min(2, float64(rows)/4)
				p.Rows = append(p.Rows, a.rows()...)
			}
		}
	}
	if lines > 0 {
		reasons = append(reasons, fmt.Sprintf("%d of %s answered in one column throughout", lines, plural(matrices, "rating grid")))
	}
	if len(reasons) > 0 {
		p.Reason = upperFirst(list(reasons)) + "."
	}
	return p
}

// straight returns the number of rows of a matrix answer if all have the same column, and 0 otherwise.
func straight(text string) int {
	rows, column := 0, ""
	for line := range strings.SplitSeq(text, "\n") {
		at := strings.LastIndex(line, ": ")
		if at < 0 {
			continue
		}
		if c := line[at:]; rows == 0 {
			column = c
		} else if c != column {
			return 0
		}
		rows++
	}
	return rows
}
