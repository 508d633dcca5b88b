package server

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// clientNetwork names whose request this is, for limits: the address of the connection or, behind proxies that are
// trusted, the rightmost address of X-Forwarded-For that is not one of theirs, since anything further left may be made
// up. IPv6 counts by /64, which is what one household is given.
func (s *Server) clientNetwork(r *http.Request) string {
	connection, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	client := connection.Addr().Unmap()
	if s.trusts(client) {
		forwarded := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
		for _, hop := range slices.Backward(forwarded) {
			address, ok := parseHop(strings.TrimSpace(hop))
			if !ok {
				break
			}
			if client = address; !s.trusts(client) {
				break
			}
		}
	}
	client = client.WithZone("")
	if client.Is6() {
		return netip.PrefixFrom(client, 64).Masked().String()
	}
	return client.String()
}

// parseHop reads an address as proxies write it, with a port or without.
func parseHop(hop string) (netip.Addr, bool) {
	if withPort, err := netip.ParseAddrPort(hop); err == nil {
		return withPort.Addr().Unmap(), true
	}
	address, err := netip.ParseAddr(strings.Trim(hop, "[]"))
	return address.Unmap(), err == nil
}

func (s *Server) trusts(a netip.Addr) bool {
	return slices.ContainsFunc(s.TrustedProxies, func(p netip.Prefix) bool { return p.Contains(a.WithZone("")) })
}
