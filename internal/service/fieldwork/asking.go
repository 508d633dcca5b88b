package fieldwork

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/platform/store"
)

// A model is paid for each follow-up that is due once, by whichever request comes first on whichever server. The requests of one
// server share one call, which goes on when they leave; the servers share a lease in the database. Of a server that died nobody
// knows whether the model was paid, so that Fallback decides when its lease has ended.

const (
	// leaseMargin is how much longer a lease lasts than a moderator may take: for storing what it said.
	leaseMargin = 2 * time.Second
	// lookAgain is how often to look whether another server has stored a follow-up.
	lookAgain = 100 * time.Millisecond
)

// asking has the follow-ups that this server waits for, by response. The zero value is ready for use.
type asking struct {
	mu    sync.Mutex
	calls map[string]*call
}

// call is one for all requests that wait for it.
type call struct {
	done chan struct{}
	err  error // once done is closed
}

// once runs fn, unless it is running for this response already, and waits for its end, or for that of ctx: fn then goes on, for
// what a model was paid for must be stored.
func (a *asking) once(ctx context.Context, responseID string, fn func(context.Context) error) error {
	a.mu.Lock()
	c := a.calls[responseID]
	if c == nil {
		c = &call{done: make(chan struct{})}
		if a.calls == nil {
			a.calls = map[string]*call{}
		}
		a.calls[responseID] = c
		go func() {
			defer func() {
				if recover() != nil { // its value may hold a participant's words
					c.err = fmt.Errorf("a follow-up panicked: %s", debug.Stack())
				}
				a.mu.Lock()
				delete(a.calls, responseID)
				a.mu.Unlock()
				close(c.done)
			}()
			c.err = fn(context.WithoutCancel(ctx))
		}()
	}
	a.mu.Unlock()
	select {
	case <-c.done:
		return c.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// askOnce asks the moderator for the follow-up that is due and stores what it said, or waits until another server has.
func (s *Service) askOnce(ctx context.Context, token string) error {
	lease := s.probeWithin() + leaseMargin
	ctx, cancel := context.WithTimeout(ctx, 3*lease)
	defer cancel()
	for {
		it, err := s.read(ctx, token)
		if err != nil || it.state.Next().Kind != interview.StepProbe {
			return err
		}
		own, replaces, err := s.leaseFollowUp(ctx, it, lease)
		if err != nil {
			return err
		}
		if own {
			by := s.Moderator
			if replaces && s.Fallback != nil {
				by = s.Fallback
			}
			return s.storeDecision(ctx, token, it, s.decide(ctx, by, it, nil))
		}
		again := time.NewTimer(lookAgain)
		select {
		case <-again.C:
		case <-ctx.Done():
			again.Stop()
			return ctx.Err()
		}
	}
}

// storeDecision stores what a moderator said, also where an earlier answer got the words of its recording meanwhile.
func (s *Service) storeDecision(ctx context.Context, token string, it *run, decision interview.Decision) error {
	seq := len(it.turns)
	for {
		decided, err := it.take(decision)
		if err != nil {
			return err
		}
		if err = s.commit(ctx, it, decided); !errors.Is(err, response.ErrMoved) {
			return err
		}
		if it, err = s.read(ctx, token); err != nil || len(it.turns) > seq {
			return err // another server was faster: its lease had followed ours
		}
	}
}

// leaseFollowUp takes the lease of the follow-up that is due, if nobody has it.
func (s *Service) leaseFollowUp(ctx context.Context, it *run, lease time.Duration) (own, replaces bool, err error) {
	seq := len(it.turns)
	free, err := s.Store.View().FollowUpLease(ctx, it.response.ID, seq)
	if err != nil || !free {
		return false, false, err
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) (err error) {
		own, replaces, err = tx.LeaseFollowUp(ctx, it.response.ID, seq, tx.Now().Add(lease))
		return err
	})
	return own, replaces, err
}
