package masking_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"verbatim/internal/domain/masking"
)

// The corpus has a folder for each half and a file for each language. In a line, ⟦kind|text⟧ marks what must be masked; nothing else
// may be. Any further folder of this shape is read, too.

// minimums are the least shares, in percent, of a half: details masked completely, and lines without a false mask.
var minimums = map[string][2]float64{"a": {99, 99}, "b": {98, 98}}

const (
	leastMasked = 80.0 // of a half that minimums does not name
	leastClean  = 95.0
)

var mark = regexp.MustCompile(`⟦(\w+)\|([^⟧]*)⟧`)

var placeholder = regexp.MustCompile(`\[[a-z]+ \d+\]`)

// judged is the result of one line.
type judged struct {
	language, line, got string
	details, missed     []string // kind and text
	false               bool     // something was masked that is no detail
}

func judge(language, line string) judged {
	j := judged{language: language, line: line}
	plain := mark.ReplaceAllString(line, "$2")
	m := masking.New()
	j.got = m.Mask(plain)
	rest := placeholder.ReplaceAllString(j.got, " ⟦⟧ ")
	outside := mark.ReplaceAllString(line, " ")
	for _, d := range mark.FindAllStringSubmatch(line, -1) {
		j.details = append(j.details, d[1])
		if shows(rest, outside, d[2]) {
			j.missed = append(j.missed, d[1]+": "+d[2])
		}
	}
	// What is masked besides the details: the words of the line outside of them must all still be there.
	for _, word := range strings.FieldsFunc(outside, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if !strings.Contains(rest, word) {
			j.false = true
		}
	}
	if back := m.Restore(j.got); back != plain {
		panic(fmt.Sprintf("%q comes back as %q", plain, back))
	}
	return j
}

// shows reports whether a piece of a detail that says something is left in a masked line: a word of four characters or more, or of two
// ideograms, that does not also stand outside of the details.
func shows(masked, outside, detail string) bool {
	for _, word := range strings.FieldsFunc(detail, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if n := len([]rune(word)); (n >= 4 || n >= 2 && strings.ContainsFunc(word, isHan)) && strings.Count(masked, word) > strings.Count(outside, word) {
			return true
		}
	}
	return strings.Contains(masked, detail)
}

func isHan(r rune) bool { return unicode.Is(unicode.Han, r) }

func readCorpus(t *testing.T) (halves map[string][]judged) {
	t.Helper()
	files, err := filepath.Glob("testdata/corpus/*/*.txt")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	halves = map[string][]judged{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		half := filepath.Base(filepath.Dir(file))
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); line != "" {
				halves[half] = append(halves[half], judge(strings.TrimSuffix(filepath.Base(file), ".txt"), line))
			}
		}
	}
	return halves
}

// TestCorpus: of each half, at least so many details are masked, and at most so many lines lose something else. With -v it prints the
// tables of docs/what-a-model-sees.md.
func TestCorpus(t *testing.T) {
	t.Parallel()
	for half, all := range readCorpus(t) {
		details, missed, clean := 0, 0, 0
		for _, j := range all {
			details, missed = details+len(j.details), missed+len(j.missed)
			if !j.false {
				clean++
			}
			if len(j.missed) > 0 || j.false {
				t.Logf("%s/%s: %s\n  got %s, missed %q", half, j.language, j.line, j.got, j.missed)
			}
		}
		masked, untouched := 100*float64(details-missed)/float64(max(details, 1)), 100*float64(clean)/float64(len(all))
		t.Logf("%s: %d of %d details masked (%.1f %%), %d of %d lines without a false mask (%.1f %%)", half, details-missed, details, masked, clean, len(all), untouched)
		table(t, half, all, func(j *judged) string { return j.language })
		kinds(t, half, all)
		least, named := minimums[half]
		if !named {
			least = [2]float64{leastMasked, leastClean}
		}
		if masked < least[0] || untouched < least[1] {
			t.Errorf("%s: %.1f %% masked, want %.1f; %.1f %% of the lines without a false mask, want %.1f", half, masked, least[0], untouched, least[1])
		}
	}
}

// table logs the figures of each group of lines.
func table(t *testing.T, half string, all []judged, group func(*judged) string) {
	t.Helper()
	details, missed, lines, wrong := map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}
	for i := range all {
		g := group(&all[i])
		details[g] += len(all[i].details)
		missed[g] += len(all[i].missed)
		lines[g]++
		if all[i].false {
			wrong[g]++
		}
	}
	var names []string
	for g := range lines {
		names = append(names, g)
	}
	slices.Sort(names)
	for _, g := range names {
		t.Logf("| %s | %s | %d of %d | %d of %d |", half, g, details[g]-missed[g], details[g], wrong[g], lines[g])
	}
}

// kinds logs the figures of each kind of detail.
func kinds(t *testing.T, half string, all []judged) {
	t.Helper()
	total, missed := map[string]int{}, map[string]int{}
	for _, j := range all {
		for _, kind := range j.details {
			total[kind]++
		}
		for _, m := range j.missed {
			kind, _, _ := strings.Cut(m, ":")
			missed[kind]++
		}
	}
	for _, kind := range []string{"mail", "link", "handle", "phone", "card", "account", "id", "address"} {
		t.Logf("| %s | %s | %d of %d |", half, kind, total[kind]-missed[kind], total[kind])
	}
}
