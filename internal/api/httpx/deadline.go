package httpx

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"
)

// Time limits of a request and its answer, unless a handler sets its own.
const (
	RequestTimeout = time.Minute     // from the first to the last byte of a request, and from the end of its header to the start of the answer
	AnswerTimeout  = 2 * time.Minute // from the end of the request's header to the last byte of the answer
)

// errAnswerTimeout is the cancellation cause of a request whose answer did not start within RequestTimeout.
var errAnswerTimeout = errors.New("the answer did not start in time")

type answerTimerKey struct{}

// WithAnswerTimeout cancels the context of a request whose answer has not started within RequestTimeout. net/http does not:
// a client that waits, or that has sent the start of another request, would keep its handler running forever. Answers that
// have started are limited by the deadlines of their writes.
func WithAnswerTimeout(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithCancelCause(r.Context())
		defer cancel(nil)
		timer := time.AfterFunc(RequestTimeout, func() { cancel(errAnswerTimeout) })
		defer timer.Stop()
		next.ServeHTTP(&timedWriter{w, timer}, r.WithContext(context.WithValue(ctx, answerTimerKey{}, timer)))
	})
}

// timedWriter stops a timer when the answer starts.
type timedWriter struct {
	http.ResponseWriter
	timer *time.Timer
}

// WriteHeader implements http.ResponseWriter.
func (b *timedWriter) WriteHeader(status int) {
	if status >= 200 {
		b.timer.Stop()
	}
	b.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (b *timedWriter) Write(p []byte) (int, error) {
	b.timer.Stop()
	return b.ResponseWriter.Write(p)
}

// Flush implements http.Flusher, for streamed answers.
func (b *timedWriter) Flush() { _ = http.NewResponseController(b.ResponseWriter).Flush() }

// Unwrap supports http.ResponseController.
func (b *timedWriter) Unwrap() http.ResponseWriter { return b.ResponseWriter }

// ClientGone reports whether the client of a request is gone, so that nobody waits for the answer. It is false for a request that
// WithAnswerTimeout cancelled.
func ClientGone(r *http.Request) bool {
	return r.Context().Err() != nil && !errors.Is(context.Cause(r.Context()), errAnswerTimeout)
}

type longBodyKey struct{}

// WithLongBodyHook adds a function to ctx that ExtendAnswerDeadline calls.
func WithLongBodyHook(ctx context.Context, hook func()) context.Context {
	return context.WithValue(ctx, longBodyKey{}, hook)
}

// ExtendAnswerDeadline replaces the time limits of a request with a long body by one: its answer must be complete within
// AnswerTimeout of the last read.
func ExtendAnswerDeadline(w http.ResponseWriter, r *http.Request) {
	if timer, bound := r.Context().Value(answerTimerKey{}).(*time.Timer); bound {
		timer.Stop()
	}
	if hook, found := r.Context().Value(longBodyKey{}).(func()); found {
		hook()
	}
	r.Body = &deadlineBody{r.Body, http.NewResponseController(w)}
}

// deadlineBody moves the write deadline of the answer with every read.
type deadlineBody struct {
	io.ReadCloser
	control *http.ResponseController
}

// Read implements io.Reader.
func (a *deadlineBody) Read(b []byte) (int, error) {
	n, err := a.ReadCloser.Read(b)
	_ = a.control.SetWriteDeadline(time.Now().Add(AnswerTimeout)) // fails with httptest.ResponseRecorder, which has no deadlines
	return n, err
}
