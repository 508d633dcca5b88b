package httpx

import "context"

type stoppingKey struct{}

// WithStopping lets handlers know when the server begins to stop, so that answers without an end come to one.
func WithStopping(ctx context.Context, stopping <-chan struct{}) context.Context {
	return context.WithValue(ctx, stoppingKey{}, stopping)
}

// Stopping is closed when the server begins to stop. It is nil where nobody says so.
func Stopping(ctx context.Context) <-chan struct{} {
	stopping, _ := ctx.Value(stoppingKey{}).(<-chan struct{})
	return stopping
}
