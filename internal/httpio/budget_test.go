package httpio_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"verbatim/internal/httpio"
)

// reader is a service that reads bodies within a budget, on the names of clients that requests say.
func reader(b *httpio.Budget) http.Handler {
	table := httpio.Table{}
	return b.Serve(func(r *http.Request) string { return r.Header.Get("Client") }, table.Handle(nil, func(w http.ResponseWriter, r *http.Request) error {
		_, err := httpio.ReadBody(w, r)
		return err
	}))
}

// upload is a request whose body comes when it is sent.
type upload struct {
	answer chan *httptest.ResponseRecorder
	body   *io.PipeWriter
}

// begin sends a request of which so many bytes have arrived, and been taken from the budget.
func begin(t *testing.T, h http.Handler, client string, bytes int) *upload {
	t.Helper()
	body, to := io.Pipe()
	u := &upload{answer: make(chan *httptest.ResponseRecorder, 1), body: to}
	r := httptest.NewRequest("POST", "/", body)
	r.Header.Set("Client", client)
	go func() {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		_ = body.Close() // or a sender that is refused would wait for ever
		u.answer <- w
	}()
	if _, err := io.WriteString(to, "["+strings.Repeat(" ", bytes)); err != nil {
		t.Fatal(err)
	}
	return u
}

func (u *upload) end() int {
	_, _ = io.WriteString(u.body, "]")
	_ = u.body.Close()
	return (<-u.answer).Code
}

func small(h http.Handler, client string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("POST", "/", strings.NewReader("{}"))
	r.Header.Set("Client", client)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// TestBudget: large bodies take no more than three quarters of it, and no client more than half; the small ones of others are
// served meanwhile, and all is given back.
func TestBudget(t *testing.T) {
	t.Parallel()
	h := reader(&httpio.Budget{Bytes: 8 << 20, Wait: time.Nanosecond})
	for range 3 { // what was not given back would be missed
		one, two, three := begin(t, h, "a", 700<<10), begin(t, h, "a", 700<<10), begin(t, h, "a", 700<<10)
		if got := begin(t, h, "a", 0); got.end() != 200 {
			t.Error("a small body of the client is refused while it has a share left")
		}
		four := begin(t, h, "b", 700<<10) // four times 1 MiB
		five := begin(t, h, "b", 700<<10)
		six := begin(t, h, "b", 700<<10) // six: the rest is for small ones
		w := httptest.NewRecorder()
		r := httptest.NewRequest("POST", "/", strings.NewReader("["+strings.Repeat(" ", 700<<10)+"]"))
		r.Header.Set("Client", "c")
		h.ServeHTTP(w, r)
		if w.Code != 503 || !strings.Contains(w.Body.String(), `"busy"`) || w.Header().Get("Retry-After") == "" {
			t.Errorf("a large body too many answers %d %v %s", w.Code, w.Header(), w.Body)
		}
		for range 10 {
			if w := small(h, "c"); w.Code != 200 {
				t.Errorf("a small body beside large ones answers %d %s", w.Code, w.Body)
			}
		}
		for i, u := range []*upload{one, two, three, four, five, six} {
			if got := u.end(); got != 200 && got != 503 { // at its end it is copied, for which there may be no room
				t.Errorf("body %d answers %d", i, got)
			}
		}
	}
}

// TestOneClientLeavesHalf of the budget to the others.
func TestOneClientLeavesHalf(t *testing.T) {
	t.Parallel()
	h := reader(&httpio.Budget{Bytes: 64 << 10, Wait: time.Nanosecond})
	var held []*upload
	for range 32 { // 1 KiB each
		held = append(held, begin(t, h, "greedy", 0))
	}
	if w := small(h, "greedy"); w.Code != 503 {
		t.Errorf("the client gets more than half: %d", w.Code)
	}
	if w := small(h, "other"); w.Code != 200 {
		t.Errorf("another client gets %d %s", w.Code, w.Body)
	}
	for _, u := range held {
		_ = u.body.CloseWithError(errors.New("gone"))
		if w := <-u.answer; w.Code != 400 {
			t.Errorf("a body that broke off answers %d", w.Code)
		}
	}
	if w := small(h, "greedy"); w.Code != 200 {
		t.Errorf("what was held was not given back: %d", w.Code)
	}
}

// TestBudgetIsWaitedFor: a request that finds nothing left goes on when something is given back.
func TestBudgetIsWaitedFor(t *testing.T) {
	t.Parallel()
	h := reader(&httpio.Budget{Bytes: 2 << 10, Wait: time.Hour})
	first := begin(t, h, "a", 0)
	second := make(chan int)
	go func() { second <- small(h, "a").Code }()
	third := make(chan int)
	go func() { third <- small(h, "b").Code }()
	if got := first.end(); got != 200 {
		t.Errorf("the first answers %d", got)
	}
	if one, two := <-second, <-third; one != 200 || two != 200 {
		t.Errorf("those that waited answer %d and %d", one, two)
	}
}
