package dashboard_test

import (
	"testing"

	"verbatim/internal/api/dashboard"
)

func TestCookieFor(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		base                  string
		insecure, works, safe bool
	}{
		{"https://verbatim.example", false, true, true},
		{"https://verbatim.example", true, true, true},
		{"http://localhost:8080", false, true, true},
		{"http://127.0.0.1:8080", true, true, true},
		{"http://[::1]:8080", false, true, true},
		{"http://a.localhost", false, true, true},
		{"http://192.168.1.4", false, false, true},
		{"http://192.168.1.4", true, true, false},
		{"http://lan", false, false, true},
		{"http://localhost.evil.example", false, false, true},
		{"http://127.0.0.1.evil.example", true, true, false},
	} {
		cookie, works := dashboard.CookieFor(test.base, test.insecure)
		if works != test.works || cookie.Safe() != test.safe {
			t.Errorf("%+v: works %v, safe %v", test, works, cookie.Safe())
		}
	}
}
