package webhook

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Errors of endpoints.
var (
	ErrNotFound = errors.New("the organization has no such webhook")
	ErrTooMany  = fmt.Errorf("an organization has up to %d webhooks", MaxEndpoints)
)

// Bounds of endpoints.
const (
	MaxEndpoints   = 20 // of an organization
	MaxStudies     = 100
	MaxURL         = 2000 // bytes
	MaxDescription = 200  // characters
)

// Status is the state of an endpoint.
type Status string

// The states of an endpoint.
const (
	Enabled  Status = "enabled"
	Disabled Status = "disabled" // by a person: what happens meanwhile is not kept for it
	Failing  Status = "failing"  // by the program, because nothing arrived for DisableAfter: what happens meanwhile is kept, and can be replayed
)

// Endpoint is an address of an organization that is told what happens.
type Endpoint struct {
	ID          string
	OrgID       string
	URL         string
	Description string
	Types       []Type   // empty: all
	Studies     []string // their ids; empty: all
	Parameters  bool     // the parameters of the link are sent
	Answers     bool     // the response is sent with its answers
	Status      Status
	Reason      string // why the program disabled it

	Failures     int       // failed attempts since the last one that succeeded
	FailingSince time.Time // the first of them; zero: the last attempt succeeded
	RetryAt      time.Time // before then nothing is sent, because many attempts failed
	CreatedAt    time.Time
	ChangedAt    time.Time
}

// Check returns an error that says what is wrong with an endpoint.
func (e *Endpoint) Check() error {
	if err := CheckURL(e.URL); err != nil {
		return err
	}
	if utf8.RuneCountInString(e.Description) > MaxDescription || strings.ContainsFunc(e.Description, isControl) {
		return fmt.Errorf("the description has up to %d characters, and no control characters", MaxDescription)
	}
	for _, of := range e.Types {
		if !slices.Contains(Types, of) {
			return fmt.Errorf("there is no event type %.40q", of)
		}
	}
	if len(e.Studies) > MaxStudies {
		return fmt.Errorf("a webhook is restricted to %d studies at most", MaxStudies)
	}
	return nil
}

// CheckURL returns an error for an address that is not a complete one over http or https.
func CheckURL(address string) error {
	u, err := url.Parse(address)
	switch {
	case len(address) > MaxURL:
		return fmt.Errorf("the address has up to %d bytes", MaxURL)
	case err != nil || strings.ContainsFunc(address, func(r rune) bool { return r <= ' ' || r > '~' || r == '\\' }):
		return errors.New("the address is not one: it has characters that must be escaped")
	case u.Scheme != "https" && u.Scheme != "http" || u.Opaque != "":
		return errors.New("the address must begin with https:// or http://")
	case u.Hostname() == "":
		return errors.New("the address has no host")
	case u.Port() != "" && !isPort(u.Port()):
		return errors.New("the port of the address must be from 1 to 65535")
	case u.User != nil:
		return errors.New("the address must not have a user name or password: messages are signed instead")
	case u.Fragment != "" || strings.Contains(address, "#"):
		return errors.New("the address must not have a fragment (#…), which is never sent")
	}
	return nil
}

func isPort(s string) bool {
	port, err := strconv.ParseUint(s, 10, 16)
	return err == nil && port > 0
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 }

const (
	// DisableAfter is how long all attempts must have failed before an endpoint is disabled.
	DisableAfter = 5 * 24 * time.Hour
	// manyFailures is the number of failures in a row after which everything for the endpoint waits.
	manyFailures = 5
	// maxHold is the longest that everything waits at once.
	maxHold = 5 * time.Minute
)

// Failed returns the endpoint after an attempt that failed for a reason. pause is that after the first of many failures; gone reports that
// the receiver wants nothing any more.
func (e Endpoint) Failed(at time.Time, pause time.Duration, reason string, gone bool) Endpoint {
	if e.FailingSince.IsZero() {
		e.FailingSince = at
	}
	held := at.Before(e.RetryAt) // it was on its way when others had failed already
	if !held {
		e.Failures++
	}
	if !held && e.Failures >= manyFailures {
		e.RetryAt = at.Add(min(pause<<min(e.Failures-manyFailures, 10), maxHold))
	}
	switch {
	case e.Status != Enabled:
	case gone:
		e.Status, e.Reason = Failing, "it answers 410 Gone: it wants no more messages"
	case at.Sub(e.FailingSince) >= DisableAfter:
		e.Status = Failing
		e.Reason = fmt.Sprintf("nothing has arrived since %s; the last attempt: %s", e.FailingSince.UTC().Format(time.DateOnly), reason)
	}
	return e
}

// Succeeded returns the endpoint after an attempt that succeeded.
func (e Endpoint) Succeeded() Endpoint {
	e.Failures, e.FailingSince, e.RetryAt = 0, time.Time{}, time.Time{}
	return e
}
