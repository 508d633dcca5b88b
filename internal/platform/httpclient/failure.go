package httpclient

import (
	"fmt"
	"net/http"
	"time"
)

// Failure is a failed attempt. It contains nothing that the service wrote except a short code of its error, no address and no
// key. Clients embed it and add what they need.
type Failure struct {
	What       string
	Kind       error // the client's error of this kind
	Cause      error
	RetryAfter time.Duration // as the service asked; 0 if it did not
}

// Refusal returns the failure of an answer with an unexpected status. name is what the service is called, as in "the model's
// service"; Kind is left to the caller.
func Refusal(name string, answer *http.Response, body []byte) Failure {
	return Failure{What: fmt.Sprintf("%s answers %d%s", name, answer.StatusCode, ErrorCode(body)), RetryAfter: RetryAfter(answer.Header, time.Now())}
}

// Error implements error.
func (f *Failure) Error() string {
	if f.Cause != nil {
		return f.What + ": " + f.Cause.Error()
	}
	return f.What
}

// Unwrap returns the kind and the cause.
func (f *Failure) Unwrap() []error { return []error{f.Kind, f.Cause} }

func (f *Failure) retryAfter() time.Duration { return f.RetryAfter }
