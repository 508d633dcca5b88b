package httpx

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// takeSlots has n long answers wait for a slot, which each holds until release is closed. The function that it returns
// counts those that got one.
func takeSlots(t *testing.T, s *processorLimiter, n int, release chan struct{}) func() int {
	got := make(chan struct{}, n)
	for range n {
		go func() {
			if err := s.acquire(t.Context(), 0); err != nil {
				return
			}
			got <- struct{}{}
			<-release
			s.release()
		}()
	}
	return func() int { synctest.Wait(); return len(got) }
}

func TestLongAnswersLeaveAProcessorToShortOnes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ processors, alone, beside int }{{1, 1, 1}, {2, 2, 1}, {8, 8, 7}} {
		synctest.Test(t, func(t *testing.T) {
			s := newProcessorLimiter(c.processors)
			time.Sleep(time.Second) // no short request recently
			release := make(chan struct{})
			if n := takeSlots(t, s, 20, release)(); n != c.alone {
				t.Errorf("%d processors: %d long answers at once, want %d", c.processors, n, c.alone)
			}
			close(release)
			synctest.Wait()
			s.noteShort()
			release = make(chan struct{})
			running := takeSlots(t, s, 20, release)
			if n := running(); n != c.beside {
				t.Errorf("%d processors beside short requests: %d long answers at once, want %d", c.processors, n, c.beside)
			}
			close(release)
			if n := running(); n != 20 {
				t.Errorf("%d of 20 long answers got a slot", n)
			}
		})
	}
}

func TestAWaitingAnswerMayLeave(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newProcessorLimiter(1)
		_ = s.acquire(t.Context(), 0)
		ctx, cancel := context.WithCancel(t.Context())
		left := make(chan error, 1)
		go func() { left <- s.acquire(ctx, 0) }()
		release := make(chan struct{})
		running := takeSlots(t, s, 1, release)
		running()
		cancel()
		if err := <-left; err == nil {
			t.Error("a request that ended has a slot")
		}
		s.release()
		if running() != 1 {
			t.Error("the answer behind one that left has no slot")
		}
		close(release)
	})
}

func TestTheLeastWrittenAnswerComesFirst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newProcessorLimiter(1)
		_ = s.acquire(t.Context(), 0)
		order := make(chan int, 8)
		for _, written := range []int{9, 8, 7, 6, 5, 4, 3, 2} {
			go func() {
				_ = s.acquire(t.Context(), written)
				order <- written
				s.release()
			}()
			synctest.Wait() // they come in this order
		}
		s.release()
		synctest.Wait()
		close(order)
		var got []int
		for written := range order {
			got = append(got, written)
		}
		if want := []int{2, 3, 4, 9, 5, 6, 7, 8}; !slices.Equal(got, want) {
			t.Errorf("served in the order %v, want %v: every fourth slot goes to the one that waited longest", got, want)
		}
	})
}

// slowClient reads nothing until open is closed.
type slowClient struct {
	*httptest.ResponseRecorder
	open chan struct{}
}

func (c slowClient) Write(b []byte) (int, error) {
	<-c.open
	return c.ResponseRecorder.Write(b)
}

func TestASlowClientHoldsNoSlot(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newProcessorLimiter(1)
		item := bytes.Repeat([]byte("1"), chunkSize)
		answer := s.serve(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			err := CopyArray(w, -1, func(items func([]byte) error) error { return items(item) })
			if err != nil {
				t.Error(err)
			}
		}))
		slow, open := slowClient{httptest.NewRecorder(), make(chan struct{})}, make(chan struct{})
		close(open)
		go answer.ServeHTTP(slow, httptest.NewRequest(http.MethodGet, "/", nil))
		synctest.Wait()
		fast := slowClient{httptest.NewRecorder(), open}
		answer.ServeHTTP(fast, httptest.NewRequest(http.MethodGet, "/", nil))
		if n := fast.Body.Len(); n != chunkSize+len("[]\n") {
			t.Errorf("beside a slow client another got %d bytes", n)
		}
		close(slow.open)
		synctest.Wait()
		if n := slow.Body.Len(); n != chunkSize+len("[]\n") {
			t.Errorf("the slow client got %d bytes", n)
		}
	})
}

func TestShortAnswersWaitForNobody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newProcessorLimiter(1)
		_ = s.acquire(t.Context(), 0)
		defer s.release()
		w := httptest.NewRecorder()
		s.serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_ = WriteJSON(w, r, http.StatusOK, "short")
		})).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
		if w.Body.String() != "\"short\"\n" || s.slots() != 1 {
			t.Errorf("a short answer was %q", w.Body)
		}
	})
}
