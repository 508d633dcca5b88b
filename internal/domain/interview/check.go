package interview

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/strictjson"
)

// MaxText is the maximum length of a text, in characters.
const MaxText = 20_000

// MaxCustomText is the maximum length of a custom option's text, in characters: it is carried forward like any option. Logs
// written before this bound existed may hold longer texts.
const MaxCustomText = guide.MaxOptionText

// fields lists the answer fields that each type of item accepts. Recordings are accepted with every answer.
var fields = map[guide.ItemType][]string{
	guide.OpenEnded:      {"text"},
	guide.MultipleChoice: {"selected"}, // and customText, if the item allows it
	guide.Ranking:        {"ranking"},
	guide.Matrix:         {"cells"},
	guide.MaxDiff:        {"best", "worst"},
	guide.FileUpload:     {"uploads"},
}

// issueList collects what is wrong with one answer.
type issueList []strictjson.Issue

func (f *issueList) add(code, expected, received, message string, path ...string) {
	if len(*f) < strictjson.MaxIssues {
		*f = append(*f, strictjson.Issue{Path: path, Message: message, Code: code, Expected: expected, Received: received})
	}
}

// check returns everything that is wrong with an answer to the step that the visit is at.
func (v *visit) check(at StepKind, a *Answer) []strictjson.Issue {
	var f issueList
	if at == StepFollowUp {
		f.unexpected(a, fields[guide.OpenEnded])
		f.text(a)
		return f
	}
	own := fields[v.item.Type]
	if v.item.AllowCustomOption {
		own = []string{"selected", "customText"}
	}
	f.unexpected(a, own)
	switch v.item.Type {
	case guide.OpenEnded:
		f.text(a)
	case guide.MultipleChoice:
		v.checkChoice(&f, a)
	case guide.Ranking:
		if ranked := f.ids("ranking", a.Ranking, v.options); len(ranked) < len(v.options) {
			f.add(strictjson.TooSmall, strconv.Itoa(len(v.options)), strconv.Itoa(len(ranked)), "Rank every option", "ranking")
		}
	case guide.Matrix:
		v.checkMatrix(&f, a)
	case guide.MaxDiff:
		v.checkMaxDiff(&f, a)
	case guide.FileUpload:
		f.uploads(a)
	}
	return f
}

// checkNew returns what is wrong with an answer that older logs may hold but that is no longer accepted.
func checkNew(a *Answer) []strictjson.Issue {
	var f issueList
	f.length("customText", a.CustomText, MaxCustomText)
	return f
}

// unexpected reports the fields that are set but do not belong to the step.
func (f *issueList) unexpected(a *Answer, own []string) {
	for _, field := range []struct {
		name, kind string
		set        bool
	}{
		{"text", "string", a.Text != ""},
		{"selected", "array", len(a.Selected) > 0},
		{"customText", "string", a.CustomText != ""},
		{"ranking", "array", len(a.Ranking) > 0},
		{"cells", "object", len(a.Cells) > 0},
		{"best", "string", a.Best != ""},
		{"worst", "string", a.Worst != ""},
		{"uploads", "array", len(a.Uploads) > 0},
	} {
		if field.set && !slices.Contains(own, field.name) {
			f.add(strictjson.UnrecognizedKeys, "undefined", field.kind, "This step takes no "+field.name, field.name)
		}
	}
}

func (f *issueList) text(a *Answer) {
	if strings.TrimSpace(a.Text) == "" && a.Recordings == (Recordings{}) {
		f.add(strictjson.TooSmall, "text or a recording", "nothing", "An answer needs text or a recording", "text")
	}
	f.length("text", a.Text, MaxText)
}

func (f *issueList) length(field, text string, longest int) {
	if count := utf8.RuneCountInString(text); count > longest {
		limit := strconv.Itoa(longest)
		f.add(strictjson.TooBig, limit, strconv.Itoa(count), "At most "+limit+" characters", field)
	}
}

