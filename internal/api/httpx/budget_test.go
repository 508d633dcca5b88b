package httpx_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"verbatim/internal/api/httpx"
)

// reader returns a handler that reads bodies within a budget. The header Client names the client.
func reader(b *httpx.Budget) http.Handler {
	table := httpx.Table{}
	return b.Serve(func(r *http.Request) string { return r.Header.Get("Client") }, table.Handle(nil, func(w http.ResponseWriter, r *http.Request) error {
		_, err := httpx.ReadBody(w, r)
		return err
	}))
}

// upload is a request whose body is sent by the test.
type upload struct {
	answer chan *httptest.ResponseRecorder
	body   *io.PipeWriter
}

// begin sends a request, of which so many bytes have arrived and are charged to the budget.
func begin(t *testing.T, h http.Handler, client string, bytes int) *upload {
	t.Helper()
	body, to := io.Pipe()
	u := &upload{answer: make(chan *httptest.ResponseRecorder, 1), body: to}
	r := httptest.NewRequest("POST", "/", body)
	r.Header.Set("Client", client)
	go func() {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		_ = body.Close() // or the sender of a refused request would wait forever
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

// TestBudget: large bodies take no more than a quarter of it, and no client more than half of that. Small ones are served
// meanwhile, and everything is refunded.
func TestBudget(t *testing.T) {
	t.Parallel()
	h := reader(&httpx.Budget{Bytes: httpx.MinBudget, Wait: time.Nanosecond})
	for range 3 { // anything not refunded would be missing in the next round
		var held []*upload
		for _, client := range []string{"a", "b", "c"} { // of unknown length: 4 MiB each
			held = append(held, begin(t, h, client, 700<<10))
		}
		for _, client := range []string{"a", "d"} {
			w := httptest.NewRecorder()
			r := httptest.NewRequest("POST", "/", io.MultiReader(strings.NewReader("["+strings.Repeat(" ", 700<<10)+"]")))
			r.Header.Set("Client", client)
			h.ServeHTTP(w, r)
			if w.Code != 503 || !strings.Contains(w.Body.String(), `"busy"`) || w.Header().Get("Retry-After") == "" {
				t.Errorf("a large body too many of %s answers %d %v %s", client, w.Code, w.Header(), w.Body)
			}
			for range 10 {
				if w := small(h, client); w.Code != 200 {
					t.Errorf("a small body of %s beside large ones answers %d %s", client, w.Code, w.Body)
				}
			}
		}
		for i, u := range held {
			if got := u.end(); got != 200 {
				t.Errorf("body %d answers %d", i, got)
			}
		}
	}
}

// TestLargeBodiesDoNotStallEachOther: large bodies that come at the same time are all served, one after the other, though
// each needs half of the budget: none waits for one that waits itself.
func TestLargeBodiesDoNotStallEachOther(t *testing.T) {
	t.Parallel()
	h := reader(&httpx.Budget{Wait: time.Hour})
	values := "[0" + strings.Repeat(",0", 190_000) + "]"
	large := values + strings.Repeat(" ", 3<<20-len(values))
	answers := make(chan int)
	for range 8 {
		go func() {
			r := httptest.NewRequest("POST", "/", strings.NewReader(large))
			r.Header.Set("Client", "one")
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			answers <- w.Code
		}()
	}
	for range 8 {
		if got := <-answers; got != 200 {
			t.Errorf("a large body among others answers %d", got)
		}
	}
}

// TestASlowSenderKeepsNobodyFromParsing: parsing waits for no body that is still arriving.
func TestASlowSenderKeepsNobodyFromParsing(t *testing.T) {
	t.Parallel()
	h := reader(&httpx.Budget{Wait: time.Hour})
	slow := begin(t, h, "slow", 700<<10)
	values := "[0" + strings.Repeat(",0", 190_000) + "]"
	r := httptest.NewRequest("POST", "/", strings.NewReader(values+strings.Repeat(" ", 3<<20)))
	w := httptest.NewRecorder()
	if h.ServeHTTP(w, r); w.Code != 200 {
		t.Errorf("beside a slow sender a large body answers %d %s", w.Code, w.Body)
	}
	if got := slow.end(); got != 200 {
		t.Errorf("the slow one answers %d", got)
	}
}

// TestChargeTo: a body counts for all names that it is charged to, so that using many addresses gains nothing.
func TestChargeTo(t *testing.T) {
	t.Parallel()
	inner := httpx.Table{}.Handle(nil, func(w http.ResponseWriter, r *http.Request) error {
		httpx.ChargeTo(r.Context(), r.Header.Get("Org"))
		_, err := httpx.ReadBody(w, r)
		return err
	})
	b := &httpx.Budget{Bytes: httpx.MinBudget, Wait: time.Nanosecond}
	h := b.Serve(func(r *http.Request) string { return r.Header.Get("Client") }, inner)
	of := func(org string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.Header.Set("Org", org)
			h.ServeHTTP(w, r)
		})
	}
	held := begin(t, of("greedy"), "a", 700<<10)
	large := func(org, client string) int {
		r := httptest.NewRequest("POST", "/", io.MultiReader(strings.NewReader("["+strings.Repeat(" ", 700<<10)+"]")))
		r.Header.Set("Client", client)
		w := httptest.NewRecorder()
		of(org).ServeHTTP(w, r)
		return w.Code
	}
	if got := large("greedy", "b"); got != 503 {
		t.Errorf("from another address the same organization gets %d", got)
	}
	if got := large("other", "b"); got != 200 {
		t.Errorf("another organization gets %d", got)
	}
	if got := held.end(); got != 200 {
		t.Errorf("the first answers %d", got)
	}
	if got := large("greedy", "b"); got != 200 {
		t.Errorf("what was held was not given back: %d", got)
	}
}

