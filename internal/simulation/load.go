package simulation

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// Load lets simulated participants take one study.
type Load struct {
	Participants int
	Seed         uint64              // the same seed makes the same participants
	Rejects      map[string][]string // see Participant
	AtOnce       int                 // so many participants take the study at a time

	// Params returns the parameters on the link of participant n, counted from 0. nil: some that a panel might put there.
	Params func(n int) (url.Values, error)
	// TurnedAway maps codes with which the study may refuse a start to the ends that they count as. Any other refusal is an error.
	TurnedAway map[string]string

	Think    func(context.Context, time.Duration) error // see Participant
	After    func(context.Context) error                // called after each interview, before the next one takes its place; nil: nothing
	Progress func(done, total int)
}

// Take runs each participant through the study on a link over HTTP, and counts how the interviews ended. It stops at the first error.
func (l Load) Take(ctx context.Context, client *http.Client, baseURL, linkID string) (map[string]int, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	ends := map[string]int{}
	var mu sync.Mutex
	var participants sync.WaitGroup
	slots := make(chan struct{}, max(1, l.AtOnce))
	for n := range l.Participants {
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			break
		}
		participants.Go(func() {
			defer func() { <-slots }()
			end, err := l.take(ctx, client, baseURL, linkID, n)
			if err != nil {
				cancel(err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			ends[end]++
			if l.Progress != nil {
				done := 0
				for _, n := range ends {
					done += n
				}
				l.Progress(done, l.Participants)
			}
		})
	}
	participants.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return ends, nil
}

// take runs participant n through the study, and returns how the interview ended.
func (l Load) take(ctx context.Context, client *http.Client, baseURL, linkID string, n int) (end string, err error) {
	p := New(l.Seed*1_000_003 + uint64(n))
	p.Rejects, p.Think = l.Rejects, l.Think
	params := PanelParams(l.Seed, n)
	if l.Params != nil {
		if params, err = l.Params(n); err != nil {
			return "", err
		}
	}
	outcome, err := p.Take(ctx, client, baseURL, linkID, params)
	if refused, ok := errors.AsType[*RefusedError](err); ok && outcome.Token == "" && l.TurnedAway[refused.Code] != "" {
		return l.TurnedAway[refused.Code], nil
	}
	if err != nil {
		return "", fmt.Errorf("participant %d: %w", n+1, err)
	}
	if l.After != nil {
		err = l.After(ctx)
	}
	return outcome.End, err
}

// PanelParams returns the parameters that a panel provider would put on the link of participant n.
func PanelParams(seed uint64, n int) url.Values {
	sources := []string{"panel", "newsletter", "website"}
	return url.Values{"pid": {fmt.Sprintf("P-%d-%03d", seed, n+1)}, "source": {sources[n%len(sources)]}}
}
