package httpio

import "context"

type networkKey struct{}

// WithClientNetwork notes from which network a request came, by the name that its limits are counted under.
func WithClientNetwork(ctx context.Context, network string) context.Context {
	return context.WithValue(ctx, networkKey{}, network)
}

// ClientNetwork is the network of the request that the context belongs to, or empty.
func ClientNetwork(ctx context.Context) string {
	network, _ := ctx.Value(networkKey{}).(string)
	return network
}
