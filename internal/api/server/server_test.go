package server_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/klauspost/compress/zstd"

	"verbatim/internal/api/server"
	"verbatim/internal/api/server/servertest"
	"verbatim/internal/domain/document"
	"verbatim/internal/domain/guide/guidetest"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/response"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/access"
)

// routes is a Registrar of the test's own handlers, in place of the participant's API.
type routes map[string]http.HandlerFunc

func (d routes) Register(mux *http.ServeMux) {
	for pattern, handler := range d {
		mux.HandleFunc(pattern, handler)
	}
}

func ask(h http.Handler, method, path string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestWithoutAKeyNothingIsLearned(t *testing.T) {
	t.Parallel()
	h := servertest.New(t).Server.Handler()
	for _, path := range []string{"/api/public/v1/wallets", "/api/public/v1/nothing", "/api/public/", "/api/public//v1/wallets", "/api/public/v1/../x"} {
		w := ask(h, "PATCH", path)
		if w.Code != 401 || !strings.Contains(w.Body.String(), `"missing_api_key"`) {
			t.Errorf("%s answers %d %s", path, w.Code, w.Body)
		}
		if w.Header().Get("X-Request-Id") == "" || w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s answers with %v", path, w.Header())
		}
	}
}

func TestCompression(t *testing.T) {
	t.Parallel()
	s := servertest.New(t)
	s.Do(t, "POST", "/api/public/v1/studies/create", string(guidetest.RichPayload())).Want(t, 201, "")
	link := servertest.Decode[[]struct{ LinkID string }](t, s.Get(t, "/api/public/v1/studies"))[0].LinkID
	h := s.Server.Handler()
	path := "/api/public/v1/studies/" + link + "/questions"
	plain := ask(h, "GET", path, "x-api-key", s.Key)
	for accept, unpack := range map[string]func(io.Reader) (io.Reader, error){
		"gzip": func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		"zstd": func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r) },
	} {
		w := ask(h, "GET", path, "x-api-key", s.Key, "Accept-Encoding", accept)
		if w.Header().Get("Content-Encoding") != accept || w.Header().Get("Vary") != "Accept-Encoding" || w.Header().Get("Etag") != plain.Header().Get("Etag") {
			t.Errorf("%s: answered with %v", accept, w.Header())
		}
		unpacked, err := unpack(w.Body)
		if err != nil {
			t.Fatal(err)
		}
		if body, err := io.ReadAll(unpacked); err != nil || !bytes.Equal(body, plain.Body.Bytes()) {
			t.Errorf("%s: unpacks to %s (%v)", accept, body, err)
		}
		if w := ask(h, "GET", path, "x-api-key", s.Key, "Accept-Encoding", accept, "If-None-Match", plain.Header().Get("Etag")); w.Code != 304 ||
			w.Body.Len() != 0 || w.Header().Get("Content-Encoding") != "" {
			t.Errorf("%s: the same again answers %d %v %s", accept, w.Code, w.Header(), w.Body)
		}
	}
	if w := ask(h, "GET", "/api/public/v1/wallets", "x-api-key", s.Key, "Accept-Encoding", "gzip"); w.Header().Get("Content-Encoding") != "" {
		t.Errorf("a small answer was compressed: %v", w.Header())
	}
}

func TestPanics(t *testing.T) {
	t.Parallel()
	s := servertest.New(t)
	s.Server.Participant = routes{
		"GET /early": func(http.ResponseWriter, *http.Request) { panic("secret words") },
		"GET /late": func(w http.ResponseWriter, r *http.Request) {
			_, _ = w.Write([]byte("half"))
			panic(errors.New("too late"))
		},
	}
	h := s.Server.Handler()
	w := ask(h, "GET", "/early", "Accept-Encoding", "gzip")
	if w.Code != 500 || !strings.Contains(w.Body.String(), `"internal_error"`) || !strings.Contains(w.Body.String(), w.Header().Get("X-Request-Id")) ||
		strings.Contains(w.Body.String(), "secret") {
		t.Errorf("answered %d %s", w.Code, w.Body)
	}
	defer func() {
		if p := recover(); p != http.ErrAbortHandler {
			t.Errorf("half an answer ended with %v, want the connection's end", p)
		}
	}()
	ask(h, "GET", "/late")
}

