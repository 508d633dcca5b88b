package httpx

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"
)

// How long a request and its answer may take, unless their handler says otherwise.
const (
	RequestTimeout = time.Minute     // from the first byte of a request to its last, and from its header to the beginning of the answer
	AnswerTimeout  = 2 * time.Minute // from the end of a request's header to the last byte of its answer
)

// errTooLong is why a context ends when a handler has not begun to answer within RequestTime.
var errAnswerTimeout = errors.New("the answer did not begin in time")

type answerTimerKey struct{}

// GiveUp ends the context of a request whose answer has not begun within RequestTime. net/http does not: a client that
// waits, or has sent the beginning of another request, keeps its handler going for ever. What takes long once it has
// begun has the deadlines of what it writes.
func WithAnswerTimeout(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithCancelCause(r.Context())
		defer cancel(nil)
		timer := time.AfterFunc(RequestTimeout, func() { cancel(errAnswerTimeout) })
		defer timer.Stop()
		next.ServeHTTP(&timedWriter{w, timer}, r.WithContext(context.WithValue(ctx, answerTimerKey{}, timer)))
	})
}

// beginning stops a timer when an answer begins.
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

// Flush implements http.Flusher, for answers that are written bit by bit.
func (b *timedWriter) Flush() { _ = http.NewResponseController(b.ResponseWriter).Flush() }

// Unwrap serves http.ResponseController.
func (b *timedWriter) Unwrap() http.ResponseWriter { return b.ResponseWriter }

// Left reports whether a request's client has gone away, so that nobody waits for an answer. It is false for one that was
// given up.
func Left(r *http.Request) bool {
	return r.Context().Err() != nil && !errors.Is(context.Cause(r.Context()), errAnswerTimeout)
}

type longBodyKey struct{}

// OnLongBody has a function called when a handler takes its time to a body.
func WithLongBodyHook(ctx context.Context, do func()) context.Context {
	return context.WithValue(ctx, longBodyKey{}, do)
}

// AnswerLater takes its time to a request with a long body: the answer is to leave within AnswerTime of what was read
// last.
func AnswerLater(w http.ResponseWriter, r *http.Request) {
	if timer, bound := r.Context().Value(answerTimerKey{}).(*time.Timer); bound {
		timer.Stop()
	}
	if do, asked := r.Context().Value(longBodyKey{}).(func()); asked {
		do()
	}
	r.Body = &deadlineBody{r.Body, http.NewResponseController(w)}
}

type deadlineBody struct {
	io.ReadCloser
	control *http.ResponseController
}

// Read implements io.Reader.
func (a *deadlineBody) Read(b []byte) (int, error) {
	n, err := a.ReadCloser.Read(b)
	_ = a.control.SetWriteDeadline(time.Now().Add(AnswerTimeout)) // a recorder in a test has no deadlines
	return n, err
}
