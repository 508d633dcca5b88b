package speechtest

import (
	"net/http"

	"verbatim/internal/platform/fakehttp"
)

// RoundTrip makes the provider an http.RoundTripper that needs no network.
func (p *Provider) RoundTrip(r *http.Request) (*http.Response, error) {
	return fakehttp.Transport{Handler: p}.RoundTrip(r)
}
