package httpio

import (
	"math"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Params reads the parameters of a query. The first one that is wrong is told by Err; what the readers return then is
// of no use. Parameters that were never asked for are ignored.
type Params struct {
	values url.Values
	err    *Error
}

// Query takes a request's query apart. Names and values are cleaned as the parameters of a study link are when they are
// stored, so that a search finds what was cleaned.
func Query(r *http.Request) *Params {
	values, err := url.ParseQuery(r.URL.RawQuery)
	p := &Params{values: cleanValues(values)}
	if err != nil {
		p.err = BadRequest("The query is not well-formed: check its percent-encoding.")
	}
	return p
}

// Err is the first thing wrong: 400 bad_request, or nil.
func (p *Params) Err() error {
	if p.err == nil {
		return nil
	}
	return p.err
}

func (p *Params) wrong(format string, args ...any) {
	if p.err == nil {
		p.err = BadRequest(format, args...)
	}
}

// Text reads a parameter and tells whether it is there. It may be empty.
func (p *Params) Text(name string) (value string, found bool) {
	values := p.values[name]
	if len(values) == 0 {
		return "", false
	}
	if len(values) > 1 {
		p.wrong("%s is given more than once.", name)
	}
	return values[0], true
}

var wholeNumber = regexp.MustCompile(`^[0-9]+$`)

// Int reads an integer from least to most, which is fallback where it is absent. A most of 0 means no bound: what is
// larger than 2^31-1 reads as that.
func (p *Params) Int(name string, fallback, least, most int) int {
	text, found := p.Text(name)
	if !found {
		return fallback
	}
	n, err := strconv.Atoi(text)
	n = min(n, math.MaxInt32) // a number out of every range reads as the largest
	switch {
	case !wholeNumber.MatchString(text), n < least:
		p.wrong("%s must be an integer of at least %d.", name, least)
	case most > 0 && (err != nil || n > most):
		p.wrong("%s must be an integer from %d to %d.", name, least, most)
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
		p.wrong("%s must be true or false.", name)
	}
	return text == "true"
}

var (
	dateTime     = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})?$`)
	blankForPlus = regexp.MustCompile(` (\d{2}:\d{2})$`)
)

// Time reads an RFC 3339 date-time and tells whether it is there. One without an offset is in UTC; a blank in the place
// of the offset's plus is a client's forgotten percent-encoding, and is understood.
func (p *Params) Time(name string) (at time.Time, found bool) {
	text, found := p.Text(name)
	if !found {
		return time.Time{}, false
	}
	text = strings.ToUpper(blankForPlus.ReplaceAllString(text, "+$1"))
	parts := dateTime.FindStringSubmatch(text)
	if parts != nil && parts[2] == "" {
		text += "Z"
	}
	at, err := time.Parse(time.RFC3339Nano, text)
	if parts == nil || err != nil {
		p.wrong("%s must be an RFC 3339 date-time, for example 2026-03-02T00:00:00Z.", name)
	}
	return at.UTC(), true
}
