package access

import (
	"context"
	"net/netip"
)

// prefixes lists the networks that an IPv6 address counts towards, by prefix length, each with its multiple of one household's
// limit. A household gets a /64 or a /56, a customer with several sites a /48, and a provider a /32. So a client that moves
// through the /64s of one /56 gets at most 2 times the limit, through a /48 8 times, and through all of a provider's addresses
// 64 times.
var prefixes = []struct{ bits, times int }{{64, 1}, {56, 2}, {48, 8}, {32, 64}}

// Networks returns the networks that a client's address counts towards in limits, the narrowest first: an IPv4 address itself,
// or the /64, /56, /48 and /32 of an IPv6 address.
func Networks(address netip.Addr) []Share {
	address = address.Unmap().WithZone("")
	if !address.Is6() {
		return []Share{{Name: address.String(), Times: 1}}
	}
	shares := make([]Share, 0, len(prefixes))
	for _, w := range prefixes {
		shares = append(shares, Share{netip.PrefixFrom(address, w.bits).Masked().String(), w.times})
	}
	return shares
}

type clientKey struct{}

// WithClient returns a context that carries the networks of a request's client to its handlers.
func WithClient(ctx context.Context, networks []Share) context.Context {
	return context.WithValue(ctx, clientKey{}, networks)
}

// ClientOf returns the networks of the client whose request ctx belongs to; none outside of requests.
func ClientOf(ctx context.Context) []Share {
	networks, _ := ctx.Value(clientKey{}).([]Share)
	return networks
}

// NetworkOf returns the one network to use where each client has a single count: an IPv4 address, or the /56 of an IPv6
// address. It is empty outside of requests.
func NetworkOf(ctx context.Context) string {
	const width56 = 1 // index of the /56 in prefixes
	networks := ClientOf(ctx)
	if len(networks) == 0 {
		return ""
	}
	return networks[min(width56, len(networks)-1)].Name
}
