package pages

import (
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
)

// Prefixes of the names of form fields: an option's id follows for rankings, and a row's id for matrices.
const (
	fieldRank = "rank."
	fieldCell = "cell."
)

// violation is an error in a form: the key of its message, and the number in that message.
type violation struct {
	key string
	n   int
}

// readForm returns the answer in a step's form. It returns only the violations that an answer cannot express: a ranking with
// missing or repeated places.
func readForm(at interview.Step, form url.Values) (a interview.Answer, violations []violation) {
	if at.Kind == interview.StepFollowUp {
		return interview.Answer{Text: textField(form, "text")}, nil
	}
	if at.Item == nil {
		return a, nil
	}
	switch at.Item.Type {
	case guide.OpenEnded:
		a.Text = textField(form, "text")
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

// textField returns a text field with line ends as LF. Browsers send them as CRLF.
func textField(form url.Values, name string) string {
	return strings.ReplaceAll(form.Get(name), "\r\n", "\n")
}

// readChoice returns the selected options and the custom text. The text counts if its own button is selected, if several options may
// be selected, or if no other option is.
func readChoice(at interview.Step, form url.Values) (selected []string, custom string) {
	customID := guide.CustomOptionID(at.Item.ID)
	customSelected, seen := false, map[string]bool{}
	for _, id := range form["selected"] {
		if at.Item.AllowCustomOption && id == customID {
			customSelected = true
		} else if !seen[id] {
			seen[id] = true
			selected = append(selected, id)
		}
	}
	if !at.Item.AllowCustomOption {
		return selected, ""
	}
	text := textField(form, "customText")
	switch {
	case customSelected && strings.TrimSpace(text) == "":
		return selected, " " // selected without text: the engine reports that it needs some
	case customSelected || strings.TrimSpace(text) != "" && (at.Item.MultiSelect || len(selected) == 0):
		return selected, text
	}
	return selected, ""
}

// readRanking returns the order of a ranking, or its violations, each once.
func readRanking(at interview.Step, form url.Values) (ranking []string, violations []violation) {
	ranking = make([]string, len(at.Options))
	for _, option := range at.Options {
		rank := parseRank(form.Get(fieldRank + option.ID))
		var wrong violation
		switch {
		case rank < 1 || rank > len(ranking):
			wrong = violation{key: "errRank", n: len(ranking)}
		case ranking[rank-1] != "":
			wrong = violation{key: "errRankTwice", n: rank}
		default:
			ranking[rank-1] = option.ID
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

// invalidRanks returns the names of a ranking's fields whose rank is missing, invalid, or given twice.
func invalidRanks(at interview.Step, form url.Values) map[string]bool {
	count := map[int]int{}
	for _, option := range at.Options {
		count[parseRank(form.Get(fieldRank+option.ID))]++
	}
	invalid := map[string]bool{}
	for _, option := range at.Options {
		name := fieldRank + option.ID
		if rank := parseRank(form.Get(name)); rank < 1 || rank > len(at.Options) || count[rank] > 1 {
			invalid[name] = true
		}
	}
	return invalid
}

// parseRank parses an integer as number fields send it, which may be 2.0. It returns 0 for anything else.
func parseRank(text string) int {
	rank, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || rank != math.Trunc(rank) || math.Abs(rank) > math.MaxInt32 {
		return 0
	}
	return int(rank)
}

// violationsOf converts an answer's issues to violations, each once. fieldErrorsOf in web/participant/field_errors.ts does the same for
// the app.
func violationsOf(wrong *interview.AnswerError) (violations []violation) {
	for _, issue := range wrong.Issues {
		n, _ := strconv.Atoi(issue.Expected)
		if f := (violation{key: rules.errorKey(issue), n: n}); !slices.Contains(violations, f) {
			violations = append(violations, f)
		}
	}
	return violations
}
