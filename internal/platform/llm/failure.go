package llm

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"time"

	"verbatim/internal/platform/httpclient"
)

// failure is a failed attempt.
type failure struct {
	httpclient.Failure // Kind is ErrUnavailable, ErrRefused or ErrShape
	verdict            verdict
	body               string // of a refusal that may concern the request's form; never shown
	prose              bool   // a complete answer that is not JSON at all
}

// newFailure returns a failure of a kind.
func newFailure(what string, kind, cause error, v verdict) *failure {
	return &failure{Failure: httpclient.Failure{What: what, Kind: kind, Cause: cause}, verdict: v}
}

// unreached returns the failure of an attempt without a complete answer.
func unreached(what string, err error) *failure {
	return newFailure(what, ErrUnavailable, httpclient.Reason(err), broken)
}

// misshapen returns the failure of an answer that arrived but is not what was requested.
func misshapen(what string, cause error) *failure {
	return newFailure(what, ErrShape, cause, healthy)
}

// notSent reports whether an attempt failed before the service could have read the request, so that it cost nothing.
func notSent(err error) bool {
	failed, ok := errors.AsType[*net.OpError](err)
	return ok && failed.Op == "dial"
}

// refusal returns the failure of a response with another status than 200.
func refusal(answer *http.Response, body []byte) *failure {
	status := answer.StatusCode
	f := &failure{Failure: httpclient.Refusal("the model's service", answer, body), verdict: healthy}
	f.Kind = ErrRefused
	switch {
	case status == http.StatusBadRequest, status == http.StatusUnprocessableEntity, status == http.StatusNotImplemented:
		f.body = strings.ToLower(string(body))
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		f.What, f.verdict = f.What+": the key is missing, or not good", broken
	case status == http.StatusNotFound:
		f.What, f.verdict = f.What+": the address, or the name of the model, is wrong", broken
	case status >= 300 && status < 400:
		f.What, f.verdict = f.What+": it redirects to another address, and the key is not sent there; configure that address", broken
	case status == http.StatusTooManyRequests && !outOfQuota(body):
		f.Kind, f.verdict = ErrUnavailable, unknown
	case status == http.StatusTooManyRequests, status == http.StatusPaymentRequired:
		f.What, f.verdict = f.What+": the prepaid quota is used up", broken
	case status == http.StatusRequestTimeout, status == http.StatusConflict, status >= 500:
		f.Kind, f.verdict = ErrUnavailable, broken
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
