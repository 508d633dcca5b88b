package uploads

import (
	"context"
	"sync"
	"time"

	"verbatim/internal/domain/recording"
	"verbatim/internal/platform/store"
)

const (
	renewEvery = 3 * time.Second
	// leaseRenewals is the length of a lease in renewal intervals: a node that died blocks an upload for that long.
	leaseRenewals = 3
	// handOverTimeout is how long a request waits for an earlier one on the same upload that it asked to end.
	handOverTimeout = 5 * time.Second
)

// writers holds the requests of this process that append to uploads, by upload id.
type writers struct {
	mu       sync.Mutex
	byUpload map[string]*writer
}

// writer is one request's right to append to an upload.
type writer struct {
	id       string
	cut      func() // interrupts the request's body
	done     chan struct{}
	stop     context.CancelFunc // stops the renewals
	released bool               // the lease was released in the database
}

// acquire gets a request the right to append to an upload. An earlier request of this process is interrupted, and one on
// another node is asked to end; recording.ErrLocked if that takes too long.
func (s *Service) acquire(ctx context.Context, uploadID string, cut func()) (*writer, error) {
	if cut == nil {
		cut = func() {}
	}
	h := &writer{id: store.NewID(), cut: cut, done: make(chan struct{})}
	if err := s.writers.enter(ctx, uploadID, h); err != nil {
		return nil, err
	}
	every := s.Renew
	if every == 0 {
		every = renewEvery
	}
	locked := false
	err := s.Store.Write(ctx, func(tx *store.Tx) error {
		err := tx.LeaseUpload(ctx, uploadID, h.id, leaseRenewals*every)
		if locked = err == recording.ErrLocked; locked {
			return nil // commit: the other node reads in the row that the upload is wanted
		}
		return err
	})
	if err == nil && locked {
		err = recording.ErrLocked
	}
	if err != nil {
		s.writers.remove(uploadID, h)
		return nil, err
	}
	renewing, stop := context.WithCancel(context.WithoutCancel(ctx))
	h.stop = stop
	go s.renew(renewing, uploadID, h, every)
	return h, nil
}

// enter registers a writer. It waits for at most one earlier request on the upload.
func (w *writers) enter(ctx context.Context, uploadID string, h *writer) error {
	timeout := time.NewTimer(handOverTimeout)
	defer timeout.Stop()
	for waited := false; ; waited = true {
		w.mu.Lock()
		earlier := w.byUpload[uploadID]
		if earlier == nil {
			if w.byUpload == nil {
				w.byUpload = map[string]*writer{}
			}
			w.byUpload[uploadID] = h
		}
		w.mu.Unlock()
		switch {
		case earlier == nil:
			return nil
		case waited:
			return recording.ErrLocked // a third request came first
		}
		earlier.cut()
		select {
		case <-earlier.done:
		case <-timeout.C:
			return recording.ErrLocked
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (w *writers) remove(uploadID string, h *writer) {
	w.mu.Lock()
	delete(w.byUpload, uploadID)
	w.mu.Unlock()
	close(h.done)
}

// renew renews the lease, and interrupts the body when another node wants the upload.
func (s *Service) renew(ctx context.Context, uploadID string, h *writer, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		var wanted bool
		err := s.Store.Write(ctx, func(tx *store.Tx) (err error) {
			wanted, err = tx.RenewUpload(ctx, uploadID, h.id, leaseRenewals*every)
			return err
		})
		if err == nil && wanted && ctx.Err() == nil {
			h.cut()
		} // on an error the lease lasts for some more renewals; then another request may start, and only one of the two advances the row
	}
}

// release releases a writer's lease, and the quota allotted for bytes that did not arrive. If that fails the lease expires, and
// the next request returns the quota.
func (s *Service) release(ctx context.Context, h *writer, responseID, uploadID string) {
	defer s.writers.remove(uploadID, h)
	h.stop()
	if h.released {
		return
	}
	_ = s.Store.Write(ctx, func(tx *store.Tx) error {
		u, err := tx.Upload(ctx, responseID, uploadID)
		if err == nil && u.State == recording.Open {
			err = tx.ReleaseUpload(ctx, u)
		}
		if err != nil {
			return err // recording.ErrNotFound once the upload was erased
		}
		return tx.ReleaseUploadLease(ctx, uploadID, h.id)
	})
}
