package textanalysis

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"verbatim/internal/domain/guide"
)

// closedSentence describes a closed answer: as a pick that can follow "They chose", or as a sentence of its own.
func (a *answer) closedSentence() (pick, sentence string) {
	about := question(a.Question)
	if a.ConceptTitle != "" {
		about += " about " + oneLine(a.ConceptTitle)
	}
	lines := a.lines()
	switch a.item.Type {
	case guide.MultipleChoice:
		return quoteAll(strings.Split(a.Text, "; ")) + " on " + about, ""
	case guide.Ranking:
		first, last := rankLine(lines[0]), rankLine(lines[len(lines)-1])
		if len(lines) < 2 {
			return "", fmt.Sprintf("On %s they ranked %s.", about, first)
		}
		return "", fmt.Sprintf("On %s they ranked %s first and %s last.", about, first, last)
	case guide.Matrix:
		return "", fmt.Sprintf("On %s they answered %s.", about, ratings(lines))
	case guide.MaxDiff:
		best, worst := extremes(lines)
		if best == "" || worst == "" {
			return "", ""
		}
		return "", fmt.Sprintf("On %s they most often put %s at the top and %s at the bottom.", about, best, worst)
	case guide.FileUpload:
		return "", fmt.Sprintf("They uploaded a file for %s.", about)
	default:
		return "", ""
	}
}

// closedShort returns a closed answer for a bullet.
func (a *answer) closedShort() string {
	lines := a.lines()
	switch a.item.Type {
	case guide.Ranking:
		return rankLine(lines[0]) + " ranked first"
	case guide.Matrix:
		return ratings(lines)
	case guide.MaxDiff:
		best, worst := extremes(lines)
		return best + " most, " + worst + " least"
	case guide.FileUpload:
		return "a file"
	default:
		return quoteAll(strings.Split(a.Text, "; "))
	}
}

// lines returns the lines of a closed answer, one for each rank, row or screen. A label that contains line breaks is put on one
// line.
func (a *answer) lines() (lines []string) {
	prefix := func(int) string { return "" }
	switch a.item.Type {
	case guide.Ranking:
		prefix = func(i int) string { return strconv.Itoa(i+1) + ". " }
	case guide.MaxDiff:
		prefix = func(int) string { return "Most: " }
	case guide.Matrix:
		if n := len(a.item.Rows); n > 0 && strings.HasPrefix(a.Text, a.item.Rows[0].Text+": ") { // otherwise they are in another language
			prefix = func(i int) string {
				if i >= n {
					return "\x00" // occurs in no text: there are no more rows
				}
				return a.item.Rows[i].Text + ": "
			}
		}
	}
	rest, found := a.Text, true
	for i := 1; found; i++ {
		var line string
		if line, rest, found = strings.Cut(rest, "\n"+prefix(i)); found {
			rest = prefix(i) + rest
		}
		lines = append(lines, unbroken(line))
	}
	return lines
}

// unbroken returns a label with a space for each line break and other control character, and otherwise letter for letter.
func unbroken(label string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, strings.ReplaceAll(label, "\r\n", "\n")))
}

// quoteAll quotes up to four choices, and counts the others.
func quoteAll(choices []string) string {
	var quoted []string
	for i, c := range choices {
		if i == 4 && len(choices) > 5 {
			quoted = append(quoted, fmt.Sprintf("%d more", len(choices)-4))
			break
		}
		quoted = append(quoted, quotation(unbroken(c), bulletWords))
	}
	return list(quoted)
}

var rankNumber = regexp.MustCompile(`^\d+\.\s*`)

func rankLine(line string) string {
	return quotation(strings.TrimSpace(rankNumber.ReplaceAllString(line, "")), bulletWords)
}

// ratings groups the rows of a matrix by their column: “Good” for Speed and Price, “Poor” for Support.
func ratings(lines []string) string {
	var columns []string
	rows := map[string][]string{}
	for _, line := range lines {
		at := strings.LastIndex(line, ": ")
		if at < 0 {
			continue
		}
		row, column := strings.TrimSpace(line[:at]), strings.TrimSpace(line[at+2:])
		if rows[column] == nil {
			columns = append(columns, column)
		}
		rows[column] = append(rows[column], row)
	}
	var parts []string
	for _, c := range columns {
		about := rows[c]
		if more := len(about) - 4; more > 1 {
			about = append(slices.Clone(about[:4]), fmt.Sprintf("%d more", more))
		}
		parts = append(parts, quotation(c, bulletWords)+" for "+list(about))
	}
	if len(parts) > 1 {
		return strings.Join(parts, "; ")
	}
	return strings.Join(parts, "")
}

// extremes returns the options most often chosen as best and as worst over the screens of a MaxDiff, quoted.
func extremes(lines []string) (best, worst string) {
	first, last := map[string]int{}, map[string]int{}
	for _, line := range lines {
		top, bottom, found := strings.Cut(strings.TrimPrefix(line, "Most: "), "; Least: ")
		if found {
			first[strings.TrimSpace(top)]++
			last[strings.TrimSpace(bottom)]++
		}
	}
	top := func(counts map[string]int) string {
		best := ""
		for option, n := range counts {
			if best == "" || cmp.Or(cmp.Compare(n, counts[best]), cmp.Compare(best, option)) > 0 {
				best = option
			}
		}
		if best == "" {
			return ""
		}
		return quotation(best, bulletWords)
	}
	return top(first), top(last)
}
