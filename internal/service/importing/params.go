package importing

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Bounds of a study link's parameters. They are those of fieldwork, which drops what goes beyond them.
const (
	maxParams     = 50
	maxParamBytes = 2000
)

// paramViolations returns a path and a reason for each parameter that could not have come with a study link.
func paramViolations(params map[string]string) (violations []string) {
	if len(params) > maxParams {
		violations = append(violations, fmt.Sprintf(": there are %d, at most %d are kept", len(params), maxParams))
	}
	for _, name := range slices.Sorted(maps.Keys(params)) {
		switch {
		case name == "":
			violations = append(violations, ": a name is empty")
		case len(name) > maxParamBytes:
			violations = append(violations, fmt.Sprintf(": a name is longer than %d bytes", maxParamBytes))
		case strings.ContainsRune(name, 0):
			violations = append(violations, ": a name holds the character U+0000")
		case name[0] == '_':
			violations = append(violations, "."+name+": names that begin with _ belong to the service")
		case len(params[name]) > maxParamBytes:
			violations = append(violations, fmt.Sprintf(".%s: the value is longer than %d bytes", name, maxParamBytes))
		}
	}
	return violations
}
