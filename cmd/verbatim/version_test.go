package main

import (
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestVersionNamesWhatWasBuilt(t *testing.T) {
	const hash = "59f2e8f05d1c4a7f0c1b2a3d4e5f60718293a4b5"
	built := func(settings ...debug.BuildSetting) func() (*debug.BuildInfo, bool) {
		return func() (*debug.BuildInfo, bool) { return &debug.BuildInfo{Settings: settings}, true }
	}
	revision := debug.BuildSetting{Key: "vcs.revision", Value: hash}
	changed := debug.BuildSetting{Key: "vcs.modified", Value: "true"}
	for name, tt := range map[string]struct {
		stamped, commit string
		read            func() (*debug.BuildInfo, bool)
		want, from      string
	}{
		"a release":              {"1.2.3", hash, built(), "1.2.3", hash},
		"a commit":               {"", "", built(revision), number + "-dev+59f2e8f05d1c", hash},
		"a changed tree":         {"", "", built(changed, revision), number + "-dev+59f2e8f05d1c.changed", hash},
		"an image of a commit":   {"", hash, built(), number + "-dev+59f2e8f05d1c", hash},
		"nothing is known of it": {"", "", func() (*debug.BuildInfo, bool) { return nil, false }, number + "-dev", ""},
	} {
		got, from := programVersion(tt.stamped, tt.commit, tt.read)
		if got != tt.want || from != tt.from || !semantic.MatchString(got) {
			t.Errorf("%s: %s of %s, want %s", name, got, from, tt.want)
		}
	}
	printed, _ := command(t, 0, "--version")
	if printed != "verbatim "+version+"\n" {
		t.Errorf("--version prints %q", printed)
	}
}

// semantic matches semantic versions, see https://semver.org.
var semantic = regexp.MustCompile(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`)

// compareVersions compares versions that consist of three numbers.
func compareVersions(a, b string) int {
	numbers := func(version string) (n []int) {
		for part := range strings.SplitSeq(version, ".") {
			i, err := strconv.Atoi(part)
			if err != nil {
				panic(err)
			}
			n = append(n, i)
		}
		return n
	}
	return slices.Compare(numbers(a), numbers(b))
}

var heading = regexp.MustCompile(`(?m)^## (.*)$`)

// TestChangelogNamesTheVersion checks that the first heading of CHANGELOG.md is Unreleased or the number in the source, and that the
// headings below are earlier versions, newest first.
func TestChangelogNamesTheVersion(t *testing.T) {
	if why := wrongHeadings(repository(t, "CHANGELOG.md"), number); why != "" {
		t.Error(why)
	}
	for log, want := range map[string]string{
		"## Unreleased\n\n## 1.0.0 (2027-01-01)\n":                      "",
		"## 1.1.0 (2027-01-01)\n\n## 1.0.0 (2027-01-01)\n":              "",
		"## 1.0.0 (2027-01-01)\n":                                       "below",
		"## Unreleased\n\n## 1.1.0 (2027-01-01)\n":                      "released",
		"## 1.2.0 (2027-01-01)\n":                                       "above",
		"## Unreleased\n\n## 0.9.0 (2027-01-01)\n## 1.0.0 (x)\n":        "no heading",
		"## Unreleased\n## 0.9.0 (2027-01-01)\n## 1.0.0 (2027-01-01)\n": "order",
		"## Next\n": "no heading",
		"":          "no heading",
	} {
		if why := wrongHeadings(log, "1.1.0"); (why == "") != (want == "") || !strings.Contains(why, want) {
			t.Errorf("%q: %q, want %q", log, why, want)
		}
	}
}

var released = regexp.MustCompile(`^(\d+\.\d+\.\d+) \(\d{4}-\d\d-\d\d\)$`)

// wrongHeadings returns what is wrong with the headings of a changelog, or "".
func wrongHeadings(log, number string) string {
	var found []string
	for _, h := range heading.FindAllStringSubmatch(log, -1) {
		found = append(found, h[1])
	}
	if len(found) == 0 {
		return "there is no heading"
	}
	next := found[0] == "Unreleased"
	if next {
		found = found[1:]
	}
	var versions []string
	for _, h := range found {
		v := released.FindStringSubmatch(h)
		if v == nil {
			return "no heading of a version and its day: " + h
		}
		versions = append(versions, v[1])
	}
	if !slices.IsSortedFunc(versions, func(a, b string) int { return compareVersions(b, a) }) {
		return "the versions are not in order, newest first"
	}
	switch {
	case next && len(versions) > 0 && compareVersions(versions[0], number) >= 0:
		return "the number in the source, " + number + ", is released already: raise it"
	case !next && compareVersions(versions[0], number) < 0:
		return "the newest heading is below " + number
	case !next && compareVersions(versions[0], number) > 0:
		return "the newest heading is above " + number
	}
	return ""
}
