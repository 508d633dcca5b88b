package httpclient_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"verbatim/internal/platform/httpclient"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]error{
		"https://api.example.com/v1": nil, "http://127.0.0.1:9090": nil, "": httpclient.ErrAddress, "api.example.com": httpclient.ErrAddress,
		"ftp://api.example.com": httpclient.ErrAddress, "https://u:p@api.example.com": httpclient.ErrAddress, "https://api.example.com?key=1": httpclient.ErrAddress,
	} {
		if _, err := httpclient.Check(address, "sk-1"); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", address, err, want)
		}
	}
	for _, key := range []string{"two words", "new\nline", "schlüssel"} {
		if _, err := httpclient.Check("https://api.example.com", key); !errors.Is(err, httpclient.ErrKey) || strings.Contains(err.Error(), key) {
			t.Errorf("the key %q: %v", key, err)
		}
	}
}

func TestReasonNamesNoAddress(t *testing.T) {
	t.Parallel()
	cause := errors.New("connection refused")
	err := httpclient.Reason(&url.Error{Op: "Post", URL: "http://10.1.2.3/secret", Err: &net.OpError{Op: "dial", Net: "tcp", Addr: &net.TCPAddr{IP: net.IPv4(10, 1, 2, 3)}, Err: cause}})
	if !errors.Is(err, cause) || strings.Contains(err.Error(), "10.1.2.3") {
		t.Error(err)
	}
}

func TestErrorWord(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"error": {"code": "invalid_key", "type": "auth"}}`: " invalid_key", `{"error": {"code": 7, "type": "busy"}}`: " busy",
		`{"error": {"code": "Your key sk-1 is wrong"}}`: "", `{"error": "no"}`: "", `no`: "", ``: "", `{"error": {"type": "` + strings.Repeat("a", 41) + `"}}`: "",
	} {
		if got := httpclient.ErrorCode([]byte(body)); got != want {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"": 0, "7": 7 * time.Second, "-7": 0, "soon": 0, "99999999999999": 1e6 * time.Second, "1000000000": 1e6 * time.Second,
		"Sat, 21 Nov 2026 12:00:30 GMT": 30 * time.Second, "Sat, 21 Nov 2026 11:00:30 GMT": 0,
	} {
		if got := httpclient.RetryAfter(http.Header{"Retry-After": {value}}, now); got != want {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
}

func TestPause(t *testing.T) {
	t.Parallel()
	failed := errors.New("busy")
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		if err := httpclient.Pause(t.Context(), 10*time.Second, failed); err != nil || time.Since(began) != 10*time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		began = time.Now()
		if err := httpclient.Pause(t.Context(), httpclient.MaxPause+1, failed); !errors.Is(err, failed) {
			t.Errorf("a longer wait than any: %v", err)
		}
		short, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		if err := httpclient.Pause(short, 5*time.Second, failed); !errors.Is(err, failed) || time.Since(began) != 0 {
			t.Errorf("a wait past the deadline: %v after %v", err, time.Since(began))
		}
		ctx, stop := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, stop)
		if err := httpclient.Pause(ctx, 5*time.Second, failed); !errors.Is(err, context.Canceled) || time.Since(began) != time.Second {
			t.Errorf("the caller left: %v after %v", err, time.Since(began))
		}
	})
}

func TestNoRedirects(t *testing.T) {
	t.Parallel()
	client := httpclient.Client(transport(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusFound, Header: http.Header{"Location": {"http://elsewhere.example.com/"}}, Body: http.NoBody}, nil
	}))
	answer, err := client.Get("http://api.example.com/")
	if err != nil || answer.StatusCode != http.StatusFound {
		t.Errorf("%v, %v", answer, err)
	}
}

type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }
