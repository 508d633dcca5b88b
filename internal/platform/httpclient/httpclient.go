// Package httpclient holds what the clients of other people's services share, whose addresses and keys an operator gives: what
// may be configured, what may be told of an error, and how long to wait before asking again.
package httpclient

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// MostPause is the longest that a call waits for a service that names a time to come back at. Past it the caller should.
const MaxPause = 30 * time.Second

// Errors of a configuration. They do not repeat what was given: it may hold a secret.
var (
	ErrAddress = errors.New("it must be an absolute http or https address, without a name, a password or a query")
	ErrKey     = errors.New("the key has characters that no key has")
)

// Check reads the address of a service, and looks at its key, which may be empty. ErrAddress, ErrKey.
func Check(address, key string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, ErrAddress
	}
	if strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, ErrKey
	}
	return u, nil
}

// Client follows no redirects, so that a key goes to no other address. transport may be nil.
func Client(transport http.RoundTripper) *http.Client {
	return &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// Reason is an error of the transport without the address, which may be private.
func Reason(err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	if dial, ok := errors.AsType[*net.OpError](err); ok {
		return dial.Err
	}
	return err
}

// ErrorWord is the short word for an error in a service's answer, with a blank before it; empty when there is none. What the
// service writes in sentences may repeat a part of the key, or of what was asked.
func ErrorWord(body []byte) string {
	var wire struct {
		Error json.RawMessage `json:"error"`
	}
	var named struct {
		Code any    `json:"code"`
		Type string `json:"type"`
	}
	if json.Unmarshal(body, &wire) != nil || json.Unmarshal(wire.Error, &named) != nil {
		return ""
	}
	word, _ := named.Code.(string)
	if word == "" {
		word = named.Type
	}
	if word == "" || len(word) > 40 || strings.ContainsFunc(word, func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') }) {
		return ""
	}
	return " " + word
}

// RetryAfter is how long an answer asks to wait, in seconds or until a date; 0 when it says nothing.
func RetryAfter(header http.Header, now time.Time) time.Duration {
	said := header.Get("Retry-After")
	if seconds, err := strconv.Atoi(said); err == nil {
		return time.Duration(min(max(seconds, 0), 1e6)) * time.Second
	}
	if at, err := http.ParseTime(said); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}

// Pause waits before another attempt. When the context would end before, or the wait is longer than MostPause, it gives up at
// once with the error of the attempt that failed.
func Pause(ctx context.Context, wait time.Duration, failed error) error {
	if deadline, ok := ctx.Deadline(); wait > MaxPause || ok && time.Until(deadline) <= wait {
		return failed
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
