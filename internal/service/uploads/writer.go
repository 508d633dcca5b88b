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
	// leases is how many renewals a lease lasts: a node that died keeps others from an upload for so long.
	leaseRenewals = 3
	// handOver is how long a request waits for an earlier one on the same upload, which it asked to end.
	handOverTimeout = 5 * time.Second
)

// writers are the requests of this process that add to uploads, by the upload's id.
type writers struct {
	mu       sync.Mutex
	byUpload map[string]*writer
}

// hold is one request's right to add to an upload.
type writer struct {
	id       string
	cut      func() // ends its body
	done     chan struct{}
	stop     context.CancelFunc // ends the renewals
	released bool               // its lease was given up in the database
}

// hold gives a request the right to add to an upload. An earlier request of this process is made to end, and one of another
// node is asked to; recording.ErrLocked where that takes too long.
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
			return nil // and let the holder know
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

// enter waits for the earlier request on an upload, once.
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
			return recording.ErrLocked // a third one came first
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

// renew keeps the lease, and ends the body when another node wants the upload.
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
		} // with an error the lease lasts for some more renewals; then another request may come, and one of the two moves the row
	}
}

// leave gives up a hold, and what the upload was allotted for bytes that did not come. Where that fails the lease runs out, and
// the next request gives the bytes back.
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
			return err // recording.ErrNotFound once it was erased
		}
		return tx.LeaveUpload(ctx, uploadID, h.id)
	})
}
