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

// Params reads the parameters of a query. Err names all that are wrong; what the readers return then is of no use.
// Parameters that were never asked for are ignored, unless they are one that was, in another spelling.
type Params struct {
	values     url.Values
	known      []string // asked for so far
	violations []string // a sentence each
}

// Query takes a request's query apart. Names and values are cleaned as the parameters of a study link are when they are
// stored, so that a search finds what was cleaned.
func Query(r *http.Request) *Params {
	values, err := url.ParseQuery(r.URL.RawQuery)
	p := &Params{values: cleanValues(values)}
	if err != nil {
		p.Refuse("The query is not well-formed: check its percent-encoding.")
	}
	return p
}

// Err names everything that is wrong: 400 bad_request, or nil. Call it when all parameters were read.
func (p *Params) Err() error {
	violations := slices.Clone(p.violations)
	for _, name := range slices.Sorted(maps.Keys(p.values)) {
		if slices.Contains(p.known, name) {
			continue
		}
		if i := slices.IndexFunc(p.known, func(known string) bool { return isMisspelling(name, known) }); i >= 0 {
			violations = append(violations, fmt.Sprintf("There is no parameter %s; it is %s.", name, p.known[i]))
		}
	}
	if len(violations) == 0 {
		return nil
	}
	return BadRequest("%s", strings.Join(violations, " "))
}

// Refuse adds a sentence to what is wrong.
func (p *Params) Refuse(format string, args ...any) {
	p.violations = append(p.violations, fmt.Sprintf(format, args...))
}

// misspelt reports whether a name is a known one in another spelling: another case, with or without underscores and
// hyphens, or one letter off (two that changed places count as one).
func isMisspelling(name, known string) bool {
	if len(name) > 2*len(known)+2 {
		return false // strangers choose names, and long ones cost time
	}
	fold := func(s string) []rune {
		return []rune(strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(s)))
	}
	a, b := fold(name), fold(known)
	if slices.Equal(a, b) {
		return true
	}
	if len(b) < 4 {
		return false // of so short a name one letter is too much
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch len(b) - len(a) {
	case 0: // one letter is another, or two have changed places
		swapped := i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && slices.Equal(a[i+2:], b[i+2:])
		return swapped || slices.Equal(a[i+1:], b[i+1:])
	case 1: // one letter is missing or too much
		return slices.Equal(a[i:], b[i+1:])
	}
	return false
}

// Text reads a parameter and tells whether it is there. It may be empty.
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

// Int reads an integer from least to most, which is fallback where it is absent. A most of 0 stands for 2^31-1, the largest
// whole number of the contract.
func (p *Params) Int(name string, fallback, least, limit int) int {
	text, found := p.Text(name)
	if !found {
		return fallback
	}
	limit = cmp.Or(limit, math.MaxInt32)
	n, err := strconv.Atoi(text)
	if err != nil || !integer.MatchString(text) || n < least || n > limit {
		p.Refuse("%s must be an integer from %d to %d.", name, least, limit)
	}
	return n
}

// Bool reads true or false, which is fallback where it is absent.
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

// Time reads an RFC 3339 date-time and tells whether it is there. One without an offset is in UTC; a blank in the place
// of the offset's plus is a client's forgotten percent-encoding, and is understood.
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
