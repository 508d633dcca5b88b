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

// A model is called once for each follow-up, by whichever request comes first on any server, because each call is paid for. The
// requests of one server share one call, which goes on when they leave; the servers share a lease in the database. If a server
// died, it is unknown whether the model was paid, so Fallback decides once the lease has expired.

const (
	// leaseMargin is the time that a lease lasts beyond the moderator's timeout, so that the decision can be stored.
	leaseMargin = 2 * time.Second
	// leasePoll is the interval between checks whether another server has stored a follow-up.
	leasePoll = 100 * time.Millisecond
)

// asking holds the calls under way on this server, by response. The zero value is ready for use.
type asking struct {
	mu    sync.Mutex
	calls map[string]*call
}

// call is one moderator call shared by all requests that wait for it.
type call struct {
	done chan struct{}
	err  error // valid once done is closed
}

// once runs fn unless it is already running for this response, and waits until it returns or ctx ends. In the second case fn
// goes on, because a decision that was paid for must be stored.
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

// askOnce asks the moderator for the follow-up that is due and stores its decision, or waits until another server has done so.
func (s *Service) askOnce(ctx context.Context, token string) error {
	lease := s.probeWithin() + leaseMargin
	ctx, cancel := context.WithTimeout(ctx, 3*lease)
	defer cancel()
	for {
		sess, err := s.read(ctx, token)
		if err != nil || sess.State.Next().Kind != interview.StepProbe {
			return err
		}
		own, replaces, err := s.leaseFollowUp(ctx, sess, lease)
		if err != nil {
			return err
		}
		if own {
			by := s.Moderator
			if replaces && s.Fallback != nil {
				by = s.Fallback
			}
			return s.storeDecision(ctx, token, sess, s.decide(ctx, by, sess, nil))
		}
		timer := time.NewTimer(leasePoll)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		}
	}
}

// storeDecision stores a moderator's decision. It also succeeds if the log changed because the transcript of an earlier answer
// came in meanwhile.
func (s *Service) storeDecision(ctx context.Context, token string, sess *session, decision interview.Decision) error {
	seq := len(sess.Turns)
	for {
		decided, err := sess.applyDecision(decision)
		if err != nil {
			return err
		}
		if err = s.commit(ctx, sess, decided); !errors.Is(err, response.ErrMoved) {
			return err
		}
		if sess, err = s.read(ctx, token); err != nil || len(sess.Turns) > seq {
			return err // another server was faster: it took the lease after ours expired
		}
	}
}

// leaseFollowUp takes the lease of the follow-up that is due if it is free. own reports whether it did, and replaces whether
// the lease follows an expired one.
func (s *Service) leaseFollowUp(ctx context.Context, sess *session, lease time.Duration) (own, replaces bool, err error) {
	seq := len(sess.Turns)
	free, err := s.Store.View().FollowUpLease(ctx, sess.Response.ID, seq)
	if err != nil || !free {
		return false, false, err
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) (err error) {
		own, replaces, err = tx.LeaseFollowUp(ctx, sess.Response.ID, seq, tx.Now().Add(lease))
		return err
	})
	return own, replaces, err
}
