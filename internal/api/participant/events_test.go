package participant_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"verbatim/internal/api/legacy"
	"verbatim/internal/api/participant"
	"verbatim/internal/api/participant/participanttest"
	"verbatim/internal/api/server"
	"verbatim/internal/api/v1"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/access"
	"verbatim/internal/service/fieldwork"
	"verbatim/test/contract"
)

// streamingModerator writes the first words of a follow-up and waits for resume before it returns.
type streamingModerator struct{ resume chan struct{} }

func (m streamingModerator) Decide(_ context.Context, in interview.Ask) interview.Decision {
	in.Words("And then")
	<-m.resume
	return interview.Decision{Words: "And then what?", Provider: "scripted"}
}

// newServer runs a complete server on a listener. stop stops it and waits for its end.
func newServer(t testing.TB, m fieldwork.Moderator, check bool) (h *testAPI, stop func()) {
	t.Helper()
	s := storetest.New(t)
	h = &testAPI{participanttest.Unserved(t, s, 10_000*wallet.Credit)}
	quiet := slog.New(slog.DiscardHandler)
	api := &participant.API{Fieldwork: &fieldwork.Service{Store: s, Moderator: m}, Log: quiet}
	srv := &server.Server{Access: &access.Service{Store: s}, V1: &v1.API{}, Legacy: &legacy.API{}, Participant: api, Log: quiet}
	if check {
		suite, err := contract.Load()
		if err != nil {
			t.Fatal(err)
		}
		srv.Participant = contractChecked{t, suite, api}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h.URL = "http://" + listener.Addr().String()
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- srv.Run(ctx, listener) }()
	stop = func() {
		cancel()
		if err := <-served; err != nil {
			t.Errorf("the server ended with %v", err)
		}
		served <- nil
	}
	t.Cleanup(stop)
	return h, stop
}

// contractChecked checks responses against the contract.
type contractChecked struct {
	t     testing.TB
	suite *contract.Suite
	api   *participant.API
}

// Register implements server.Registrar.
func (c contractChecked) Register(mux *http.ServeMux) {
	own := http.NewServeMux()
	c.api.Register(own)
	mux.Handle("/", c.suite.Wrap(c.t, own))
}

// events is a client of an event stream.
type events struct {
	t     testing.TB
	reply *http.Response
	lines *bufio.Scanner
}

func (h *testAPI) events(token, last string) *events {
	h.T.Helper()
	request, err := http.NewRequestWithContext(h.T.Context(), http.MethodGet, h.URL+"/i/"+token+"/events", nil)
	if err != nil {
		h.T.Fatal(err)
	}
	request.Header.Set("Accept", "text/event-stream")
	if last != "" {
		request.Header.Set("Last-Event-ID", last)
	}
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		h.T.Fatal(err)
	}
	h.T.Cleanup(func() { reply.Body.Close() })
	return &events{h.T, reply, bufio.NewScanner(reply.Body)}
}

// next returns the next event. Its name is "" at the end of the stream.
func (e *events) next() (name, id string, data object) {
	e.t.Helper()
	for e.lines.Scan() {
		field, value, _ := strings.Cut(e.lines.Text(), ": ")
		switch field {
		case "event":
			name = value
		case "id":
			id = value
		case "data":
			if err := json.Unmarshal([]byte(value), &data); err != nil {
				e.t.Fatal(err)
			}
		case "":
			if name != "" {
				return name, id, data
			}
		}
	}
	return "", "", nil
}

func (e *events) mustBe(name, id, stepID string) object {
	e.t.Helper()
	gotName, gotID, data := e.next()
	at, _ := data["step"].(object)
	if gotName != name || gotID != id || name == "step" && at["stepId"] != stepID || name == "words" && data["stepId"] != stepID {
		e.t.Fatalf("the event is %q %q %v, want %s %s %s", gotName, gotID, data, name, id, stepID)
	}
	return data
}