// TestLogKeepsSecrets: whatever a request carries, and whatever a handler panics with, the log contains neither that nor
// where the request came from.
func TestLogKeepsSecrets(t *testing.T) {
	t.Parallel()
	s := servertest.New(t)
	var written bytes.Buffer
	s.Server.Log = slog.New(slog.NewJSONHandler(&written, &slog.HandlerOptions{Level: slog.LevelDebug}))
	s.Server.Participant = routes{
		"GET /i/{token}":          func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(204) },
		"POST /i/{token}/answers": func(w http.ResponseWriter, r *http.Request) { panic("they said canary") },
		"GET /silent":             func(http.ResponseWriter, *http.Request) {},
	}
	h := s.Server.Handler()
	ask(h, "GET", "/i/canary?source=canary", "Cookie", "a=canary", "Referer", "https://example.org/canary", "User-Agent", "canary", "X-Forwarded-For", "203.0.113.7")
	ask(h, "POST", "/i/canary/answers?source=canary")
	ask(h, "GET", "/canary/nowhere")
	ask(h, "GET", "/silent")
	ask(h, "GET", "/readyz")
	ask(h, "GET", "/api/public/v1/responses?parameter=canary&value=canary", "x-api-key", s.Key)
	ask(h, "GET", "/api/public/v1/responses/canary", "x-api-key", s.Key+"canary")
	for _, secret := range []string{"canary", "source", s.Key, "203.0.113.7", "192.0.2.1"} {
		if strings.Contains(written.String(), secret) {
			t.Errorf("the log contains %q: %s", secret, &written)
		}
	}
	for _, fact := range []string{
		`"route":"GET /i/{token}","status":204`, `"route":"POST /i/{token}/answers","status":500`, `"panic":"string","stack":"`, `"route":"","status":404`,
		`"route":"GET /silent","status":200`, `"level":"DEBUG","msg":"request"`, `"route":"GET /api/public/v1/responses","status":200`, `"request_id":"`,
	} {
		if !strings.Contains(written.String(), fact) {
			t.Errorf("the log lacks %s: %s", fact, &written)
		}
	}
	for line := range strings.Lines(written.String()) {
		var entry struct {
			Msg    string
			TookMs *float64 `json:"took_ms"`
		}
		if err := json.Unmarshal([]byte(line), &entry); err != nil || entry.Msg == "request" && (entry.TookMs == nil || *entry.TookMs < 0) {
			t.Errorf("the line %s (%v) has no duration", line, err)
		}
	}
}

// TestWatch: the watcher sees each request, and what it puts into the context reaches the handlers.
func TestWatch(t *testing.T) {
	t.Parallel()
	type key struct{}
	s := servertest.New(t)
	var seen []string
	s.Server.Watch = func(r *http.Request, id string) (context.Context, func(string, int)) {
		return context.WithValue(r.Context(), key{}, id), func(pattern string, status int) {
			seen = append(seen, fmt.Sprintf("%s %d", pattern, status))
		}
	}
	s.Server.Participant = routes{
		"GET /i/{token}": func(w http.ResponseWriter, r *http.Request) { _, _ = fmt.Fprint(w, r.Context().Value(key{})) },
		"GET /half": func(w http.ResponseWriter, r *http.Request) {
			_, _ = w.Write([]byte("half"))
			panic("broken off")
		},
	}
	h := s.Server.Handler()
	if w := ask(h, "GET", "/i/x"); w.Body.String() != w.Header().Get("X-Request-Id") {
		t.Errorf("the handler saw %q, want %q", w.Body, w.Header().Get("X-Request-Id"))
	}
	ask(h, "GET", "/api/public/v1/wallets", "x-api-key", s.Key)
	ask(h, "GET", "/api/public/v1/wallets")
	ask(h, "GET", "/nowhere")
	func() {
		defer func() { _ = recover() }()
		ask(h, "GET", "/half")
	}()
	want := []string{"GET /i/{token} 200", "GET /api/public/v1/wallets 200", "/api/public/ 401", " 404", "GET /half 0"}
	if !slices.Equal(seen, want) {
		t.Errorf("seen %q, want %q", seen, want)
	}
}

