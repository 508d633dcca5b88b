package access

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// keyUses collects when keys were used since the last SaveKeyUses, so that requests need not write. It holds one time per
// existing key.
type keyUses struct {
	mu   sync.Mutex
	last map[string]time.Time
}

func (u *keyUses) add(keyID string, at time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.last == nil {
		u.last = map[string]time.Time{}
	}
	if at.After(u.last[keyID]) {
		u.last[keyID] = at
	}
}

func (u *keyUses) drain() map[string]time.Time {
	u.mu.Lock()
	defer u.mu.Unlock()
	taken := u.last
	u.last = nil
	return taken
}

// SaveKeyUses stores when keys were last used, in one transaction; it does nothing if none was. Call it about once a minute and
// at shutdown. After an error the times are kept for the next call.
func (s *Service) SaveKeyUses(ctx context.Context) (err error) {
	defer operation.Wrap(&err, "access.SaveKeyUses")
	uses := s.uses.drain()
	if len(uses) == 0 {
		return nil
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		for _, id := range slices.Sorted(maps.Keys(uses)) { // the same order on all nodes, to avoid deadlocks
			if err := tx.SaveKeyUse(ctx, id, uses[id]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		for id, at := range uses {
			s.uses.add(id, at)
		}
	}
	return err
}

func (s *Service) now() time.Time {
	if s.Now != nil {
		return s.Now()
	}
	return time.Now()
}
