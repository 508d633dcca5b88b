package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// secretVariables lists the variables that hold secrets. They have no flags: see secrets.go.
var secretVariables = []string{"VERBATIM_SECRET", "VERBATIM_LLM_KEY", "VERBATIM_SPEECH_KEY", "VERBATIM_SPEAK_KEY", "VERBATIM_MAIL_PASSWORD", "VERBATIM_S3_ACCESS_KEY", "VERBATIM_S3_SECRET_KEY"}

// otherVariables lists variables for other programs: the compose files read VERBATIM_HOST, and the proxy VERBATIM_NODES.
var otherVariables = []string{"VERBATIM_HOST", "VERBATIM_NODES"}

// testVariables is the prefix of variables that tests may set.
const testVariables = "VERBATIM_TEST_"

// variables lists the variables that the program reads.
func variables(app *kong.Application) []string {
	known := slices.Concat(secretVariables, otherVariables)
	eachFlag(app.Node, func(f *kong.Flag) { known = append(known, f.Envs...) })
	slices.Sort(known)
	return slices.Compact(known)
}

// checkVariables returns an error for an unknown variable whose name begins with VERBATIM_. Most of those are misspelled and would be
// silently ignored.
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

// didYouMean returns a clause that suggests the nearest of several names, or "" if none is near.
func didYouMean(name string, names []string) string {
	if found := nearest(name, names); found != "" {
		return "; did you mean " + found + "?"
	}
	return ""
}

// nearest returns the name with the smallest Levenshtein distance from a given name, if that is at most a third of its length. Otherwise
// it returns a name that begins with the given name, or that the given name begins with, or "". The prefix VERBATIM_ is not counted.
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

// distance returns the Levenshtein distance of two names.
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
