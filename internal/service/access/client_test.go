package access

import (
	"fmt"
	"net/netip"
	"slices"
	"testing"
	"time"
)

func TestNetworks(t *testing.T) {
	t.Parallel()
	for address, want := range map[string][]Share{
		"203.0.113.7":              {{"203.0.113.7", 1}},
		"::ffff:203.0.113.7":       {{"203.0.113.7", 1}},
		"2001:db8:1:2ff:3::4":      {{"2001:db8:1:2ff::/64", 1}, {"2001:db8:1:200::/56", 2}, {"2001:db8:1::/48", 8}, {"2001:db8::/32", 64}},
		"fe80:1:2:3:4:5:6:7%wlan0": {{"fe80:1:2:3::/64", 1}, {"fe80:1:2::/56", 2}, {"fe80:1:2::/48", 8}, {"fe80:1::/32", 64}},
	} {
		if got := Networks(netip.MustParseAddr(address)); !slices.Equal(got, want) {
			t.Errorf("%s counts for %v, want %v", address, got, want)
		}
	}
}

// TestMovingThroughIPv6: a client that uses another /64 for each request passes a bounded multiple of one household's limit,
// and the limiter remembers none of the networks that it refused.
func TestMovingThroughIPv6(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for what, c := range map[string]struct {
		pattern string // of the address of the i-th request
		passes  int    // of 6,000 at once
	}{
		"one /64":        {"2001:db8:1:200::%x", 10},
		"a /56":          {"2001:db8:1:2%02x::1", 20},
		"a /48":          {"2001:db8:1:%x::1", 80},
		"a provider /32": {"2001:db8:%x::1", 640},
	} {
		l := &Limiter{PerSecond: 5, Now: func() time.Time { return now }}
		passed := 0
		for i := range 6000 {
			at := i
			if what == "a /56" {
				at &= 0xff
			}
			if l.Take(1, Networks(netip.MustParseAddr(fmt.Sprintf(c.pattern, at)))...).OK {
				passed++
			}
		}
		if passed != c.passes {
			t.Errorf("through %s %d requests passed at once, want %d", what, passed, c.passes)
		}
		if limit := 4 * c.passes; len(l.fullAt) > limit {
			t.Errorf("through %s %d names are kept, want at most %d", what, len(l.fullAt), limit)
		}
	}
}