func TestAddressLimit(t *testing.T) {
	t.Parallel()
	s := servertest.New(t)
	s.Server.Addresses = &access.Limiter{PerSecond: 1, Now: storetest.NewClock().Now}
	s.Server.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")} // httptest's requests come from 192.0.2.1
	s.Server.Participant = routes{"GET /s/{linkId}": func(http.ResponseWriter, *http.Request) {}}
	h := s.Server.Handler()
	from := func(forwarded string) int { return ask(h, "GET", "/s/x", "X-Forwarded-For", forwarded).Code }
	for range 2 {
		if got := from("203.0.113.7"); got != 200 {
			t.Errorf("within the burst: %d", got)
		}
	}
	for forwarded, want := range map[string]int{
		"203.0.113.7":                  429,
		"198.51.100.9, 203.0.113.7":    429, // anything further left may be forged
		"203.0.113.7, 192.0.2.9":       429, // a chain of trusted proxies
		"203.0.113.7:4711":             429,
		"::ffff:203.0.113.7":           429,
		"203.0.113.8":                  200,
		"203.0.113.7, nonsense":        200, // counts for the proxy
		"203.0.113.7, 2001:db8:1:2::1": 200,
		"[2001:db8:1:2:ffff::1]:80":    200, // the same /64, and the end of its burst
	} {
		if got := from(forwarded); got != want {
			t.Errorf("from %q: %d, want %d", forwarded, got, want)
		}
	}
	w := ask(h, "GET", "/s/x", "X-Forwarded-For", "2001:db8:1:2:3::1")
	if w.Code != 429 || w.Header().Get("Retry-After") != "1" || !strings.Contains(w.Body.String(), `"rate_limited"`) {
		t.Errorf("the third of one /64: %d %v %s", w.Code, w.Header(), w.Body)
	}
	if w.Header().Values("Tus-Resumable") != nil {
		t.Errorf("an answer to no client of tus says its version: %v", w.Header())
	}
	w = ask(h, "POST", "/i/x/uploads", "X-Forwarded-For", "2001:db8:1:2:3::1", "Tus-Resumable", "1.0.0")
	if w.Code != 429 || w.Header().Get("Tus-Resumable") != "1.0.0" {
		t.Errorf("to a client of tus: %d %v", w.Code, w.Header())
	}
	s.Server.TrustedProxies = nil
	if got := from("203.0.113.7"); got != 200 {
		t.Errorf("an untrusted header was believed: %d", got)
	}
}

