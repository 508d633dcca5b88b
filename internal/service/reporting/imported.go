package reporting

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"verbatim/internal/domain/document"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
)

// fromTexts reads the answers of an imported response, which has only their texts: an option is found by its words. unread counts
// the answers that no reading fits, and those to MaxDiff questions, because their texts do not say which options were shown.
func (s *schema) fromTexts(answers []document.Answer) (items []interview.VisitedItem, unread int) {
	for _, a := range answers {
		q := s.byID[a.QuestionID]
		if q == nil {
			unread++
			continue
		}
		m := interview.VisitedItem{ItemID: q.id, ConceptID: a.ConceptID, Type: q.kind}
		if strings.TrimSpace(a.Answer) == "" { // asked and skipped
			items = append(items, m)
			continue
		}
		answer, ok := q.fromText(&m, a.Answer)
		if !ok {
			unread++
			continue
		}
		m.Answers = []interview.Answer{answer}
		items = append(items, m)
	}
	return items, unread
}

func (q *question) fromText(m *interview.VisitedItem, text string) (a interview.Answer, ok bool) {
	switch q.kind {
	case guide.OpenEnded:
		return interview.Answer{Text: text}, true
	case guide.MultipleChoice:
		m.Options = q.options.all()
		m.Chosen, ok = q.choices(text)
	case guide.Ranking:
		for line := range strings.SplitSeq(text, "\n") {
			place := slices.Index(q.options.labels, strings.TrimPrefix(line, fmt.Sprintf("%d. ", len(a.Ranking)+1)))
			if place < 0 {
				return a, false
			}
			a.Ranking = append(a.Ranking, q.options.ids[place])
		}
		ok = true
	case guide.Matrix:
		m.Options = q.options.all()
		a.Cells, ok = q.cells(text)
	}
	return a, ok
}

// choices reads options separated by "; ". It tries the longest label first, because an option may itself contain the separator.
// What matches no option is the custom one, if there is one.
func (q *question) choices(text string) (chosen []guide.Option, ok bool) {
	const mark = "; "
	order := make([]int, len(q.options.ids))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(len(q.options.labels[b]), len(q.options.labels[a]))
	})
	custom := slices.IndexFunc(q.options.ids, isCustom)
	for text != "" {
		next := slices.IndexFunc(order, func(i int) bool {
			rest, found := strings.CutPrefix(text, q.options.labels[i])
			return found && (rest == "" || strings.HasPrefix(rest, mark))
		})
		place, length := custom, len(text)
		if next >= 0 {
			place, length = order[next], len(q.options.labels[order[next]])
		} else if end := strings.Index(text, mark); end >= 0 {
			length = end
		}
		if place < 0 {
			return nil, false
		}
		chosen = append(chosen, guide.Option{ID: q.options.ids[place]})
		text = strings.TrimPrefix(text[length:], mark)
	}
	return chosen, true
}

// cells reads lines of the form "row: column".
func (q *question) cells(text string) (map[string]string, bool) {
	cells := map[string]string{}
	for line := range strings.SplitSeq(text, "\n") {
		row := slices.IndexFunc(q.rows.labels, func(label string) bool { return strings.HasPrefix(line, label+": ") })
		if row < 0 {
			return nil, false
		}
		column := slices.Index(q.options.labels, line[len(q.rows.labels[row])+len(": "):])
		if column < 0 {
			return nil, false
		}
		cells[q.rows.ids[row]] = q.options.ids[column]
	}
	return cells, true
}

// all returns the entries as options.
func (e *entries) all() []guide.Option {
	options := make([]guide.Option, len(e.ids))
	for i := range e.ids {
		options[i] = guide.Option{ID: e.ids[i], Text: e.labels[i]}
	}
	return options
}