// TestTheSmallestAreServedLast: as bodies of each size use what they may, there is still room for smaller ones.
func TestTheSmallestAreServedLast(t *testing.T) {
	t.Parallel()
	const all = 64 << 20
	h := reader(&httpx.Budget{Bytes: all, Wait: time.Nanosecond})
	var held []*upload
	for i, size := range []int{2 << 20, 100 << 10, 20 << 10, 5 << 10} { // each takes up to four times as much
		for n := 0; ; n++ {
			u := begin(t, h, fmt.Sprint(i, n), 0)
			if _, err := io.WriteString(u.body, strings.Repeat(" ", size)); err != nil {
				if w := <-u.answer; w.Code != 503 {
					t.Errorf("a body of %d bytes too many answers %d", size, w.Code)
				}
				break
			}
			if held = append(held, u); n > all/size {
				t.Fatalf("%d bodies of %d bytes were taken", n, size)
			}
		}
		if w := small(h, "innocent"); w.Code != 200 {
			t.Errorf("with all bodies of %d bytes that are taken, a small one answers %d", size, w.Code)
		}
	}
	for _, u := range held {
		_ = u.body.CloseWithError(errors.New("gone"))
		<-u.answer
	}
}

// TestOneClientLeavesHalf: one client leaves half of the budget to the others.
func TestOneClientLeavesHalf(t *testing.T) {
	t.Parallel()
	h := reader(&httpx.Budget{Bytes: 256 << 10, Wait: time.Nanosecond})
	var held []*upload
	for range 32 { // 1 KiB each
		held = append(held, begin(t, h, "greedy", 0))
	}
	if w := small(h, "greedy"); w.Code != 503 {
		t.Errorf("the client gets more than half of its part: %d", w.Code)
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

// TestBudgetIsWaitedFor: a request that finds the budget used up goes on when something is refunded.
func TestBudgetIsWaitedFor(t *testing.T) {
	t.Parallel()
	h := reader(&httpx.Budget{Bytes: 8 << 10, Wait: time.Hour})
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
