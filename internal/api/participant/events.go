package participant

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"verbatim/internal/api/httpx"
	"verbatim/internal/service/access"
	"verbatim/internal/service/fieldwork"
)

const (
	heartbeat  = 20 * time.Second // so that no proxy takes the stream for dead, and a client that is gone is found out
	sendTime   = 10 * time.Second // how long a client may take to receive an event
	comeAgain  = 2 * time.Second  // what clients are told to wait before they connect again
	comeLater  = 30 * time.Second // the same for one whose place another took, so that they do not take turns
	streamLife = time.Hour        // a stream; then the client comes again

	// streamsOfOne is how many streams one address may have; a wide IPv6 network may have more.
	streamsOfOne = 128
)

// wordsEvent is a follow-up that is being written.
type wordsEvent struct {
	StepID string `json:"stepId"` // whose answer it follows up
	Text   string `json:"text"`   // so far
}

// events tells what happens in an interview, as server-sent events, until it ends, its response is deleted, or the server
// stops. An event's id is the number of turns; who comes back with it is told only what came after.
func (d *API) events(w http.ResponseWriter, r *http.Request) error {
	stopping := httpx.Stopping(r.Context())
	select {
	case <-stopping:
		return errTooManyStreams
	default:
	}
	seen := -1
	if last, err := strconv.Atoi(r.Header.Get("Last-Event-Id")); err == nil {
		seen = last
	}
	var from []fieldwork.Origin
	for _, network := range access.ClientOf(r.Context()) {
		from = append(from, fieldwork.Origin{Name: network.Name, Max: network.Times * streamsOfOne})
	}
	f, err := d.Fieldwork.Follow(r.Context(), r.PathValue("token"), seen, from...)
	switch {
	case errors.Is(err, fieldwork.ErrTooManyFromOrigin):
		e := httpx.Errorf(http.StatusTooManyRequests, "rate_limited", "At most %d connections from your network can follow interviews.", streamsOfOne)
		e.Header = http.Header{"Retry-After": {retryTooManyStreams}}
		return e
	case errors.Is(err, fieldwork.ErrTooManySubscribers):
		return errTooManyStreams
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
	if !out.sendRetry(comeAgain) {
		return nil
	}
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	end := time.NewTimer(streamLife)
	defer end.Stop()
	for {
		for change, more := f.Next(); more; change, more = f.Next() {
			if change.Replaced {
				out.sendRetry(comeLater)
				return nil
			}
			if change.Gone || !out.tell(change) || f.Over() {
				return nil
			}
		}
		select {
		case <-f.Changed:
		case <-beat.C:
			if !out.send(":\n\n") {
				return nil
			}
		case <-end.C:
			return nil
		case <-stopping:
			return nil
		case <-r.Context().Done():
			return nil
		}
	}
}

// retryCrowded is in how many seconds who found no place may come again.
const retryTooManyStreams = "5"

var errTooManyStreams = func() *httpx.Error {
	e := httpx.Errorf(http.StatusServiceUnavailable, "busy", "No more connections can follow interviews here now.")
	e.Header = http.Header{"Retry-After": {retryTooManyStreams}}
	return e
}()

// eventStream writes events, each at once.
type eventStream struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

func (s *eventStream) tell(change fieldwork.Change) bool {
	if change.Words != nil {
		return s.send("event: words\ndata: " + line(wordsEvent{change.Words.After, change.Words.Text}))
	}
	return s.send(fmt.Sprintf("event: step\nid: %d\ndata: %s", change.View.Response.TurnCount, line(stepBody{stepOf(*change.View)})))
}

// line is JSON with the end of an event. JSON has no line breaks of its own.
func line(v any) string { return string(bytes.TrimSpace(httpx.Encode(v))) + "\n\n" }

// sendRetry says how long to wait before connecting again.
func (s *eventStream) sendRetry(wait time.Duration) bool {
	return s.send("retry: " + strconv.FormatInt(wait.Milliseconds(), 10) + "\n\n")
}

// send is false when the client is gone.
func (s *eventStream) send(text string) bool {
	_ = s.control.SetWriteDeadline(time.Now().Add(sendTime)) // a recorder in a test has no deadlines
	if _, err := s.w.Write([]byte(text)); err != nil {
		return false
	}
	return s.control.Flush() == nil
}
