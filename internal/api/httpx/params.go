package httpx

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Params reads the parameters of a query. After all were read, call Err, which names everything that is wrong; values that
// were read are meaningless if it is not nil. Parameters that nobody read are ignored, unless they are a misspelling of one
// that was read.
type Params struct {
	values     url.Values
	known      []string // names read so far
	violations []string // one sentence each
}

// Query parses the query of a request. Names and values are cleaned in the same way as the URL parameters of a study link
// are before they are stored, so that a search finds them.
func Query(r *http.Request) *Params {
	values, err := url.ParseQuery(r.URL.RawQuery)
	p := &Params{values: cleanValues(values)}
	if err != nil {
		p.Refuse("The query is not well-formed: check its percent-encoding.")
	}
	return p
}

// Err returns 400 bad_request naming everything that is wrong, or nil. Call it after all parameters were read.
func (p *Params) Err() error {
	violations := slices.Clone(p.violations)
	for _, name := range slices.Sorted(maps.Keys(p.values)) {
		if slices.Contains(p.known, name) {
			continue
		}
		if i := slices.IndexFunc(p.known, func(known string) bool { return isMisspelling(name, known) }); i >= 0 {
			violations = append(violations, fmt.Sprintf("There is no parameter %s. Did you mean %s?", name, p.known[i]))
		}
	}
	if len(violations) == 0 {
		return nil
	}
	return BadRequest("%s", strings.Join(violations, " "))
}

// Refuse adds a sentence to the errors that Err returns.
func (p *Params) Refuse(format string, args ...any) {
	p.violations = append(p.violations, fmt.Sprintf(format, args...))
}

// isMisspelling reports whether name is another spelling of known: in another case, with or without underscores and hyphens,
// or with one letter wrong (two swapped neighbours count as one).
func isMisspelling(name, known string) bool {
	if len(name) > 2*len(known)+2 {
		return false // names come from clients, and comparing long ones takes time
	}
	fold := func(s string) []rune {
		return []rune(strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(s)))
	}
	a, b := fold(name), fold(known)
	if slices.Equal(a, b) {
		return true
	}
	if len(b) < 4 {
		return false // one letter is too large a part of so short a name
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch len(b) - len(a) {
	case 0: // one letter differs, or two neighbours are swapped
		swapped := i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && slices.Equal(a[i+2:], b[i+2:])
		return swapped || slices.Equal(a[i+1:], b[i+1:])
	case 1: // one letter is missing or added
		return slices.Equal(a[i:], b[i+1:])
	}
	return false
}

// Text returns a parameter and reports whether it is present. It may be empty.
func (p *Params) Text(name string) (value string, found bool) {
	p.known = append(p.known, name)
	values := p.values[name]
	if len(values) == 0 {
		return "", false
	}
	if len(values) > 1 {
		p.Refuse("%s is given more than once.", name)
	}
	return values[0], true
}

var integer = regexp.MustCompile(`^[0-9]+$`)

// Int returns an integer parameter between lowest and highest, or fallback if it is absent. A highest of 0 means 2^31-1,
// the largest integer of the contract.
func (p *Params) Int(name string, fallback, lowest, highest int) int {
	text, found := p.Text(name)
	if !found {
		return fallback
	}
	highest = cmp.Or(highest, math.MaxInt32)
	n, err := strconv.Atoi(text)
	if err != nil || !integer.MatchString(text) || n < lowest || n > highest {
		p.Refuse("%s must be an integer from %d to %d.", name, lowest, highest)
	}
	return n
}

// Bool returns a parameter that is true or false, or fallback if it is absent.
func (p *Params) Bool(name string, fallback bool) bool {
	text, found := p.Text(name)
	if !found {
		return fallback
	}
	if text != "true" && text != "false" {
		p.Refuse("%s must be true or false.", name)
	}
	return text == "true"
}

var (
	dateTime     = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})?$`)
	spaceForPlus = regexp.MustCompile(` (\d{2}:\d{2})$`)
)

// Time returns an RFC 3339 date-time and reports whether it is present. One without an offset is in UTC. A space in place of
// the offset's plus sign is accepted: clients forget to percent-encode it.
func (p *Params) Time(name string) (at time.Time, found bool) {
	text, found := p.Text(name)
	if !found {
		return time.Time{}, false
	}
	text = strings.ToUpper(spaceForPlus.ReplaceAllString(text, "+$1"))
	parts := dateTime.FindStringSubmatch(text)
	if parts != nil && parts[2] == "" {
		text += "Z"
	}
	at, err := time.Parse(time.RFC3339Nano, text)
	if parts == nil || err != nil {
		p.Refuse("%s must be an RFC 3339 date-time, for example 2026-03-02T00:00:00Z.", name)
	}
	return at.UTC(), true
}
