package httpclient

import (
	"context"
	"errors"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"syscall"
	"time"
)

// ErrPrivateAddress means that a request would have reached an address that is not a public one of the internet.
var ErrPrivateAddress = errors.New("the host has a private address, which requests to it may not reach")

// notPublic are the networks of special purpose that netip has no method for (IANA's registries of special-purpose addresses). Those with
// IPv4 addresses inside, by which private ones could be reached, are left out as a whole.
var notPublic = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"), netip.MustParsePrefix("192.0.2.0/24"),
	netip.MustParsePrefix("192.88.99.0/24"), netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("198.51.100.0/24"), netip.MustParsePrefix("203.0.113.0/24"),
	netip.MustParsePrefix("240.0.0.0/4"), netip.MustParsePrefix("::/96"), netip.MustParsePrefix("64:ff9b::/96"), netip.MustParsePrefix("64:ff9b:1::/48"),
	netip.MustParsePrefix("100::/64"), netip.MustParsePrefix("2001::/23"), netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("2002::/16"),
	netip.MustParsePrefix("fec0::/10"),
}

// IsPublic reports whether an address is one that anybody on the internet can reach.
func IsPublic(address netip.Addr) bool {
	address = address.Unmap()
	return address.IsGlobalUnicast() && !address.IsPrivate() && !address.IsLoopback() && !address.IsLinkLocalUnicast() &&
		!slices.ContainsFunc(notPublic, func(p netip.Prefix) bool { return p.Contains(address) })
}

// maxRedirects limits the redirects that PublicClient follows.
const maxRedirects = 3

// PublicClient returns a client for addresses that others than the operator have chosen. It connects to public addresses and to those of the
// allowed networks only. The address is checked when a connection is made, so after the host's name was looked up, and again for each
// redirect. It uses no proxy, which would look up names itself. Where a redirect leads to another host it takes only the headers named in
// kept along, and one that leaves https is not followed.
func PublicClient(timeout time.Duration, allowed []netip.Prefix, kept ...string) *http.Client {
	dialer := &net.Dialer{Timeout: timeout, ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil {
			return ErrPrivateAddress
		}
		ip := to.Addr().Unmap().WithZone("")
		if IsPublic(ip) || slices.ContainsFunc(allowed, func(p netip.Prefix) bool { return p.Contains(ip) }) {
			return nil
		}
		return ErrPrivateAddress
	}}
	return &http.Client{
		Timeout:   timeout,
		Transport: &http.Transport{DialContext: dialer.DialContext, ForceAttemptHTTP2: true, TLSHandshakeTimeout: timeout, ResponseHeaderTimeout: timeout, MaxIdleConnsPerHost: 2, IdleConnTimeout: 30 * time.Second, MaxResponseHeaderBytes: 64 << 10},
		CheckRedirect: func(request *http.Request, via []*http.Request) error {
			first := via[0].URL
			if len(via) > maxRedirects || request.URL.User != nil || first.Scheme == "https" && request.URL.Scheme != "https" {
				return http.ErrUseLastResponse
			}
			if request.URL.Host != first.Host {
				maps.DeleteFunc(request.Header, func(name string, _ []string) bool { return !slices.Contains(kept, name) })
			}
			return nil
		},
	}
}
