// Package httpclient holds what the clients of external services share. An operator configures their addresses and keys. The
// package says what may be configured, what of an error may be shown, and how long to wait before a retry.
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

// MaxPause is the longest that a call itself waits for a service that sent Retry-After. For longer waits the call fails and
// its caller should wait.
const MaxPause = 30 * time.Second

// Errors of a configuration. They do not contain the address or the key, which may be secret.
var (
	ErrAddress = errors.New("it must be an absolute http or https address, without a user name, a password or a query")
	ErrKey     = errors.New("the key has characters that cannot be part of a key")
)

// Check parses the address of a service and checks its key, which may be empty. It returns ErrAddress or ErrKey.
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

// Client returns a client that does not follow redirects, so that the key is never sent to another address. transport may be
// nil.
func Client(transport http.RoundTripper) *http.Client {
	return &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// Reason returns an error of the transport without the address, which may be private.
func Reason(err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	if dial, ok := errors.AsType[*net.OpError](err); ok {
		return dial.Err
	}
	return err
}

// ErrorCode returns the error code or type from a service's answer with a space before it, or "" where there is none.
// Sentences are left out: they may repeat a part of the key or of the request.
func ErrorCode(body []byte) string {
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

// RetryAfter returns how long an answer asks to wait, in seconds or until a date, or 0 where it does not say.
func RetryAfter(header http.Header, now time.Time) time.Duration {
	value := header.Get("Retry-After")
	if seconds, err := strconv.Atoi(value); err == nil {
		return time.Duration(min(max(seconds, 0), 1e6)) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}

// Pause waits before a retry. Where the context would end before, or wait is longer than MaxPause, it immediately returns
// failed, the error of the last attempt.
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
