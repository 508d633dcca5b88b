package participant_test

import (
	"fmt"
	"net/netip"
	"testing"

	"verbatim/internal/domain/response"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/access"
)

// TestStartsOfWideNetworks checks that with the default limits one address or /64 can start 60 interviews of a study at once, and larger
// IPv6 networks the multiples that access grants.
func TestStartsOfWideNetworks(t *testing.T) {
	t.Parallel()
	s := storetest.NewAt(t, storetest.NewClock())
	pace := store.StartRate{AtOnce: 60, PerHour: 120}
	for _, tt := range []struct {
		name    string
		address func(n int) string
		want    int
	}{
		{"one IPv4 address", func(int) string { return "192.0.2.1" }, 60},
		{"a /64", func(n int) string { return fmt.Sprintf("2001:db8:1:1::%x", n) }, 60},
		{"a /56", func(n int) string { return fmt.Sprintf("2001:db8:2:%x::1", n%256) }, 120},
		{"a /48", func(n int) string { return fmt.Sprintf("2001:db8:3:%x::1", n<<6) }, 480},
		{"700 providers", func(n int) string { return fmt.Sprintf("2001:%x::1", 0x1000+n) }, 700},
	} {
		passed := 0
		storetest.Write(t, s, func(tx *store.Tx) error {
			for n := range 700 {
				var from []response.Network
				for _, network := range access.Networks(netip.MustParseAddr(tt.address(n))) {
					from = append(from, response.Network(network))
				}
				wait, err := tx.CountStart(t.Context(), "study", from, pace)
				if err != nil {
					return err
				}
				if wait == 0 {
					passed++
				}
			}
			return nil
		})
		if passed != tt.want {
			t.Errorf("%s began %d interviews, want %d", tt.name, passed, tt.want)
		}
	}
}