// ids reports unknown and repeated option ids, and returns the positions of the valid ones by id.
func (f *issueList) ids(field string, ids []string, options []guide.Option) map[string]int {
	known := make(map[string]bool, len(options))
	for _, option := range options {
		known[option.ID] = true
	}
	good := make(map[string]int, len(ids))
	for i, id := range ids {
		if !known[id] {
			f.unknown(id, field, strconv.Itoa(i))
		} else if first, twice := good[id]; twice {
			f.add(strictjson.Custom, "each option once", clip(id), "Already at "+strconv.Itoa(first), field, strconv.Itoa(i))
		} else {
			good[id] = i
		}
	}
	return good
}

func (f *issueList) unknown(id string, path ...string) {
	f.add(strictjson.InvalidEnumValue, "an option of this step", clip(id), "No option of this step has this id", path...)
}

func (v *visit) checkChoice(f *issueList, a *Answer) {
	good := f.ids("selected", a.Selected, v.options)
	count := len(good)
	if a.CustomText != "" && v.item.AllowCustomOption {
		count++
		if strings.TrimSpace(a.CustomText) == "" {
			f.add(strictjson.TooSmall, "text", "blank", "A custom option needs text", "customText")
		}
		f.length("customText", a.CustomText, MaxText)
	}
	least, limit := max(v.minSelect, 1), v.maxSelect
	if !v.item.MultiSelect {
		limit = 1
	} else if place, found := v.exclusive(good); found {
		least = 1
		if count > 1 {
			f.add(strictjson.Custom, "this option alone", strconv.Itoa(count), "This option excludes the others",
				"selected", strconv.Itoa(place))
		}
	}
	if count < least {
		f.add(strictjson.TooSmall, strconv.Itoa(least), strconv.Itoa(count), "Choose at least "+strconv.Itoa(least), "selected")
	}
	if limit > 0 && count > limit {
		f.add(strictjson.TooBig, strconv.Itoa(limit), strconv.Itoa(count), "Choose at most "+strconv.Itoa(limit), "selected")
	}
}

// exclusive returns the position, in the answer, of the exclusive option among the chosen ones.
func (v *visit) exclusive(chosen map[string]int) (place int, found bool) {
	for _, option := range v.options {
		if place, found = chosen[option.ID]; found && option.Exclusive {
			return place, true
		}
	}
	return 0, false
}

func (v *visit) checkMatrix(f *issueList, a *Answer) {
	rows := make(map[string]bool, len(v.item.Rows))
	for _, row := range v.item.Rows {
		rows[row.ID] = true
		column, given := a.Cells[row.ID]
		if !given {
			f.add(strictjson.InvalidType, "string", "undefined", "Rate every row", "cells", row.ID)
		} else if v.option(column).ID == "" {
			f.unknown(column, "cells", row.ID)
		}
	}
	for _, row := range slices.Sorted(maps.Keys(a.Cells)) {
		if !rows[row] {
			f.add(strictjson.UnrecognizedKeys, "a row of this step", clip(row), "No row of this step has this id", "cells", clip(row))
		}
	}
}

func (v *visit) checkMaxDiff(f *issueList, a *Answer) {
	screen := v.screens[len(v.answers)]
	for _, pick := range []struct{ field, id string }{{"best", a.Best}, {"worst", a.Worst}} {
		if pick.id == "" {
			f.add(strictjson.InvalidType, "string", "undefined", "Choose one option", pick.field)
		} else if !slices.ContainsFunc(screen, func(o guide.Option) bool { return o.ID == pick.id }) {
			f.unknown(pick.id, pick.field)
		}
	}
	if a.Best != "" && a.Best == a.Worst {
		f.add(strictjson.Custom, "another option than best", clip(a.Worst), "Best and worst must differ", "worst")
	}
}

func (f *issueList) uploads(a *Answer) {
	if len(a.Uploads) == 0 {
		f.add(strictjson.TooSmall, "1", "0", "Upload at least one file", "uploads")
	}
	seen := make(map[string]bool, len(a.Uploads))
	for i, id := range a.Uploads {
		if id == "" || seen[id] {
			f.add(strictjson.Custom, "an upload id, each once", clip(id), "Name each upload once", "uploads", strconv.Itoa(i))
		}
		seen[id] = true
	}
}

// clip truncates untrusted input for an error message.
func clip(s string) string {
	const maxRunes = 80
	if utf8.RuneCountInString(s) <= maxRunes {
		return s
	}
	return string([]rune(s)[:maxRunes]) + "…"
}