// TestEveryPathIsLimited: paths that need no key have a limit for each address, class by class, whether they exist or not.
func TestEveryPathIsLimited(t *testing.T) {
	t.Parallel()
	for class, paths := range map[string][]string{
		"interview": {"/s/x", "/i/x", "/s/", "/i/x/events"},
		"media":     {"/m/1/x/y", "/m/"},
		"health":    {"/healthz", "/readyz"},
		"page":      {"/", "/docs/", "/docs", "/openapi/v1.yaml", "/brand/x.png", "/participant/app.js", "/nothing", "/api/public", "/favicon.ico"},
	} {
		s := servertest.New(t)
		s.Server.Addresses = &access.Limiter{PerSecond: 1, Now: storetest.NewClock().Now}
		h := s.Server.Handler()
		for i := range 2 {
			if w := ask(h, "GET", paths[i%len(paths)]); w.Code == 429 {
				t.Errorf("%s: request %d of a burst of 2 is refused", class, i+1)
			}
		}
		for _, path := range paths {
			if w := ask(h, "GET", path); w.Code != 429 || w.Header().Get("Retry-After") != "1" || w.Header().Get("RateLimit-Remaining") != "0" {
				t.Errorf("%s: %s beyond the burst: %d %v", class, path, w.Code, w.Header())
			}
		}
		for _, other := range []string{"/s/x", "/m/1/x/y", "/healthz", "/nothing"} {
			if w := ask(h, "GET", other); (w.Code == 429) != (slices.Index(paths, other) >= 0) {
				t.Errorf("after a burst of %s: %s answers %d", class, other, w.Code)
			}
		}
		if w := ask(h, "GET", "/api/public/v1/wallets", "x-api-key", s.Key); w.Code != 200 {
			t.Errorf("after a burst of %s a valid key is answered %d", class, w.Code)
		}
	}
}

// TestGuessingKeys: missing and wrong keys of one network count for ten requests each, and beyond the limit they are refused
// without being checked. A key that was valid before is still accepted, so are other networks, and after a moment so is
// everybody.
func TestGuessingKeys(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	s := servertest.New(t)
	s.Server.Addresses = &access.Limiter{PerSecond: 10, Now: clock.Now}
	s.Server.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}
	h := s.Server.Handler()
	call := func(key, from string) *httptest.ResponseRecorder {
		return ask(h, "GET", "/api/public/v1/wallets", "x-api-key", key, "X-Forwarded-For", from)
	}
	const nat, elsewhere = "203.0.113.7", "203.0.113.8"
	fresh := storetest.Key(t, s.Store, s.Org.ID, s.Admin.ID)
	for range 50 { // valid keys use up nothing of the network's limit
		if w := call(s.Key, nat); w.Code != 200 {
			t.Fatalf("a valid key: %d %s", w.Code, w.Body)
		}
	}
	guess := func(i int) string { return org.FormatKey([32]byte{byte(i), 1}) }
	for i, want := range []int{401, 401, 429, 429} {
		if w := call(guess(i), nat); w.Code != want {
			t.Errorf("guess %d: %d, want %d", i+1, w.Code, want)
		}
	}
	if w := call("", nat); w.Code != 429 || w.Header().Get("Retry-After") != "1" || !strings.Contains(w.Body.String(), "rate_limited") {
		t.Errorf("no key, beyond the limit: %d %v %s", w.Code, w.Header(), w.Body)
	}
	if w := call(s.Key, nat); w.Code != 200 {
		t.Errorf("the valid key of the same network: %d", w.Code)
	}
	if w := call(guess(9), elsewhere); w.Code != 401 {
		t.Errorf("a guess from elsewhere: %d", w.Code)
	}
	if w := call(fresh, nat); w.Code != 429 {
		t.Errorf("a valid key that nobody has seen yet: %d, want 429 while the network guesses", w.Code)
	}
	clock.Advance(time.Second)
	if w := call(fresh, nat); w.Code != 200 {
		t.Errorf("the same a second later: %d", w.Code)
	}
	if _, err := s.Server.Access.RevokeKey(t.Context(), fresh); err != nil {
		t.Fatal(err)
	}
	if w := call(fresh, nat); w.Code != 401 {
		t.Errorf("a revoked key that was valid: %d", w.Code)
	}
	if w := call(fresh, nat); w.Code != 429 {
		t.Errorf("the same again: %d, want it to count as a guess", w.Code)
	}
}

