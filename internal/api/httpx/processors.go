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

// processors is shared by all answers of the process, as the machine's processors are.
var processors = newProcessorLimiter(runtime.GOMAXPROCS(0))

const (
	// longAnswer is the size from which on an answer waits for a slot, in bytes before compression.
	longAnswer = 64 << 10
	// shortWindow is how long after a short request another one is expected.
	shortWindow = 100 * time.Millisecond
)

// processorLimiter limits how many long answers are rendered and compressed at the same time. They wait for nothing but a
// processor, so a few dozen of them would delay every short request. While short requests come, one processor is left to
// them; while none come, long answers use all. Of the answers that wait, the one that has written least goes first, so that
// a page of a hundred responses does not wait behind every chunk of many pages of ten thousand. Every fourth slot goes to
// the one that has waited longest.
type processorLimiter struct {
	processors int
	now        func() time.Time
	lastShort  atomic.Int64 // when the last short request ended, in nanoseconds since 1970

	mu         sync.Mutex
	taken      int
	handedOver int // slots that were handed to a waiting answer so far
	waiting    []*waiter
}

// waiter is an answer that waits for a slot.
type waiter struct {
	written int // bytes so far, before compression
	ready   chan struct{}
}

// oldestEvery makes each oldestEvery-th slot go to the answer that has waited longest.
const oldestEvery = 4

func newProcessorLimiter(processors int) *processorLimiter {
	return &processorLimiter{processors: processors, now: time.Now}
}

// noteShort records that a short request has just ended.
func (s *processorLimiter) noteShort() { s.lastShort.Store(s.now().UnixNano()) }

// slots returns how many long answers may run now; at least 1.
func (s *processorLimiter) slots() int {
	if s.now().UnixNano()-s.lastShort.Load() < int64(shortWindow) {
		return max(1, s.processors-1)
	}
	return s.processors
}

// acquire waits for a slot for an answer that has written so many bytes. The slot is held until release.
func (s *processorLimiter) acquire(ctx context.Context, written int) error {
	s.mu.Lock()
	if len(s.waiting) == 0 && s.taken < s.slots() {
		s.taken++
		s.mu.Unlock()
		return nil
	}
	own := &waiter{written, make(chan struct{}, 1)}
	s.waiting = append(s.waiting, own)
	s.mu.Unlock()
	select {
	case <-own.ready:
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	i := slices.Index(s.waiting, own)
	if i >= 0 {
		s.waiting = slices.Delete(s.waiting, i, i+1)
	}
	s.mu.Unlock()
	if i < 0 {
		s.release() // the slot was handed over already
	}
	return ctx.Err()
}

// release hands the slot over. Nobody waits while all slots are free, so every waiting answer is woken by a release.
func (s *processorLimiter) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken--
	for len(s.waiting) > 0 && s.taken < s.slots() {
		s.taken++
		s.handedOver++
		next := 0 // they are in the order of arrival
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

// LimitLongAnswers makes long answers of next leave a processor to short ones. It must wrap the compression, so that the
// time for compressing counts and the time that a client takes to read does not.
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

// limitedWriter is an answer that holds a slot while it is computed. One goroutine uses it.
type limitedWriter struct {
	http.ResponseWriter
	ctx     context.Context
	limiter *processorLimiter

	written   int  // bytes before compression
	long      bool // it needs a slot
	holdsSlot bool
}

// limitedWriterOf returns the limitedWriter below the wrappers of w, or nil if there is none, as in tests of single
// handlers.
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

// compute waits for a slot if the answer is long. bytes is its size including what comes next, before compression. The
// slot is held until done is called.
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

// Write releases the slot while the client is written to.
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

// Flush implements http.Flusher, for streamed answers.
func (s *limitedWriter) Flush() { _ = http.NewResponseController(s.ResponseWriter).Flush() }

// Unwrap supports http.ResponseController.
func (s *limitedWriter) Unwrap() http.ResponseWriter { return s.ResponseWriter }
