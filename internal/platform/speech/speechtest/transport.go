package speechtest

import (
	"net/http"

	"verbatim/internal/platform/fakehttp"
)

// RoundTrip lets the provider be an http.RoundTripper: it answers without a network.
func (p *Provider) RoundTrip(r *http.Request) (*http.Response, error) {
	return fakehttp.Transport{Handler: p}.RoundTrip(r)
}
