package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"verbatim/internal/simulation"
)

// answered records how long each stored answer took.
type answered struct {
	http.RoundTripper
	pace <-chan time.Time // each answer receives from it before it is sent; nil: answers do not wait
	mu   sync.Mutex
	took []time.Duration
}

// RoundTrip implements http.RoundTripper.
func (a *answered) RoundTrip(r *http.Request) (*http.Response, error) {
	stored := r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/answers")
	if stored && a.pace != nil {
		<-a.pace
	}
	begun := time.Now()
	answer, err := a.RoundTripper.RoundTrip(r)
	if err == nil && stored {
		a.mu.Lock()
		a.took = append(a.took, time.Since(begun))
		a.mu.Unlock()
	}
	return answer, err
}

// steady is the number of answers a second that are sent beside readers.
const steady = 200

// interviews takes complete interviews with 16 participants at once: first alone and as fast as they can, then at a steady rate beside
// readers of pages.
func (r *report) interviews(ctx context.Context, d dataset, server *process) error {
	for _, readers := range []int{0, 4} {
		counted := &answered{RoundTripper: &http.Transport{MaxIdleConnsPerHost: 64}}
		if readers > 0 {
			tick := time.NewTicker(time.Second / steady)
			defer tick.Stop()
			counted.pace = tick.C
		}
		client := &http.Client{Transport: counted}
		span := 2 * r.options.span
		begun := time.Now()
		end := begun.Add(span)
		var pages atomic.Int64
		var all sync.WaitGroup
		failed := make(chan error, 1)
		fail := func(err error) {
			select {
			case failed <- err:
			default:
			}
		}
		for place := range 16 {
			all.Go(func() {
				for seed := uint64(place * 1_000_000); time.Now().Before(end) && ctx.Err() == nil; seed++ {
					if _, err := simulation.New(seed).Take(ctx, client, "http://"+server.address, d.Live, nil); err != nil {
						fail(err)
						return
					}
				}
			})
		}
		for range readers {
			all.Go(func() {
				took, err := ask(ctx, server.address, operations(d, d.Studies[0])[0].ours, end)
				if err != nil {
					fail(err)
				}
				pages.Add(int64(len(took)))
			})
		}
		all.Wait()
		select {
		case err := <-failed:
			return fmt.Errorf("interviews: %w", err)
		default:
		}
		slices.Sort(counted.took)
		n := len(counted.took)
		if n == 0 {
			return fmt.Errorf("interviews: nothing was answered")
		}
		seconds := time.Since(begun).Seconds()
		a := answerFigures{readers, float64(n) / seconds, counted.took[n/2], counted.took[n*99/100], float64(pages.Load()) / seconds}
		r.answers = append(r.answers, a)
		fmt.Printf("whole interviews, 16 participants, %d readers: %.0f answers/s, p50 %s ms, p99 %s ms, %.0f pages/s\n",
			readers, a.perSecond, short(a.p50), short(a.p99), a.pages)
	}
	return nil
}
