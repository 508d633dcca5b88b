package participant

import (
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/strictjson"
)

// Names of the form's fields. Those of rankings and matrices are led on by an option's or a row's id.
const (
	fieldRank = "rank."
	fieldCell = "cell."
)

// fault is something wrong with a form: the key of the words that say it, and the number in them.
type violation struct {
	key string
	n   int
}

// readForm makes the answer to a step out of its form. It finds only the faults that an answer could not show: a
// ranking that is no order.
func readForm(at interview.Step, form url.Values) (a interview.Answer, violations []violation) {
	if at.Kind == interview.StepFollowUp {
		return interview.Answer{Text: typed(form, "text")}, nil
	}
	if at.Item == nil {
		return a, nil
	}
	switch at.Item.Type {
	case guide.OpenEnded:
		a.Text = typed(form, "text")
	case guide.MultipleChoice:
		a.Selected, a.CustomText = readChoice(at, form)
	case guide.Ranking:
		a.Ranking, violations = readRanking(at, form)
	case guide.Matrix:
		a.Cells = map[string]string{}
		for _, row := range at.Item.Rows {
			if column := form.Get(fieldCell + row.ID); column != "" {
				a.Cells[row.ID] = column
			}
		}
	case guide.MaxDiff:
		a.Best, a.Worst = form.Get("best"), form.Get("worst")
	}
	return a, violations
}

// typed is a text field: browsers send line ends as CRLF.
func typed(form url.Values, name string) string {
	return strings.ReplaceAll(form.Get(name), "\r\n", "\n")
}

// readChoice reads the options chosen and the custom one. Its text counts when its own button is on, when several may
// be chosen, and when nothing else is.
func readChoice(at interview.Step, form url.Values) (selected []string, custom string) {
	own := guide.CustomOptionID(at.Item.ID)
	chosen, seen := false, map[string]bool{}
	for _, id := range form["selected"] {
		if at.Item.AllowCustomOption && id == own {
			chosen = true
		} else if !seen[id] {
			seen[id] = true
			selected = append(selected, id)
		}
	}
	if !at.Item.AllowCustomOption {
		return selected, ""
	}
	text := typed(form, "customText")
	switch {
	case chosen && strings.TrimSpace(text) == "":
		return selected, " " // chosen without text: the engine says that it needs some
	case chosen || strings.TrimSpace(text) != "" && (at.Item.MultiSelect || len(selected) == 0):
		return selected, text
	}
	return selected, ""
}

// readRanking reads the order of a ranking; faults say what is wrong with it, each once.
func readRanking(at interview.Step, form url.Values) (ranking []string, violations []violation) {
	ranking = make([]string, len(at.Options))
	for _, option := range at.Options {
		place := placeOf(form.Get(fieldRank + option.ID))
		var wrong violation
		switch {
		case place < 1 || place > len(ranking):
			wrong = violation{key: "errRank", n: len(ranking)}
		case ranking[place-1] != "":
			wrong = violation{key: "errRankTwice", n: place}
		default:
			ranking[place-1] = option.ID
			continue
		}
		if !slices.Contains(violations, wrong) {
			violations = append(violations, wrong)
		}
	}
	if len(violations) > 0 {
		return nil, violations
	}
	return ranking, nil
}

// wrongPlaces returns the names of a ranking's fields that have no place, or one that another field has, too.
func wrongPlaces(at interview.Step, form url.Values) map[string]bool {
	given := map[int]int{}
	for _, option := range at.Options {
		given[placeOf(form.Get(fieldRank+option.ID))]++
	}
	wrong := map[string]bool{}
	for _, option := range at.Options {
		name := fieldRank + option.ID
		if place := placeOf(form.Get(name)); place < 1 || place > len(at.Options) || given[place] > 1 {
			wrong[name] = true
		}
	}
	return wrong
}

// placeOf reads a whole number as a field for numbers sends it, which may be 2.0; 0 where it is none.
func placeOf(text string) int {
	place, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || place != math.Trunc(place) || math.Abs(place) > math.MaxInt32 {
		return 0
	}
	return int(place)
}

// faultsOf says an answer's issues in the page's words, each once.
func violationsOf(wrong *interview.AnswerError) (violations []violation) {
	for _, issue := range wrong.Issues {
		n, _ := strconv.Atoi(issue.Expected)
		if f := (violation{key: errorKey(issue), n: n}); !slices.Contains(violations, f) {
			violations = append(violations, f)
		}
	}
	return violations
}

func errorKey(issue strictjson.Issue) string {
	field := ""
	if len(issue.Path) > 0 {
		field = issue.Path[0]
	}
	switch key := field + " " + issue.Code; {
	case issue.Code == strictjson.TooBig && field != "selected":
		return "errLong"
	case key == "text "+strictjson.TooSmall:
		return "errText"
	case key == "customText "+strictjson.TooSmall:
		return "errCustom"
	case key == "selected "+strictjson.TooSmall && issue.Expected == "1":
		return "errOne"
	case key == "selected "+strictjson.TooSmall:
		return "errAtLeast"
	case key == "selected "+strictjson.TooBig:
		return "errAtMost"
	case key == "selected "+strictjson.Custom:
		return "errExclusive"
	case field == "cells":
		return "errRows"
	case key == "worst "+strictjson.Custom:
		return "errDifferent"
	case field == "best" || field == "worst":
		return "errBestWorst"
	case field == "uploads":
		return "errUpload"
	}
	return "errOther"
}
