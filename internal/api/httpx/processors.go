package httpx

import (
	"context"
	"net/http"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// processors are shared by the answers of the whole process, since the machine's are.
var processors = newProcessorLimiter(runtime.GOMAXPROCS(0))

const (
	// longAnswer is how many bytes an answer has, before compression, from which on it waits for others.
	longAnswer = 64 << 10
	// shortLately is for how long after a short request another one is expected.
	shortWindow = 100 * time.Millisecond
)

// share bounds how many long answers are rendered and compressed at the same time. They are always ready to run, so a few
// dozen of them would have every short request wait behind each. While short requests come, one processor is left to them;
// while none do, long answers take all. Of those that wait, the one that has written least comes first, so that a page of a
// hundred responses does not wait behind each piece of many pages of ten thousand; every fourth place goes to who has waited longest.
type processorLimiter struct {
	processors int
	now        func() time.Time
	lastShort  atomic.Int64 // when the last short request ended, in nanoseconds since 1970

	mu         sync.Mutex
	taken      int
	handedOver int // places that were handed on so far
	waiting    []*waiter
}

// waiter is an answer that waits for a place.
type waiter struct {
	written int // bytes so far, before compression
	ready   chan struct{}
}

// oldestEvery is how many places are handed on for one that goes to who has waited longest.
const oldestEvery = 4

func newProcessorLimiter(processors int) *processorLimiter {
	return &processorLimiter{processors: processors, now: time.Now}
}

// endedShort notes that somebody is here whose requests are short.
func (s *processorLimiter) noteShort() { s.lastShort.Store(s.now().UnixNano()) }

// places is how many long answers may be computed now; at least 1.
func (s *processorLimiter) slots() int {
	if s.now().UnixNano()-s.lastShort.Load() < int64(shortWindow) {
		return max(1, s.processors-1)
	}
	return s.processors
}

// take waits for a place, which is kept until give, for an answer that has written so many bytes.
func (s *processorLimiter) acquire(ctx context.Context, written int) error {
	s.mu.Lock()
	if len(s.waiting) == 0 && s.taken < s.slots() {
		s.taken++
		s.mu.Unlock()
		return nil
	}
	mine := &waiter{written, make(chan struct{}, 1)}
	s.waiting = append(s.waiting, mine)
	s.mu.Unlock()
	select {
	case <-mine.ready:
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	at := slices.Index(s.waiting, mine)
	if at >= 0 {
		s.waiting = slices.Delete(s.waiting, at, at+1)
	}
	s.mu.Unlock()
	if at < 0 {
		s.release() // the place had come already
	}
	return ctx.Err()
}

// give hands the place on. Nobody waits while no place is taken, so whoever waits is woken by one of these.
func (s *processorLimiter) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken--
	for len(s.waiting) > 0 && s.taken < s.slots() {
		s.taken++
		s.handedOver++
		next := 0 // they stand in the order in which they came
		if s.handedOver%oldestEvery != 0 {
			for i, w := range s.waiting {
				if w.written < s.waiting[next].written {
					next = i
				}
			}
		}
		s.waiting[next].ready <- struct{}{}
		s.waiting = slices.Delete(s.waiting, next, next+1)
	}
}

// ShareProcessors has long answers of next leave a processor to short ones. It stands outside of compression, so that what
// is compressed counts and the time that a client takes does not.
func LimitLongAnswers(next http.Handler) http.Handler { return processors.serve(next) }

func (s *processorLimiter) serve(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		shared := &limitedWriter{ResponseWriter: w, ctx: r.Context(), limiter: s}
		next.ServeHTTP(shared, r)
		if !shared.long {
			s.noteShort()
		}
	})
}

// sharing is an answer that takes a place while it is computed. One goroutine uses it.
type limitedWriter struct {
	http.ResponseWriter
	ctx     context.Context
	limiter *processorLimiter

	written   int  // bytes before compression
	long      bool // it has waited, or need not have
	holdsSlot bool
}

// sharingOf finds the answer's place below what wraps it; nil where nothing is shared, as in tests of single handlers.
func limitedWriterOf(w http.ResponseWriter) *limitedWriter {
	for {
		if s, ok := w.(*limitedWriter); ok {
			return s
		}
		wrapper, ok := w.(interface{ Unwrap() http.ResponseWriter })
		if !ok {
			return nil
		}
		w = wrapper.Unwrap()
	}
}

// compute waits for a place where the answer is long: bytes is how many it has with what comes next, before compression. The
// place is kept until done is called.
func (s *limitedWriter) compute(bytes int) (done func(), err error) {
	if s == nil || bytes < longAnswer {
		return func() {}, nil
	}
	s.long, s.written = true, bytes
	if err := s.acquire(); err != nil {
		return nil, err
	}
	return s.release, nil
}

func (s *limitedWriter) acquire() error {
	err := s.limiter.acquire(s.ctx, s.written)
	s.holdsSlot = err == nil
	return err
}

func (s *limitedWriter) release() {
	if s.holdsSlot {
		s.holdsSlot = false
		s.limiter.release()
	}
}

// Write gives the place away while the client is written to.
func (s *limitedWriter) Write(b []byte) (int, error) {
	if !s.holdsSlot {
		return s.ResponseWriter.Write(b)
	}
	s.release()
	n, err := s.ResponseWriter.Write(b)
	if err == nil {
		err = s.acquire()
	}
	return n, err
}

// Flush implements http.Flusher, for answers that are written bit by bit.
func (s *limitedWriter) Flush() { _ = http.NewResponseController(s.ResponseWriter).Flush() }

// Unwrap serves http.ResponseController.
func (s *limitedWriter) Unwrap() http.ResponseWriter { return s.ResponseWriter }
