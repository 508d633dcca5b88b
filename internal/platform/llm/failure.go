package llm

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"verbatim/internal/platform/httpclient"
)

// failure is a failed attempt. It contains nothing that the service wrote except a short word for its error, and no key.
type failure struct {
	what       string
	kind       error // ErrUnavailable, ErrRefused or ErrShape
	cause      error
	retryAfter time.Duration
	verdict    verdict
	body       string // of a refusal that may concern the request's form; never shown
	prose      bool   // a complete answer that is not JSON at all
}

// Error implements error.
func (f *failure) Error() string {
	if f.cause != nil {
		return f.what + ": " + f.cause.Error()
	}
	return f.what
}

// Unwrap returns the kind and the cause.
func (f *failure) Unwrap() []error { return []error{f.kind, f.cause} }

// unreached returns the failure of an attempt without a complete answer.
func unreached(what string, err error) *failure {
	return &failure{what: what, kind: ErrUnavailable, cause: httpclient.Reason(err), verdict: broken}
}

// misshapen returns the failure of an answer that arrived but is not what was requested.
func misshapen(what string, cause error) *failure {
	return &failure{what: what, kind: ErrShape, cause: cause, verdict: healthy}
}

// notSent reports whether an attempt failed before the service could have read the request, so that it cost nothing.
func notSent(err error) bool {
	failed, ok := errors.AsType[*net.OpError](err)
	return ok && failed.Op == "dial"
}

// refusal returns the failure of a response with another status than 200.
func refusal(answer *http.Response, body []byte) *failure {
	status := answer.StatusCode
	f := &failure{what: fmt.Sprintf("the model's service answers %d%s", status, httpclient.ErrorCode(body)), kind: ErrRefused, verdict: healthy}
	switch {
	case status == http.StatusBadRequest, status == http.StatusUnprocessableEntity, status == http.StatusNotImplemented:
		f.body = strings.ToLower(string(body))
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		f.what, f.verdict = f.what+": the key is missing, or not good", broken
	case status == http.StatusNotFound:
		f.what, f.verdict = f.what+": the address, or the name of the model, is wrong", broken
	case status >= 300 && status < 400:
		f.what, f.verdict = f.what+": it redirects to another address, and the key is not sent there; configure that address", broken
	case status == http.StatusTooManyRequests && !outOfQuota(body):
		f.kind, f.verdict = ErrUnavailable, unknown
	case status == http.StatusTooManyRequests, status == http.StatusPaymentRequired:
		f.what, f.verdict = f.what+": the prepaid quota is used up", broken
	case status == http.StatusRequestTimeout, status == http.StatusConflict, status >= 500:
		f.kind, f.verdict = ErrUnavailable, broken
	}
	if f.kind == ErrUnavailable {
		f.retryAfter = httpclient.RetryAfter(answer.Header, time.Now())
	}
	return f
}

func outOfQuota(body []byte) bool { return httpclient.ErrorCode(body) == " insufficient_quota" }

// minTimeout is how long an attempt must have lasted for its end by the caller's deadline to say something about the
// service.
const minTimeout = 5 * time.Second

// ended returns what an attempt shows about the service if its caller stopped waiting.
func ended(ctx context.Context, had time.Duration) verdict {
	if errors.Is(context.Cause(ctx), context.DeadlineExceeded) && had >= minTimeout {
		return broken
	}
	return unknown
}
