package participant

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"verbatim/internal/fieldwork"
	"verbatim/internal/httpio"
)

const (
	heartbeat = 20 * time.Second // so that no proxy takes the stream for dead, and a client that is gone is found out
	sendTime  = 10 * time.Second // how long a client may take to receive an event
	comeAgain = 2 * time.Second  // what clients are told to wait before they connect again
)

// wordsEvent is a follow-up that is being written.
type wordsEvent struct {
	StepID string `json:"stepId"` // whose answer it follows up
	Text   string `json:"text"`   // so far
}

// events tells what happens in an interview, as server-sent events, until it ends, its response is deleted, or the server
// stops. An event's id is the number of turns; who comes back with it is told only what came after.
func (d *Door) events(w http.ResponseWriter, r *http.Request) error {
	stopping := httpio.Stopping(r.Context())
	select {
	case <-stopping:
		return errCrowded
	default:
	}
	seen := -1
	if last, err := strconv.Atoi(r.Header.Get("Last-Event-Id")); err == nil {
		seen = last
	}
	f, err := d.Fieldwork.Follow(r.Context(), r.PathValue("token"), seen)
	switch {
	case errors.Is(err, fieldwork.ErrCrowdedByThis):
		e := httpio.Errorf(http.StatusTooManyRequests, "rate_limited", "Too many connections follow this interview.")
		e.Header = http.Header{"Retry-After": {"5"}}
		return e
	case errors.Is(err, fieldwork.ErrCrowded):
		return errCrowded
	case err != nil:
		return err
	}
	defer f.Close()
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	if f.Over() {
		w.WriteHeader(http.StatusNoContent) // tells a browser not to come again
		return nil
	}
	header.Set("Content-Type", "text/event-stream")
	header.Set("X-Accel-Buffering", "no") // some proxies would gather the events
	if r.Method == http.MethodHead {
		return nil
	}
	out := &eventStream{w: w, control: http.NewResponseController(w)}
	_ = out.control.SetReadDeadline(time.Time{}) // else the request counts as given up when that of the server passes
	if !out.send("retry: " + strconv.FormatInt(comeAgain.Milliseconds(), 10) + "\n\n") {
		return nil
	}
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		for news, more := f.News(); more; news, more = f.News() {
			if news.Gone || !out.tell(news) || f.Over() {
				return nil
			}
		}
		select {
		case <-f.Changed:
		case <-beat.C:
			if !out.send(":\n\n") {
				return nil
			}
		case <-stopping:
			return nil
		case <-r.Context().Done():
			return nil
		}
	}
}

var errCrowded = httpio.Errorf(http.StatusServiceUnavailable, "busy", "No more connections can follow interviews here now.")

// eventStream writes events, each at once.
type eventStream struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

func (s *eventStream) tell(news fieldwork.News) bool {
	if news.Words != nil {
		return s.send("event: words\ndata: " + line(wordsEvent{news.Words.After, news.Words.Text}))
	}
	return s.send(fmt.Sprintf("event: step\nid: %d\ndata: %s", news.View.Response.TurnCount, line(stepBody{stepOf(*news.View)})))
}

// line is JSON with the end of an event. JSON has no line breaks of its own.
func line(v any) string { return string(bytes.TrimSpace(httpio.Encode(v))) + "\n\n" }

// send is false when the client is gone.
func (s *eventStream) send(text string) bool {
	_ = s.control.SetWriteDeadline(time.Now().Add(sendTime)) // a recorder in a test has no deadlines
	if _, err := s.w.Write([]byte(text)); err != nil {
		return false
	}
	return s.control.Flush() == nil
}
