package reporting

import (
	"fmt"
	"slices"
	"strings"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/tables"
)

// OnlyError means that responses cannot be selected as asked.
type OnlyError struct{ Only, Reason string }

// Error implements error.
func (e *OnlyError) Error() string { return fmt.Sprintf("only %q: %s", e.Only, e.Reason) }

// only selects the responses that are counted.
type only struct {
	text         string // as the report names it
	about, value string
	of           func(a *answered) bool
}

// onlyOf reads a selection; nil for all responses.
func (s *schema) onlyOf(spec string, weighted bool) (*only, error) {
	if spec == "" {
		return nil, nil
	}
	about, value, found := strings.Cut(spec, "=")
	if !found {
		return nil, &OnlyError{spec, `give a question or param:NAME, "=" and a value`}
	}
	if weighted {
		return nil, &OnlyError{spec, "some responses cannot be selected and weighted at once"}
	}
	if name, isParam := strings.CutPrefix(about, paramPrefix); isParam {
		if name == "" || name[0] == '_' {
			return nil, &OnlyError{spec, "there is no such parameter"}
		}
		return &only{name + " = " + value, "the link's parameter " + name, value, func(a *answered) bool {
			given, present := a.URLParams[name]
			return present && given == value
		}}, nil
	}
	q := s.find(about)
	switch {
	case q == nil:
		return nil, &OnlyError{spec, "the study has no such question (give its id or number, or param:NAME)"}
	case q.kind != guide.MultipleChoice || len(q.concepts.ids) > 0:
		return nil, &OnlyError{spec, "only a multiple choice question that is not asked about concepts selects responses"}
	}
	place := q.options.place(value)
	if place < 0 {
		place = slices.Index(q.options.labels, value)
	}
	if place < 0 {
		return nil, &OnlyError{spec, "the question has no such option"}
	}
	return &only{q.text + " = " + q.options.labels[place], q.text, q.options.labels[place], func(a *answered) bool {
		for i := range a.visits {
			if m := &a.visits[i]; m.ItemID == q.id && m.Type == q.kind && slices.Contains(q.options.places(m.Chosen), place) {
				return true
			}
		}
		return false
	}}, nil
}

// section returns the section that names the selection.
func (o *only) section() *tables.Section {
	s := &tables.Section{Key: "only", Heading: "Some responses only"}
	t := tables.New("selection", "Selection", builtInSource, "about", "About", "value", "Value")
	t.Add(tables.Text(o.about), tables.Text(o.value))
	s.Tables = append(s.Tables, t)
	s.Say("All numbers are of responses for which {} is {}; others are counted nowhere. Open answers are sorted into the themes of the whole study.", t.At(0, "about"), t.At(0, "value"))
	return s
}
