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
	heartbeat              = 20 * time.Second // so that proxies keep the stream open, and clients that are gone are noticed
	writeTimeout           = 10 * time.Second // how long a client may take to receive an event
	reconnectDelay         = 2 * time.Second  // before clients reconnect
	replacedReconnectDelay = 30 * time.Second // before a client reconnects whose stream was replaced, so that the two do not alternate
	maxStreamAge           = time.Hour        // after which a client has to reconnect

	// maxStreamsPerAddress is the maximum number of streams of one address. Larger IPv6 networks may have more.
	maxStreamsPerAddress = 128
)

// wordsEvent is the body of the event words: a follow-up that is being written.
type wordsEvent struct {
	StepID string `json:"stepId"` // step whose answer it follows up
	Text   string `json:"text"`   // so far
}

// events sends the changes of an interview as server-sent events until the interview ends, its response is deleted, or the server
// stops. An event's id is the number of turns; a client that reconnects with it receives only later changes.
func (a *API) events(w http.ResponseWriter, r *http.Request) error {
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
		from = append(from, fieldwork.Origin{Name: network.Name, Max: network.Times * maxStreamsPerAddress})
	}
	sub, err := a.Fieldwork.Subscribe(r.Context(), r.PathValue("token"), seen, from...)
	switch {
	case errors.Is(err, fieldwork.ErrTooManyFromOrigin):
		e := httpx.Errorf(http.StatusTooManyRequests, "rate_limited", "At most %d connections from your network can follow interviews at once.", maxStreamsPerAddress)
		e.Header = http.Header{"Retry-After": {retryTooManyStreams}}
		return e
	case errors.Is(err, fieldwork.ErrTooManySubscribers):
		return errTooManyStreams
	case err != nil:
		return err
	}
	defer sub.Close()
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	if sub.Over() {
		w.WriteHeader(http.StatusNoContent) // a browser does not reconnect after 204
		return nil
	}
	header.Set("Content-Type", "text/event-stream")
	header.Set("X-Accel-Buffering", "no") // some proxies would buffer the events
	if r.Method == http.MethodHead {
		return nil
	}
	events := &eventStream{w: w, control: http.NewResponseController(w)}
	if !events.sendRetry(reconnectDelay) {
		return nil
	}
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	end := time.NewTimer(maxStreamAge)
	defer end.Stop()
	for {
		for change, more := sub.Next(); more; change, more = sub.Next() {
			if change.Replaced {
				events.sendRetry(replacedReconnectDelay)
				return nil
			}
			if change.Gone || !events.sendChange(change) || sub.Over() {
				return nil
			}
		}
		select {
		case <-sub.Changed:
		case <-beat.C:
			if !events.send(":\n\n") {
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

// retryTooManyStreams is the Retry-After of a stream that was refused, in seconds.
const retryTooManyStreams = "5"

var errTooManyStreams = func() *httpx.Error {
	e := httpx.Errorf(http.StatusServiceUnavailable, "busy", "Too many connections follow interviews now. Try again later.")
	e.Header = http.Header{"Retry-After": {retryTooManyStreams}}
	return e
}()

// eventStream writes events and flushes each of them.
type eventStream struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

func (s *eventStream) sendChange(change fieldwork.Change) bool {
	if change.Words != nil {
		return s.send("event: words\ndata: " + eventData(wordsEvent{change.Words.After, change.Words.Text}))
	}
	return s.send(fmt.Sprintf("event: step\nid: %d\ndata: %s", change.View.Response.TurnCount, eventData(stepBody{StepOf(*change.View)})))
}

// eventData returns JSON and the end of an event. The encoded JSON has no line breaks.
func eventData(v any) string { return string(bytes.TrimSpace(httpx.Encode(v))) + "\n\n" }

// sendRetry sends the time that the client should wait before it reconnects.
func (s *eventStream) sendRetry(wait time.Duration) bool {
	return s.send("retry: " + strconv.FormatInt(wait.Milliseconds(), 10) + "\n\n")
}

// send reports whether the text was sent; false means that the client is gone.
func (s *eventStream) send(text string) bool {
	_ = s.control.SetWriteDeadline(time.Now().Add(writeTimeout)) // fails with an httptest.ResponseRecorder, which has no deadlines
	if _, err := s.w.Write([]byte(text)); err != nil {
		return false
	}
	return s.control.Flush() == nil
}
