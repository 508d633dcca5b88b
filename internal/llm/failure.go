package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// failure is an attempt that failed. It holds nothing that the service wrote but a short word for its error, and no key.
type failure struct {
	what       string
	kind       error // ErrUnavailable, ErrRefused or ErrShape
	cause      error
	retryAfter time.Duration
	verdict    verdict
	body       string // of a refusal that may be about the request's form; never shown
	prose      bool   // a whole answer, which is no JSON at all
}

// Error implements error.
func (f *failure) Error() string {
	if f.cause != nil {
		return f.what + ": " + f.cause.Error()
	}
	return f.what
}

// Unwrap gives the kind and the cause.
func (f *failure) Unwrap() []error { return []error{f.kind, f.cause} }

// unreached is the failure of an attempt that had no whole answer.
func unreached(what string, err error) *failure {
	return &failure{what: what, kind: ErrUnavailable, cause: reason(err), verdict: broken}
}

// misshapen is the failure of an answer that came, and is not what was asked for.
func misshapen(what string, cause error) *failure {
	return &failure{what: what, kind: ErrShape, cause: cause, verdict: healthy}
}

// reason is an error of the transport without the address, which may be private.
func reason(err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	if dial, ok := errors.AsType[*net.OpError](err); ok {
		return dial.Err
	}
	return err
}

// neverSent tells whether an attempt failed before the service could have read the request, which then cost nothing.
func neverSent(err error) bool {
	failed, ok := errors.AsType[*net.OpError](err)
	return ok && failed.Op == "dial"
}

// refusal is the failure of an answer with another status than 200.
func refusal(answer *http.Response, body []byte) *failure {
	status := answer.StatusCode
	f := &failure{what: fmt.Sprintf("the model's service answers %d%s", status, errorWord(body)), kind: ErrRefused, verdict: healthy}
	switch {
	case status == http.StatusBadRequest, status == http.StatusUnprocessableEntity, status == http.StatusNotImplemented:
		f.body = strings.ToLower(string(body))
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		f.what, f.verdict = f.what+": the key is missing, or not good", broken
	case status == http.StatusNotFound:
		f.what, f.verdict = f.what+": the address, or the name of the model, is not good", broken
	case status >= 300 && status < 400:
		f.what, f.verdict = f.what+": it sends elsewhere, where the key is not taken; give the address that it means", broken
	case status == http.StatusTooManyRequests && !outOfMoney(body):
		f.kind, f.verdict = ErrUnavailable, unknown
	case status == http.StatusTooManyRequests, status == http.StatusPaymentRequired:
		f.what, f.verdict = f.what+": nothing is left of what was paid for", broken
	case status == http.StatusRequestTimeout, status == http.StatusConflict, status >= 500:
		f.kind, f.verdict = ErrUnavailable, broken
	}
	if f.kind == ErrUnavailable {
		f.retryAfter = retryAfter(answer.Header.Get("Retry-After"), time.Now())
	}
	return f
}

func outOfMoney(body []byte) bool { return errorWord(body) == " insufficient_quota" }

// errorWord is the short word for an error in a service's answer, with a blank before it; empty when there is none. What the
// service writes in sentences may repeat a part of the key, or of what was asked.
func errorWord(body []byte) string {
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

// retryAfter reads the header: seconds, or a date. 0 when it says nothing.
func retryAfter(header string, now time.Time) time.Duration {
	if seconds, err := strconv.Atoi(header); err == nil {
		return time.Duration(min(max(seconds, 0), 1e6)) * time.Second
	}
	if at, err := http.ParseTime(header); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}

// patience is how long an attempt must have had before its end by the caller's deadline says something about the service.
const patience = 5 * time.Second

// ended is what an attempt says of the service whose caller stopped waiting.
func ended(ctx context.Context, had time.Duration) verdict {
	if errors.Is(context.Cause(ctx), context.DeadlineExceeded) && had >= patience {
		return broken
	}
	return unknown
}
