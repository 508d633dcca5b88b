package server

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"verbatim/internal/service/access"
)

// client returns the networks that a request counts for in limits. They are those of the connection's address or, behind
// trusted proxies, of the rightmost address in X-Forwarded-For that is not a proxy's: anything further left may be forged.
func (s *Server) client(r *http.Request) []access.Share {
	connection, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return []access.Share{{Name: r.RemoteAddr, Times: 1}}
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
	return access.Networks(client)
}

// fromProxy reports whether a request comes over the connection of a trusted proxy.
func (s *Server) fromProxy(r *http.Request) bool {
	connection, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && s.trusts(connection.Addr().Unmap())
}

// parseHop parses an address as proxies write it, with or without a port.
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