// TestChallenge: a 401 answer has a challenge.
func TestChallenge(t *testing.T) {
	t.Parallel()
	s := servertest.New(t)
	for _, key := range []string{"", "wrong"} {
		w := s.Get(t, "/api/public/v1/wallets", "x-api-key", key)
		if got := w.Header.Get("WWW-Authenticate"); w.Status != 401 || got != `ApiKey realm="Verbatim", header="x-api-key"` {
			t.Errorf("the key %q: %d %q", key, w.Status, got)
		}
	}
	if got := s.Get(t, "/api/public/v1/wallets").Header.Values("WWW-Authenticate"); got != nil {
		t.Errorf("a valid key is challenged: %v", got)
	}
}

// TestQuota: answers of the API have headers for what is left of the limit.
func TestQuota(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	s := servertest.New(t)
	s.Server.Keys = &access.Limiter{PerSecond: 2, Now: clock.Now}
	says := func(w servertest.Answer) string {
		h := w.Header
		return fmt.Sprintf("%d limit %s remaining %s reset %s retry %s",
			w.Status, h.Get("RateLimit-Limit"), h.Get("RateLimit-Remaining"), h.Get("RateLimit-Reset"), h.Get("Retry-After"))
	}
	for _, want := range []string{
		"200 limit 4 remaining 3 reset 1 retry ", "404 limit 4 remaining 2 reset 1 retry ", "405 limit 4 remaining 1 reset 2 retry ",
		"200 limit 4 remaining 0 reset 2 retry ", "429 limit 4 remaining 0 reset 2 retry 1",
	} {
		method, path := "GET", "/api/public/v1/wallets"
		switch want[:3] {
		case "404":
			path = "/api/public/v1/nothing"
		case "405":
			method = "POST"
		}
		if got := says(s.Do(t, method, path, "")); got != want {
			t.Errorf("answered %q, want %q", got, want)
		}
	}
	s.Server.Keys = nil
	if w := s.Get(t, "/api/public/v1/wallets"); w.Header.Values("RateLimit-Limit") != nil {
		t.Errorf("without a limit: %v", w.Header)
	}
}

// TestSecurityHeaders: every answer limits what a browser does with it, found or not, page or not.
func TestSecurityHeaders(t *testing.T) {
	t.Parallel()
	s := servertest.New(t)
	s.Server.Contracts = map[string][]byte{"v1.yaml": []byte("openapi: 3.1.0\n")}
	s.Server.Docs = fstest.MapFS{"docs/index.html": {Data: []byte("<!doctype html>reference")}, "docs/docs.js": {Data: []byte("1")}}
	s.Server.Participant = routes{"GET /panics": func(http.ResponseWriter, *http.Request) { panic("oh") }}
	h := s.Server.Handler()
	for _, path := range []string{
		"/", "/docs", "/docs/", "/docs/docs.js", "/docs/nothing", "/openapi/v1.yaml", "/healthz", "/readyz", "/nothing", "/panics", "//", "/s/../x",
		"/api/public/v1/wallets", "/api/public/v1/nothing", "/api/public/",
	} {
		header := ask(h, "GET", path).Header()
		for name, part := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'", "Cross-Origin-Opener-Policy": "same-origin",
			"Cross-Origin-Resource-Policy": "same-origin", "Permissions-Policy": "camera=(), display-capture=()", "Referrer-Policy": "no-referrer",
		} {
			if got := header.Get(name); !strings.Contains(got, part) {
				t.Errorf("%s: %s is %q, want %q in it", path, name, got, part)
			}
		}
		if policy := header.Get("Content-Security-Policy"); !strings.Contains(policy, "frame-ancestors 'none'") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s may be framed, or more: %s", path, policy)
		}
	}
}

