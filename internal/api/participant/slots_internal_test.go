package participant

import (
	"context"
	"errors"
	"net/http"
	"testing"

	"verbatim/internal/api/httpx"
	"verbatim/internal/service/access"
)

func TestSlots(t *testing.T) {
	t.Parallel()
	s := &Slots{All: 5, Each: 2}
	from := func(names ...string) context.Context {
		var networks []access.Share
		for i, name := range names {
			networks = append(networks, access.Share{Name: name, Times: i + 1})
		}
		return access.WithClient(t.Context(), networks)
	}
	acquire := func(ctx context.Context, want int) (release func()) {
		t.Helper()
		release, err := s.acquire(ctx)
		got := 0
		if refused, is := errors.AsType[*httpx.Error](err); is {
			got = refused.Status
			if refused.Header.Get("Retry-After") == "" || refused.Header.Get("Connection") != "close" {
				t.Errorf("the header of %v is %v", refused, refused.Header)
			}
		}
		if got != want {
			t.Fatalf("%v, want status %d", err, want)
		}
		return release
	}
	first := acquire(from("a1", "a"), 0)
	acquire(from("a1", "a"), 0)
	acquire(from("a1", "a"), http.StatusTooManyRequests)
	second := acquire(from("a2", "a"), 0)
	acquire(from("a2", "a"), 0)
	acquire(from("a3", "a"), http.StatusTooManyRequests) // of the wider network
	first()
	acquire(from("a2", "a"), http.StatusTooManyRequests)
	acquire(from("a3", "a"), 0)
	last := acquire(from("b"), 0)
	acquire(from("c"), http.StatusServiceUnavailable)
	last()
	acquire(from("c"), 0)
	second()
	acquire(from("a2", "a"), 0)
	if s.all != 5 || s.from["b"] != 0 || s.from["a"] != 4 || len(s.from) != 5 {
		t.Errorf("%d are taken, by %v", s.all, s.from)
	}
}

// TestNoLimits checks that the zero value of Slots sets no limit.
func TestNoLimits(t *testing.T) {
	t.Parallel()
	s := &Slots{}
	for range 1000 {
		if _, err := s.acquire(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}
