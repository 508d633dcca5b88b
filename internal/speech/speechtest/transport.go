package speechtest

import (
	"net/http"

	"verbatim/internal/wiretest"
)

// RoundTrip lets the provider be an http.RoundTripper: it answers without a network.
func (p *Provider) RoundTrip(r *http.Request) (*http.Response, error) {
	return wiretest.Transport{Handler: p}.RoundTrip(r)
}
