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

func TestRetry(t *testing.T) {
	t.Parallel()
	busy := errors.New("busy")
	asks := func(wait time.Duration) error {
		return &httpclient.Failure{What: "the service answers 503", Kind: busy, RetryAfter: wait}
	}
	pauses := httpclient.Pauses{Min: time.Second, Max: 3 * time.Second}
	for name, tt := range map[string]struct {
		errs     []error // of the attempts, the last again and again
		within   time.Duration
		want     error
		attempts int
		min, max time.Duration
	}{
		"at once":                       {[]error{nil}, time.Hour, nil, 1, 0, 0},
		"the third time":                {[]error{busy, busy, nil}, time.Hour, nil, 3, 3 * time.Second, 9 * time.Second},
		"for good":                      {[]error{busy, httpclient.Final(context.Canceled)}, time.Hour, context.Canceled, 2, time.Second, 3 * time.Second},
		"as the service asks":           {[]error{asks(httpclient.MaxPause), nil}, time.Hour, nil, 2, httpclient.MaxPause, httpclient.MaxPause},
		"what it asked is over":         {[]error{asks(10 * time.Second), busy, nil}, time.Hour, nil, 3, 12 * time.Second, 16 * time.Second},
		"longer than any pause":         {[]error{asks(httpclient.MaxPause + 1)}, time.Hour, busy, 1, 0, 0},
		"longer than the caller waits":  {[]error{asks(5 * time.Second)}, 5 * time.Second, busy, 1, 0, 0},
		"longer than a library's limit": {[]error{asks(httpclient.MaxPause)}, 20 * time.Minute, busy, 40, 19 * time.Minute, 20 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), tt.within)
				defer cancel()
				began, attempts := time.Now(), 0
				err := httpclient.Retry(ctx, pauses, func() error {
					attempts++
					return tt.errs[min(attempts, len(tt.errs))-1]
				})
				if took := time.Since(began); !errors.Is(err, tt.want) || attempts != tt.attempts || took < tt.min || took > tt.max {
					t.Errorf("%v after %d attempts and %v", err, attempts, took)
				}
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		time.AfterFunc(time.Second/2, stop)
		began := time.Now()
		if err := httpclient.Retry(ctx, pauses, func() error { return busy }); !errors.Is(err, context.Canceled) || time.Since(began) != time.Second/2 {
			t.Errorf("the caller left: %v after %v", err, time.Since(began))
		}
	})
}

func TestSlots(t *testing.T) {
	t.Parallel()
	slots := httpclient.NewSlots(2)
	release, err := slots.Acquire(t.Context(), true, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancelCause(t.Context())
	left := errors.New("the caller left")
	stop(left)
	if _, err := slots.Acquire(ctx, true, nil); !errors.Is(err, left) {
		t.Errorf("in the background: %v", err)
	}
	again, err := slots.Acquire(t.Context(), false, nil)
	if err != nil {
		t.Fatal(err)
	}
	stopped := make(chan struct{})
	close(stopped)
	if _, err := slots.Acquire(t.Context(), false, stopped); !errors.Is(err, httpclient.ErrStopped) {
		t.Errorf("no slot is left: %v", err)
	}
	again()
	release()
	if release, err = slots.Acquire(t.Context(), true, nil); err != nil {
		t.Fatal(err)
	}
	release()
}

func TestService(t *testing.T) {
	t.Parallel()
	base, err := httpclient.Check("https://api.example.com/v1/", "sk-1")
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"sk-1": "Bearer sk-1", "": ""} {
		s := httpclient.New(base, key, nil)
		request, err := s.Request(t.Context(), http.MethodGet, "/models", http.NoBody)
		if err != nil || request.URL.String() != "https://api.example.com/v1/models" || request.Header.Get("Authorization") != want || s.Host() != "api.example.com" {
			t.Errorf("%v, %+v, %s", err, request, s.Host())
		}
	}
}

func TestRefusal(t *testing.T) {
	t.Parallel()
	kind, cause := errors.New("busy"), errors.New("why")
	answer := &http.Response{StatusCode: http.StatusServiceUnavailable, Header: http.Header{"Retry-After": {"7"}}}
	f := httpclient.Refusal("the service", answer, []byte(`{"error": {"type": "overloaded", "message": "sk-1"}}`))
	f.Kind, f.Cause = kind, cause
	if f.Error() != "the service answers 503 overloaded: why" || f.RetryAfter != 7*time.Second || !errors.Is(&f, kind) || !errors.Is(&f, cause) {
		t.Errorf("%v, %+v", &f, f)
	}
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
