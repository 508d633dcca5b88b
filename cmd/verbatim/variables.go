package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// secretVariables hold secrets. No flag has them: see secrets.go.
var secretVariables = []string{"VERBATIM_SECRET", "VERBATIM_LLM_KEY", "VERBATIM_SPEECH_KEY", "VERBATIM_S3_ACCESS_KEY", "VERBATIM_S3_SECRET_KEY"}

// otherVariables are set for other programs: the compose files read VERBATIM_HOST, the proxy VERBATIM_NODES.
var otherVariables = []string{"VERBATIM_HOST", "VERBATIM_NODES"}

// testVariables begin the names of variables that tests may set.
const testVariables = "VERBATIM_TEST_"

// variables lists the variables that the program reads.
func variables(app *kong.Application) []string {
	known := slices.Concat(secretVariables, otherVariables)
	eachFlag(app.Node, func(f *kong.Flag) { known = append(known, f.Envs...) })
	slices.Sort(known)
	return slices.Compact(known)
}

// checkVariables refuses variables whose names begin as the program's do and that it does not know: most are misspelled, and would
// change nothing.
func checkVariables(app *kong.Application, environment []string) error {
	known := variables(app)
	for _, variable := range environment {
		name, _, _ := strings.Cut(variable, "=")
		if !strings.HasPrefix(name, "VERBATIM_") || strings.HasPrefix(name, testVariables) || slices.Contains(known, name) {
			continue
		}
		return usageError(fmt.Sprintf("the variable %s is unknown%s", name, didYouMean(name, slices.DeleteFunc(known, func(name string) bool { return slices.Contains(otherVariables, name) }))))
	}
	return nil
}

// didYouMean returns the clause that names the nearest of several names; empty where none is near.
func didYouMean(name string, names []string) string {
	if found := nearest(name, names); found != "" {
		return "; did you mean " + found + "?"
	}
	return ""
}

// nearest returns the one of several names that differs least from a name, by the letters that must be added, removed or replaced; empty
// where more than a third of them must, or one does not continue the other. What all of the program's variables begin with does not count.
func nearest(name string, names []string) string {
	own := func(name string) string { return strings.TrimPrefix(name, "VERBATIM_") }
	best, least := "", len(own(name))/3+1
	for _, other := range names {
		if d := distance(own(name), own(other)); d < least {
			best, least = other, d
		}
	}
	if best != "" {
		return best
	}
	for _, other := range names {
		if len(own(name)) > 2 && (strings.HasPrefix(other, name) || strings.HasPrefix(name, other)) {
			return other
		}
	}
	return ""
}

// distance returns Levenshtein's distance of two names.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		above := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := above
			if a[i] != b[j] {
				replaced++
			}
			above = row[j+1]
			row[j+1] = min(replaced, above+1, row[j]+1)
		}
	}
	return row[len(b)]
}
