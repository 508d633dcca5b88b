package httpx

import "context"

type stoppingKey struct{}

// WithStopping adds to ctx a channel that is closed when the server begins to stop, so that handlers of endless streams can
// end them.
func WithStopping(ctx context.Context, stopping <-chan struct{}) context.Context {
	return context.WithValue(ctx, stoppingKey{}, stopping)
}

// Stopping returns the channel that WithStopping added to ctx, or nil.
func Stopping(ctx context.Context) <-chan struct{} {
	stopping, _ := ctx.Value(stoppingKey{}).(<-chan struct{})
	return stopping
}