func TestPages(t *testing.T) {
	t.Parallel()
	s := servertest.New(t)
	s.Server.Contracts = map[string][]byte{"v1.yaml": []byte("openapi: 3.1.0\n")}
	s.Server.Docs = fstest.MapFS{"docs/index.html": {Data: []byte("<!doctype html>reference")}, "docs/docs.js": {Data: []byte("1")}}
	h := s.Server.Handler()
	for path, want := range map[string]struct {
		status int
		kind   string
		part   string
	}{
		"/":                {200, "text/html; charset=utf-8", `href="/docs/"`},
		"/openapi/v1.yaml": {200, "application/yaml; charset=utf-8", "openapi: 3.1.0"},
		"/openapi/v1.json": {200, "application/json; charset=utf-8", `"openapi": "3.1.0"`},
		"/docs":            {301, "text/html; charset=utf-8", "/docs/"},
		"/docs/":           {200, "text/html; charset=utf-8", "reference"},
		"/docs/docs.js":    {200, "text/javascript; charset=utf-8", "1"},
		"/healthz":         {200, "application/json; charset=utf-8", `"ok"`},
		"/readyz":          {200, "application/json; charset=utf-8", `"ok"`},
		"/nothing":         {404, "application/json; charset=utf-8", `"not_found"`},
	} {
		w := ask(h, "GET", path)
		if w.Code != want.status || w.Header().Get("Content-Type") != want.kind || !strings.Contains(w.Body.String(), want.part) {
			t.Errorf("%s answers %d %v %s", path, w.Code, w.Header(), w.Body)
		}
	}
	if w := ask(h, "GET", "/openapi/v1.yaml", "If-None-Match", ask(h, "GET", "/openapi/v1.yaml").Header().Get("Etag")); w.Code != 304 {
		t.Errorf("the same contract again: %d", w.Code)
	}
	if w := ask(h, "GET", "/openapi/v1.json", "If-None-Match", ask(h, "GET", "/openapi/v1.json").Header().Get("Etag")); w.Code != 304 {
		t.Errorf("the same contract again, as JSON: %d", w.Code)
	}
	if err := s.Store.Close(); err != nil {
		t.Fatal(err)
	}
	h = s.Server.Handler() // a new handler, since the old one reuses its result for a second
	if w := ask(h, "GET", "/readyz"); w.Code != 503 {
		t.Errorf("without a database: %d %s", w.Code, w.Body)
	}
	if w := ask(h, "GET", "/healthz"); w.Code != 200 {
		t.Errorf("without a database: %d %s", w.Code, w.Body)
	}
}

// TestResearcherPages: the addresses that a search returns as studyUrl and responseUrl say how to read them, whether they
// exist or not.
func TestResearcherPages(t *testing.T) {
	t.Parallel()
	s := servertest.New(t)
	st := storetest.Study(t, s.Store, s.Org.ID, "", "")
	s.AddResponse(t, st, document.Source{Response: response.Response{URLParams: map[string]string{"source": "mail"}}})
	found := servertest.Decode[struct {
		Results []struct{ StudyURL, ResponseURL string }
	}](t, s.Get(t, "/api/public/v1/responses?parameter=source&value=mail").Want(t, 200, ""))
	h := s.Server.Handler()
	for address, paths := range map[string][]string{
		found.Results[0].StudyURL:    {"/api/public/v1/responses/" + st.LinkID, "/api/public/v1/studies/" + st.LinkID + "/questions"},
		found.Results[0].ResponseURL: {"/api/public/v1/responses/" + st.LinkID + "/1", "/api/public/v1/studies/" + st.LinkID + "/questions"},
	} {
		path := strings.TrimPrefix(address, servertest.BaseURL)
		program, browser := ask(h, "GET", path), ask(h, "GET", path, "Accept", "text/html,*/*;q=0.8")
		for _, want := range paths {
			if program.Code != 200 || !strings.Contains(program.Body.String(), `"path":"`+want+`"`) {
				t.Errorf("%s answers a program %d %s", path, program.Code, program.Body)
			}
			if browser.Code != 200 || browser.Header().Get("Content-Type") != "text/html; charset=utf-8" || !strings.Contains(browser.Body.String(), "<code>GET "+want+"</code>") {
				t.Errorf("%s answers a browser %d %s", path, browser.Code, browser.Body)
			}
		}
		for _, want := range paths {
			s.Get(t, want).Want(t, 200, "") // the paths on the page work
		}
		other := ask(h, "GET", strings.Replace(path, st.LinkID, "nosuchID", 1))
		if got := strings.ReplaceAll(other.Body.String(), "nosuchID", st.LinkID); other.Code != 200 || got != program.Body.String() {
			t.Errorf("a study that does not exist answers %d %s", other.Code, got)
		}
	}
	for _, path := range []string{"/p/a", "/p/%3Cscript%3E", "/p/" + st.LinkID + "/responses/0", "/p/" + st.LinkID + "/responses/x", "/p/%00abc", "/p/%ffabc"} {
		if w := ask(h, "GET", path); w.Code != 404 || !strings.Contains(w.Body.String(), `"not_found"`) || strings.Contains(w.Body.String(), "script") {
			t.Errorf("%s answers %d %s", path, w.Code, w.Body)
		}
	}
}

