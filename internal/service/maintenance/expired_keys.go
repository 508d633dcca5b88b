package maintenance

import (
	"context"
	"time"

	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// keptResult is how long the answer to a request with an idempotency key is kept: twice as long as it is valid.
const keptResult = 48 * time.Hour

// RemoveExpiredKeys removes expired idempotency keys, and the records of starts with a key.
func RemoveExpiredKeys(ctx context.Context, s *store.Store) (err error) {
	defer operation.Wrap(&err, "maintenance.RemoveExpiredKeys")
	return s.Write(ctx, func(tx *store.Tx) error {
		if err := tx.PruneStartKeys(ctx, tx.Now().Add(-2*store.StartKeyLife)); err != nil {
			return err
		}
		return tx.PruneIdempotency(ctx, tx.Now().Add(-keptResult))
	})
}
