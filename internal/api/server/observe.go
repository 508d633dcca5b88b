package server

import (
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"

	"verbatim/internal/api/httpx"
)

// observe logs every request and reports it to Watch. It names paths by their pattern: a path may contain a participant's
// token, and a query the parameters of a participant's link. Successful health checks are logged at level debug.
func (s *Server) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		started, id := time.Now(), httpx.RequestID(r.Context())
		end := func(string, int) {}
		if s.Watch != nil {
			ctx, watchEnd := s.Watch(r, id)
			r, end = r.WithContext(ctx), watchEnd
		}
		seen := &statusWriter{ResponseWriter: w}
		returned := false
		defer func() {
			status, level := seen.status, slog.LevelInfo
			switch {
			case returned && status == 0:
				status = http.StatusOK // what net/http answers for a handler that wrote nothing
			case !returned:
				status = 0
			}
			if status == http.StatusOK && (r.Pattern == healthPattern || r.Pattern == readyPattern) {
				level = slog.LevelDebug
			}
			end(r.Pattern, status)
			attrs := []slog.Attr{
				slog.String("request_id", id), slog.String("method", httpx.MethodName(r)), slog.String("route", r.Pattern),
				slog.Int("status", status), slog.Int64("bytes", seen.bytes),
				slog.Float64("took_ms", float64(time.Since(started).Microseconds())/1000),
			}
			if status == http.StatusTooManyRequests {
				logged, leftOut := s.refusals.admit(time.Now())
				if !logged {
					return
				}
				attrs = append(attrs, slog.Int64("left_out", leftOut))
			}
			s.Log.LogAttrs(r.Context(), level, "request", attrs...)
		}()
		next.ServeHTTP(seen, r)
		returned = true
	})
}

// maxRefusals limits the answers 429 that are logged a second, so that a flood does not fill the disk.
const maxRefusals = 10

// sampler limits how many lines of a kind are logged. The zero value is ready to use.
type sampler struct {
	mu      sync.Mutex
	second  int64
	logged  int
	leftOut int64 // since the last logged line
}

// admit reports whether another line may be logged, and how many were left out since the last one.
func (s *sampler) admit(now time.Time) (logged bool, leftOut int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if second := now.Unix(); second != s.second {
		s.second, s.logged = second, 0
	}
	if s.logged == maxRefusals {
		s.leftOut++
		return false, 0
	}
	s.logged++
	leftOut, s.leftOut = s.leftOut, 0
	return true, leftOut
}

// statusWriter records the status and the size of an answer.
type statusWriter struct {
	http.ResponseWriter
	status int // 0 until the header is written
	bytes  int64
}

// WriteHeader implements http.ResponseWriter.
func (o *statusWriter) WriteHeader(status int) {
	if o.status == 0 && status >= 200 {
		o.status = status
	}
	o.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (o *statusWriter) Write(p []byte) (int, error) {
	if o.status == 0 {
		o.status = http.StatusOK
	}
	n, err := o.ResponseWriter.Write(p)
	o.bytes += int64(n)
	return n, err
}

// Flush implements http.Flusher, for streamed answers.
func (o *statusWriter) Flush() { _ = http.NewResponseController(o.ResponseWriter).Flush() }

// Unwrap supports http.ResponseController.
func (o *statusWriter) Unwrap() http.ResponseWriter { return o.ResponseWriter }

// redactingLog is a log for net/http, whose messages contain the addresses of clients. It removes them.
type redactingLog struct{ log *slog.Logger }

var clientAddress = regexp.MustCompile(`(\d{1,3}(\.\d{1,3}){3}|\[[0-9a-fA-F:.%\w]+\]):\d+`)

// Write implements io.Writer.
func (d redactingLog) Write(line []byte) (int, error) {
	d.log.Warn(strings.TrimSpace(clientAddress.ReplaceAllString(string(line), "a client")))
	return len(line), nil
}