// TestEvents checks through a complete server that words arrive while they are written, before the response to the answer; that other
// pages receive each step; and that the stream ends with the interview.
func TestEvents(t *testing.T) {
	t.Parallel()
	m := streamingModerator{make(chan struct{})}
	h, _ := newServer(t, m, true)
	token, first := h.Begin(h.Launch(participanttest.FollowUpGuide(), h.Wallet).LinkID, "")
	tab := h.events(token, "")
	for name, want := range map[string]string{"Content-Type": "text/event-stream", "Cache-Control": "no-store", "Content-Encoding": ""} {
		if got := tab.reply.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	tab.mustBe("step", "0", "s0")
	answered := make(chan object)
	go func() {
		_, body, _ := h.Call("POST", "/i/"+token+"/answers", object{"stepId": first["stepId"], "text": "Because."})
		answered <- body
	}()
	if words := tab.mustBe("words", "", "s0"); words["text"] != "And then" {
		t.Errorf("the words are %v", words)
	}
	h.events(token, "0").mustBe("words", "", "s0") // a later subscriber receives them at once
	close(m.resume)
	event := tab.mustBe("step", "2", "s2")
	if body := <-answered; body["step"].(object)["moderator"] != "And then what?" || event["step"].(object)["moderator"] != "And then what?" {
		t.Errorf("the response is %v, the event %v", body, event)
	}
	again := h.events(token, "1") // a client that reconnects receives later events
	again.mustBe("step", "2", "s2")
	h.Call("POST", "/i/"+token+"/answers", object{"stepId": "s2", "text": "So."})
	for _, stream := range []*events{tab, again} {
		if end := stream.mustBe("step", "3", "s3"); end["step"].(object)["kind"] != "complete" {
			t.Errorf("the last event is %v", end)
		}
		if name, _, data := stream.next(); name != "" {
			t.Errorf("after the end comes %s %v", name, data)
		}
	}
	if late := h.events(token, "3"); late.reply.StatusCode != http.StatusNoContent {
		t.Errorf("reconnecting after the end answers %d", late.reply.StatusCode)
	}
	h.events(token, "").mustBe("step", "3", "s3")
}

func TestEventsAreRefused(t *testing.T) {
	t.Parallel()
	h, _ := newServer(t, streamingModerator{}, true)
	token, _ := h.Begin(h.Launch(participanttest.FollowUpGuide(), h.Wallet).LinkID, "")
	if status, body, _ := h.Call("GET", "/i/nobody/events", nil); status != 404 || body["code"] != "interview_not_found" {
		t.Errorf("an unknown token: %d %v", status, body)
	}
	if status, body, _ := h.Call("POST", "/i/"+token+"/events", nil); status != 405 || body["code"] != "method_not_allowed" {
		t.Errorf("another method: %d %v", status, body)
	}
	if status, _, header := h.Call("HEAD", "/i/"+token+"/events", nil); status != 200 || header.Get("Content-Type") != "text/event-stream" {
		t.Errorf("HEAD: %d %v", status, header)
	}
	var open []*events
	for range 9 {
		open = append(open, h.events(token, ""))
		open[len(open)-1].mustBe("step", "0", "s0") // before the next one comes
	}
	if name, _, data := open[0].next(); name != "" {
		t.Errorf("after a ninth subscribes the first receives %s %v", name, data)
	}
	open = open[1:]
	if status, _, _ := h.Call("POST", "/i/"+token+"/withdraw", nil); status != 204 {
		t.Fatalf("withdrawing answers %d", status)
	}
	for _, stream := range open {
		if name, _, data := stream.next(); name != "" {
			t.Errorf("after the deletion comes %s %v", name, data)
		}
	}
	if status, body, _ := h.Call("GET", "/i/"+token+"/events", nil); status != 410 || body["code"] != "interview_gone" {
		t.Errorf("a deleted interview: %d %v", status, body)
	}
}

// TestStreamsOfOneAddress checks the limit of streams of one address, and that streams of one interview replace each other.
func TestStreamsOfOneAddress(t *testing.T) {
	t.Parallel()
	h, _ := newServer(t, streamingModerator{}, true)
	link := h.Launch(participanttest.FollowUpGuide(), h.Wallet).LinkID
	const limit = 128
	var first string
	for i := range limit {
		token, _ := h.Begin(link, "")
		if i == 0 {
			first = token
		}
		h.events(token, "").mustBe("step", "0", "s0")
	}
	token, _ := h.Begin(link, "")
	status, body, header := h.Call("GET", "/i/"+token+"/events", nil)
	if status != 429 || body["code"] != "rate_limited" || header.Get("Retry-After") != "5" {
		t.Errorf("one stream more: %d %v %v", status, body, header)
	}
	h.events(first, "").mustBe("step", "0", "s0")
}

// TestEventsEndWhenTheServerStops checks that a stop does not wait for streams, and that they end without an error.
func TestEventsEndWhenTheServerStops(t *testing.T) {
	t.Parallel()
	h, stop := newServer(t, streamingModerator{}, false)
	token, _ := h.Begin(h.Launch(participanttest.FollowUpGuide(), h.Wallet).LinkID, "")
	tab := h.events(token, "")
	tab.mustBe("step", "0", "s0")
	stop()
	if name, _, data := tab.next(); name != "" || tab.lines.Err() != nil {
		t.Errorf("after the stop comes %s %v, %v", name, data, tab.lines.Err())
	}
}

// BenchmarkOpenStreams measures the memory of an open stream, in bytes. The clients run in the same process, as plain connections so that
// they add little.
func BenchmarkOpenStreams(b *testing.B) {
	const streams = 128 // of one address there are no more
	h, _ := newServer(b, streamingModerator{}, false)
	link := h.Launch(participanttest.FollowUpGuide(), h.Wallet).LinkID
	var tokens []string
	for range streams {
		token, _ := h.Begin(link, "")
		tokens = append(tokens, token)
	}
	for b.Loop() {
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var open []net.Conn
		for _, token := range tokens {
			conn, err := net.Dial("tcp", strings.TrimPrefix(h.URL, "http://"))
			if err != nil {
				b.Fatal(err)
			}
			open = append(open, conn)
			if _, err := io.WriteString(conn, "GET /i/"+token+"/events HTTP/1.1\r\nHost: v\r\nAccept: text/event-stream\r\n\r\n"); err != nil {
				b.Fatal(err)
			}
			for got, chunk := "", make([]byte, 4096); !strings.Contains(got, "event: step"); {
				n, err := conn.Read(chunk)
				if err != nil {
					b.Fatal(err)
				}
				got += string(chunk[:n])
			}
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		used := after.HeapInuse + after.StackInuse - before.HeapInuse - before.StackInuse
		b.ReportMetric(float64(used)/streams, "bytes/stream")
		for _, conn := range open {
			conn.Close()
		}
	}
}