// TestStop stops the server while a request is running.
func TestStop(t *testing.T) {
	t.Parallel()
	s := servertest.New(t)
	entered, leave := make(chan struct{}), make(chan struct{})
	s.Server.Participant = routes{"GET /slow": func(w http.ResponseWriter, r *http.Request) {
		close(entered)
		<-leave
		_, _ = io.WriteString(w, "done")
	}}
	url, stop, stopped := run(t, s.Server)
	answered := make(chan string, 1)
	go func() {
		resp, err := http.Get(url + "/slow")
		if err != nil {
			answered <- err.Error()
			return
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		answered <- string(body) + errorText(err)
	}()
	<-entered
	stop()
	close(leave)
	if got := <-answered; got != "done" {
		t.Errorf("the running request got %q", got)
	}
	if err := <-stopped; err != nil {
		t.Errorf("stopped with %v", err)
	}
	if _, err := http.Get(url + "/healthz"); err == nil {
		t.Error("a request was accepted after the stop")
	}
}

// TestStopTimesOut stops the server while a request never ends by itself.
func TestStopTimesOut(t *testing.T) {
	t.Parallel()
	s := servertest.New(t)
	s.Server.Grace = 1 // a nanosecond
	entered := make(chan struct{})
	s.Server.Participant = routes{"GET /endless": func(w http.ResponseWriter, r *http.Request) {
		close(entered)
		<-r.Context().Done()
	}}
	url, stop, stopped := run(t, s.Server)
	go func() {
		if resp, err := http.Get(url + "/endless"); err == nil {
			resp.Body.Close()
		}
	}()
	<-entered
	stop()
	if err := <-stopped; err != nil {
		t.Errorf("stopped with %v", err)
	}
}

func run(t *testing.T, s *server.Server) (url string, stop func(), stopped <-chan error) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx, listener) }()
	return "http://" + listener.Addr().String(), cancel, ended
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return " " + err.Error()
}

// TestFloodsAreSampledInTheLog: of requests that are answered 429 only some lines a second are logged, with the number of
// those left out.
func TestFloodsAreSampledInTheLog(t *testing.T) {
	t.Parallel()
	s := servertest.New(t)
	var lines bytes.Buffer
	s.Server.Log = slog.New(slog.NewJSONHandler(&lines, nil))
	clock := storetest.NewClock()
	s.Server.Addresses = &access.Limiter{PerSecond: 1, Now: clock.Now}
	h := s.Server.Handler()
	for range 5000 {
		ask(h, "GET", "/nothing")
	}
	if logged := strings.Count(lines.String(), `"status":429`); logged == 0 || logged > 4000 {
		t.Errorf("%d lines for 5,000 requests", logged)
	}
	w := ask(h, "GET", "/m/1/x/y")
	for w.Code != 429 {
		w = ask(h, "GET", "/m/1/x/y")
	}
	if w.Header().Get("Connection") != "close" || w.Header().Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("a refused request for a recording is answered with %v", w.Header())
	}
}
