package jobs

import (
	"context"

	"verbatim/internal/platform/store"
)

// FailWrites makes the runner's writes fail with the error that fail returns, if any.
func (r *Runner) FailWrites(fail func() error) {
	r.write = func(ctx context.Context, fn func(*store.Tx) error) error {
		if err := fail(); err != nil {
			return err
		}
		return r.Store.Write(ctx, fn)
	}
}
