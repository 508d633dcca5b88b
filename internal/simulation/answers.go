package simulation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// answer chooses what the participant does at a step.
func (m *mind) answer(at step) (Body, error) {
	q := at.Question
	m.about = ""
	if at.Concept != nil {
		m.about = at.Concept.ID
	}
	switch {
	case at.Kind == "statement":
		return Body{}, nil
	case q == nil:
		return nil, fmt.Errorf("step %s of kind %q has no question", at.StepID, at.Kind)
	case at.Kind == "follow_up":
		return Body{"text": m.reply(at)}, nil
	}
	switch q.Type {
	case "open_ended":
		return Body{"text": m.compose(at)}, nil
	case "multiple_choice":
		return m.choose(q), nil
	case "ranking":
		return Body{"ranking": ids(m.byPreference(q.Options))}, nil
	case "matrix":
		return Body{"cells": m.rate(q)}, nil
	case "max_diff":
		ordered := m.byPreference(q.Options)
		if len(ordered) < 2 {
			return nil, fmt.Errorf("step %s compares fewer than two options", at.StepID)
		}
		return Body{"best": ordered[0].ID, "worst": ordered[len(ordered)-1].ID}, nil
	}
	return nil, fmt.Errorf("question %q is of type %q, which a simulated participant cannot answer", q.ID, q.Type)
}

// byPreference sorts options by the participant's preference, the most liked first.
func (m *mind) byPreference(options []option) []option {
	ordered := slices.Clone(options)
	slices.SortStableFunc(ordered, func(a, b option) int { return cmp.Compare(m.preference(b.Text), m.preference(a.Text)) })
	return ordered
}

func ids(options []option) []string {
	list := make([]string, len(options))
	for i, o := range options {
		list[i] = o.ID
	}
	return list
}

// choose selects at least minSelect and at most maxSelect options that may be combined, or the exclusive one alone, and
// occasionally writes a custom one.
func (m *mind) choose(q *question) Body {
	pool := slices.DeleteFunc(slices.Clone(q.Options), func(o option) bool { return o.Exclusive })
	exclusive := slices.IndexFunc(q.Options, func(o option) bool { return o.Exclusive })
	least, limit := max(q.MinSelect, 1), 1
	if q.MultiSelect {
		limit = min(cmp.Or(q.MaxSelect, len(pool)), 4)
		limit = max(limit, least)
	}
	pool = m.byScreening(q, pool)
	switch {
	case exclusive >= 0 && (len(pool) == 0 || m.choosesExclusive(q)):
		return Body{"selected": []string{q.Options[exclusive].ID}}
	case q.AllowCustomOption && (len(pool) < least || m.happens(6)):
		if !q.MultiSelect {
			return Body{"customText": m.pick("custom", customTexts)}
		}
		count := min(least-1+m.chance.IntN(limit-least+1), len(pool))
		return Body{"selected": ids(pool[:count]), "customText": m.pick("custom", customTexts)}
	}
	count := min(least+m.chance.IntN(limit-least+1), len(pool))
	return Body{"selected": ids(pool[:count])}
}

// byScreening sorts options by preference. In a screening question, options that keep the participant in the study come first,
// or, for an unfit participant, options that screen out.
func (m *mind) byScreening(q *question, options []option) []option {
	ordered := m.byPreference(options)
	if !m.screens(q) {
		return ordered
	}
	out := func(o option) bool { return slices.Contains(m.rejects[q.ID], o.ID) }
	if len(m.rejects) == 0 {
		out = func(o option) bool { return refuses(o.Text) }
	}
	slices.SortStableFunc(ordered, func(a, b option) int {
		if m.Unfit {
			return first(out(a), out(b))
		}
		return first(!out(a), !out(b))
	})
	if fit := slices.IndexFunc(ordered, out); !m.Unfit && fit >= max(q.MinSelect, 1) {
		return ordered[:fit]
	}
	return ordered
}

// screens reports whether a choice may screen out. If the caller did not set Rejects, the first two questions may.
func (m *mind) screens(q *question) bool {
	if len(m.rejects) > 0 {
		return len(m.rejects[q.ID]) > 0
	}
	return q.Number <= 2
}

// choosesExclusive reports whether the participant takes the exclusive option (None of these). In a screening question, where the
// others might screen out, a fit participant nearly always does.
func (m *mind) choosesExclusive(q *question) bool {
	switch {
	case !m.screens(q):
		return m.happens(10)
	case m.Unfit:
		return false
	}
	return m.happens(95)
}

func first(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// refuses recognizes, in English, an option that says no.
func refuses(text string) bool {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r < 'a' || r > 'z' })
	return slices.ContainsFunc(words, func(word string) bool { return slices.Contains([]string{"no", "never", "none", "not"}, word) })
}

// rate chooses a column for every row. It assumes that columns run from low to high; preference and mood decide how far.
func (m *mind) rate(q *question) map[string]string {
	cells := make(map[string]string, len(q.Rows))
	for _, row := range q.Rows {
		level := m.preference(row.Text) + 0.2*float64(m.Mood) + 0.3*(m.chance.Float64()-0.5)
		place := min(max(int(level*float64(len(q.Columns))), 0), len(q.Columns)-1)
		cells[row.ID] = q.Columns[place].ID
	}
	return cells
}
