package access

import (
	"context"
	"net/netip"
)

// widths are the networks that an IPv6 address counts for, by the bits of their prefix, each with how many times the limit
// of one household its own is. A household is given a /64 or a /56, a customer with several sites a /48, and a whole
// provider a /32. So who moves through the /64 of one /56 gets at most 2 times the limit, through a /48 8 times, and
// through all that a provider has 64 times.
var prefixes = []struct{ bits, times int }{{64, 1}, {56, 2}, {48, 8}, {32, 64}}

// Networks returns the networks that a client's address counts for in limits, the narrowest first: an IPv4 address by
// itself, and an IPv6 address its /64, /56, /48 and /32.
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

// WithClient hands the networks of a request's client to its handlers.
func WithClient(ctx context.Context, networks []Share) context.Context {
	return context.WithValue(ctx, clientKey{}, networks)
}

// ClientOf returns the networks of the client whose request the context belongs to; none outside of requests.
func ClientOf(ctx context.Context) []Share {
	networks, _ := ctx.Value(clientKey{}).([]Share)
	return networks
}

// NetworkOf returns the one network that a request's client is counted for where there is no more than one count: an IPv4
// address, or the /56 of an IPv6 address. Empty outside of requests.
func NetworkOf(ctx context.Context) string {
	const width56 = 1 // of the networks that an IPv6 address counts for
	networks := ClientOf(ctx)
	if len(networks) == 0 {
		return ""
	}
	return networks[min(width56, len(networks)-1)].Name
}
