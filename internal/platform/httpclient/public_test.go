package httpclient_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"verbatim/internal/platform/httpclient"
)

func TestIsPublic(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"127.0.0.1", "127.9.9.9", "0.0.0.0", "0.1.2.3", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254", "100.64.0.1", "192.0.0.8",
		"198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1",
		"fc00::1", "fd12::1", "fe80::1", "fec0::1", "ff02::1", "2002:7f00:1::", "2001::1", "2001:db8::1",
	} {
		if httpclient.IsPublic(netip.MustParseAddr(address)) {
			t.Errorf("%s is taken for public", address)
		}
	}
	for _, address := range []string{"1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "::ffff:1.1.1.1"} {
		if !httpclient.IsPublic(netip.MustParseAddr(address)) {
			t.Errorf("%s is taken for private", address)
		}
	}
}

// TestPublicClient: private addresses are refused whatever their name, also behind a redirect, unless their network is allowed.
func TestPublicClient(t *testing.T) {
	t.Parallel()
	var key string
	target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { key = r.Header.Get("X-Key") }))
	t.Cleanup(target.Close)
	byName := strings.Replace(target.URL, "127.0.0.1", "localhost", 1)
	first := httptest.NewServer(http.RedirectHandler(target.URL, http.StatusTemporaryRedirect))
	t.Cleanup(first.Close)
	get := func(client *http.Client, address string) (int, error) {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("X-Key", "secret")
		answer, err := client.Do(request)
		if err != nil {
			return 0, err
		}
		return answer.StatusCode, answer.Body.Close()
	}
	strict := httpclient.PublicClient(time.Minute, nil)
	for _, address := range []string{target.URL, byName, first.URL, "http://[::1]:1/", "http://0.0.0.0:1/", "http://169.254.169.254/", "http://10.255.0.1/"} {
		if _, err := get(strict, address); !errors.Is(err, httpclient.ErrPrivateAddress) {
			t.Errorf("%s: %v", address, err)
		}
	}
	allowing := httpclient.PublicClient(time.Minute, []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")})
	if status, err := get(allowing, target.URL); err != nil || status != 200 || key != "secret" {
		t.Errorf("an allowed network: %d %v, key %q", status, err, key)
	}
	if status, err := get(allowing, first.URL); err != nil || status != 200 || key != "" {
		t.Errorf("a redirect to another host: %d %v, key %q", status, err, key)
	}
	away := httptest.NewServer(http.RedirectHandler("http://10.255.0.1/", http.StatusFound))
	t.Cleanup(away.Close)
	if _, err := get(allowing, away.URL); !errors.Is(err, httpclient.ErrPrivateAddress) {
		t.Errorf("a redirect to a private address: %v", err)
	}
	var round *httptest.Server
	round = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, round.URL, http.StatusFound) }))
	t.Cleanup(round.Close)
	if status, err := get(allowing, round.URL); err != nil || status != http.StatusFound {
		t.Errorf("redirects without end: %d %v", status, err)
	}
}
