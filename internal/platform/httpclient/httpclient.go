// Package httpclient holds what the clients of external services share. An operator configures their addresses and keys. The
// package says what may be configured, sends requests with the key, limits the calls at once, repeats those that failed, and says
// what of an error may be shown.
package httpclient

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

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

// Service is an external service at an address, asked with a key.
type Service struct {
	base, key string
	host      string
	http      *http.Client
}

// New returns a service. base is its address without a slash at the end; requests name paths below it. Check address and key first.
// transport may be nil.
func New(base *url.URL, key string, transport http.RoundTripper) *Service {
	return &Service{base: strings.TrimRight(base.String(), "/"), key: key, host: base.Hostname(), http: Client(transport)}
}

// Host returns the host of the service, by which it is named as a provider.
func (s *Service) Host() string { return s.host }

// Request returns a request with the key as a bearer token, if there is one.
func (s *Service) Request(ctx context.Context, method, path string, body io.Reader) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, method, s.base+path, body)
	if err != nil {
		return nil, err
	}
	if s.key != "" {
		request.Header.Set("Authorization", "Bearer "+s.key)
	}
	return request, nil
}

// Do sends a request. Pass its error to Reason before it is shown.
func (s *Service) Do(request *http.Request) (*http.Response, error) { return s.http.Do(request) }

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
	if lookup, ok := errors.AsType[*net.DNSError](err); ok { // its text has the address of the resolver
		if lookup.IsNotFound {
			return errors.New("the host is unknown")
		}
		return errors.New("the host could not be looked up")
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
