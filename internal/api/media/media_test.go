package media_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"verbatim/internal/api/httpx"
	"verbatim/internal/api/media"
	"verbatim/internal/domain/outage"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/blob/blobtest"
	"verbatim/internal/service/objects"
	"verbatim/test/contract"
)

// service serves the links to a store, with a clock that tests set.
type service struct {
	blob.Store
	links blob.Links
	now   time.Time
	mux   *http.ServeMux
}

func setup(store blob.Store) *service {
	s := &service{Store: store, links: blobtest.Links, now: time.Now(), mux: http.NewServeMux()}
	s.links.Now = func() time.Time { return s.now }
	(&media.API{Objects: &objects.Service{Store: store, Links: s.links}, Log: slog.New(slog.DiscardHandler)}).Register(s.mux)
	return s
}

// documents returns the contract suite that validates every answer.
var documents = sync.OnceValue(func() *contract.Suite {
	suite, err := contract.Load()
	if err != nil {
		panic(err)
	}
	return suite
})

// TestMain fails when no test saw one of this API's documented answers.
func TestMain(m *testing.M) {
	code := m.Run()
	if code == 0 && flag.Lookup("test.run").Value.String() == "" {
		for _, missing := range documents().Covered().Missing {
			if strings.HasPrefix(missing.Operation.Path, "/m/") && missing.Status != http.StatusTooManyRequests { // the server's limit comes before this handler
				fmt.Println("documented and never answered:", missing)
				code = 1
			}
		}
	}
	os.Exit(code)
}

// do requests a link. headers are pairs of name and value.
func (s *service) do(t *testing.T, method, link string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, link, http.NoBody)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	documents().Wrap(t, httpx.WithRequestID(s.mux)).ServeHTTP(w, r)
	return w
}

func (s *service) refuses(t *testing.T, what, method, link string, status int, code string) {
	t.Helper()
	w := s.do(t, method, link)
	var answer struct{ Error, Code string }
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code != status || answer.Code != code || answer.Error == "" {
		t.Errorf("%s: %d %q, want %d %s", what, w.Code, w.Body, status, code)
	}
}

func TestServe(t *testing.T) {
	t.Parallel()
	blobtest.Each(t, func(t *testing.T, store blob.Store) {
		s := setup(store)
		name, content := blobtest.Space()+"answer.webm", blobtest.Bytes(1, 3<<20)
		if err := s.Put(t.Context(), name, bytes.NewReader(content), blob.Unknown, "video/webm;codecs=vp8,opus"); err != nil {
			t.Fatal(err)
		}
		link := s.links.Object(name, blob.Lifetime)
		w := s.do(t, http.MethodGet, link)
		if w.Code != http.StatusOK || !bytes.Equal(w.Body.Bytes(), content) {
			t.Errorf("complete: %d, %d bytes", w.Code, w.Body.Len())
		}
		for header, want := range map[string]string{
			"Content-Type": "video/webm", "Content-Disposition": `inline; filename="answer.webm"`, "Content-Length": "3145728",
			"X-Content-Type-Options": "nosniff", "Accept-Ranges": "bytes", "Referrer-Policy": "no-referrer",
			"Cross-Origin-Resource-Policy": "cross-origin",
			"Content-Security-Policy":      "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox",
		} {
			if got := w.Header().Get(header); got != want {
				t.Errorf("%s: %q, want %q", header, got, want)
			}
		}
		for asked, want := range map[string][2]int{
			"bytes=0-0": {0, 1}, "bytes=1000-": {1000, 3 << 20}, "bytes=-5": {3<<20 - 5, 3 << 20}, "bytes=262100-262200": {262100, 262201}, "bytes=5-99999999": {5, 3 << 20},
		} {
			w := s.do(t, http.MethodGet, link, "Range", asked)
			if w.Code != http.StatusPartialContent || !bytes.Equal(w.Body.Bytes(), content[want[0]:want[1]]) {
				t.Errorf("%s: %d, %d bytes", asked, w.Code, w.Body.Len())
			}
		}
		if w := s.do(t, http.MethodGet, link, "Range", "bytes=3145728-"); w.Code != http.StatusRequestedRangeNotSatisfiable {
			t.Errorf("past the end: %d", w.Code)
		}
		if w := s.do(t, http.MethodGet, link, "Range", "bytes=0-1,10-11"); w.Code != http.StatusPartialContent || !strings.HasPrefix(w.Header().Get("Content-Type"), "multipart/byteranges") {
			t.Errorf("two ranges: %d %s", w.Code, w.Header())
		}
		if w := s.do(t, http.MethodHead, link); w.Code != http.StatusOK || w.Body.Len() != 0 || w.Header().Get("Content-Length") != "3145728" {
			t.Errorf("HEAD: %d %s", w.Code, w.Header())
		}
		if w := s.do(t, http.MethodGet, link, "If-Modified-Since", w.Header().Get("Last-Modified")); w.Code != http.StatusNotModified {
			t.Errorf("unchanged: %d", w.Code)
		}
		if w := s.do(t, http.MethodGet, link, "If-Unmodified-Since", "Mon, 02 Jan 2006 15:04:05 GMT"); w.Code != http.StatusPreconditionFailed {
			t.Errorf("changed: %d", w.Code)
		}
		if err := s.DeletePrefix(t.Context(), strings.TrimSuffix(name, "answer.webm")); err != nil {
			t.Fatal(err)
		}
		s.refuses(t, "erased", http.MethodGet, link, http.StatusNotFound, "not_found")
	})
}

func TestPlaylist(t *testing.T) {
	t.Parallel()
	s := setup(blobtest.Folder(t))
	for name, kind := range map[string]string{
		"responses/1/hls/index.m3u8": "application/vnd.apple.mpegurl", "responses/1/hls/s1.m4s": "video/mp4", "responses/1/raw.mp4": "video/mp4", "responses/2/hls/s1.m4s": "video/mp4",
	} {
		if err := s.Put(t.Context(), name, strings.NewReader(name), blob.Unknown, kind); err != nil {
			t.Fatal(err)
		}
	}
	playlist := s.links.Folder("responses/1/hls/index.m3u8", blob.Lifetime)
	if w := s.do(t, http.MethodGet, playlist); w.Code != http.StatusOK || w.Header().Get("Content-Type") != "application/vnd.apple.mpegurl" {
		t.Errorf("playlist: %d %s", w.Code, w.Header())
	}
	if w := s.do(t, http.MethodGet, strings.Replace(playlist, "index.m3u8", "s1.m4s", 1)); w.Code != http.StatusOK || w.Body.String() != "responses/1/hls/s1.m4s" {
		t.Errorf("segment: %d %s", w.Code, w.Body)
	}
	for _, other := range []string{"responses/2/hls/s1.m4s", "responses/1/raw.mp4"} {
		s.refuses(t, other, http.MethodGet, strings.Replace(playlist, "responses/1/hls/index.m3u8", other, 1), http.StatusForbidden, "invalid_link")
	}
	s.refuses(t, "a segment that is not there", http.MethodGet, strings.Replace(playlist, "index.m3u8", "s2.m4s", 1), http.StatusNotFound, "not_found")
}

// TestCrossOrigin: pages of any site may read and seek, also in the segments of a playlist, and can read errors.
func TestCrossOrigin(t *testing.T) {
	t.Parallel()
	s := setup(blobtest.Folder(t))
	for name, kind := range map[string]string{"r/1/hls/index.m3u8": "application/vnd.apple.mpegurl", "r/1/hls/s1.m4s": "video/mp4", "r/1/a.m4a": "audio/mp4"} {
		if err := s.Put(t.Context(), name, strings.NewReader("content"), blob.Unknown, kind); err != nil {
			t.Fatal(err)
		}
	}
	object, playlist := s.links.Object("r/1/a.m4a", blob.Lifetime), s.links.Folder("r/1/hls/index.m3u8", blob.Lifetime)
	segment := strings.Replace(playlist, "index.m3u8", "s1.m4s", 1)
	const origin = "https://researcher.example"
	readable := func(what string, w *httptest.ResponseRecorder, status int) {
		t.Helper()
		h := w.Header()
		if w.Code != status || h.Get("Access-Control-Allow-Origin") != "*" || h.Get("Access-Control-Allow-Credentials") != "" || h.Get("Cross-Origin-Resource-Policy") != "cross-origin" {
			t.Errorf("%s: %d %v", what, w.Code, h)
		}
		exposed := h.Get("Access-Control-Expose-Headers")
		for _, name := range []string{"Content-Range", "Content-Length", "Accept-Ranges", "X-Request-Id"} {
			if !strings.Contains(exposed, name) {
				t.Errorf("%s: %s is not exposed: %s", what, name, exposed)
			}
		}
	}
	for what, link := range map[string]string{"sound": object, "playlist": playlist, "segment": segment} {
		readable(what, s.do(t, http.MethodGet, link, "Origin", origin), http.StatusOK)
		readable(what+", a part", s.do(t, http.MethodGet, link, "Origin", origin, "Range", "bytes=1-2"), http.StatusPartialContent)
		readable(what+", past the end", s.do(t, http.MethodGet, link, "Origin", origin, "Range", "bytes=99-"), http.StatusRequestedRangeNotSatisfiable)
		readable(what+", HEAD", s.do(t, http.MethodHead, link, "Origin", origin), http.StatusOK)
		readable(what+", forged", s.do(t, http.MethodGet, strings.Replace(link, "r/1", "r/2", 1), "Origin", origin), http.StatusForbidden)
		asked := s.do(t, http.MethodOptions, link, "Origin", origin, "Access-Control-Request-Method", "GET", "Access-Control-Request-Headers", "range")
		readable(what+", preflight", asked, http.StatusNoContent)
		if h := asked.Header(); !strings.Contains(h.Get("Access-Control-Allow-Methods"), "GET") || !strings.Contains(h.Get("Access-Control-Allow-Headers"), "Range") {
			t.Errorf("%s, preflight: %v", what, h)
		}
	}
	readable("a wrong method", s.do(t, http.MethodDelete, object, "Origin", origin), http.StatusMethodNotAllowed)
	forged := s.do(t, http.MethodOptions, s.links.Base+"/m/1/x/nothing", "Origin", origin, "Access-Control-Request-Method", "GET")
	readable("preflight of a forged link", forged, http.StatusNoContent)
	s.now = s.now.Add(blob.Lifetime + blob.LinkStep + time.Second)
	readable("expired", s.do(t, http.MethodGet, object, "Origin", origin), http.StatusForbidden)
}

// TestStoreDown expects the documented answer to an unexpected error of the store.
func TestStoreDown(t *testing.T) {
	t.Parallel()
	s := setup(statFails{blobtest.Folder(t)})
	s.refuses(t, "a store that is down", http.MethodGet, s.links.Object("a/b", blob.Lifetime), http.StatusInternalServerError, "internal_error")
}

// statFails is a store whose Stat fails.
type statFails struct{ blob.Store }

func (statFails) Stat(context.Context, string) (blob.Info, error) {
	return blob.Info{}, errors.New("the store is down")
}

func TestRefused(t *testing.T) {
	t.Parallel()
	s := setup(blobtest.Folder(t))
	blobtest.Put(t, s, "r/1/a", "content")
	blobtest.Put(t, s, "r/1/b", "another")
	link, err := s.SignedURL(t.Context(), "r/1/a", blob.Lifetime) // this package serves the links that the folder signs
	if err != nil {
		t.Fatal(err)
	}
	if w := s.do(t, http.MethodGet, link); w.Body.String() != "content" {
		t.Fatalf("the link answers %d %q", w.Code, w.Body)
	}
	head, _ := strings.CutSuffix(link, "r/1/a")
	for i := len(s.links.Base) + len("/m/"); i < len(link); i++ {
		changed := link[:i] + map[bool]string{true: "2", false: "1"}[link[i] == '1'] + link[i+1:]
		if w := s.do(t, http.MethodGet, changed); w.Code == http.StatusOK || strings.Contains(w.Body.String(), "content") {
			t.Errorf("byte %d changed: %d", i, w.Code)
		}
	}
	for what, other := range map[string]string{
		"another object": head + "r/1/b", "its folder": head + "r/1", "nothing": head, "what hides": head + "r/1/.put-1", "encoded": head + "r/1%2Fb",
		"up and out": head + "..%2f..%2fetc%2fpasswd", "a null": head + "r/1/a%00",
	} {
		s.refuses(t, what, http.MethodGet, other, http.StatusForbidden, "invalid_link")
	}
	s.refuses(t, "POST", http.MethodPost, link, http.StatusMethodNotAllowed, "method_not_allowed")
	s.refuses(t, "half a link", http.MethodGet, s.links.Base+"/m/1", http.StatusNotFound, "not_found")
	s.now = s.now.Add(blob.Lifetime + blob.LinkStep + time.Second)
	s.refuses(t, "after an hour", http.MethodGet, link, http.StatusForbidden, "expired_link")
}

// away is a store that cannot be reached.
type away struct{ blob.Store }

func (away) Stat(context.Context, string) (blob.Info, error) {
	return blob.Info{}, outage.ErrObjectsUnreachable
}

// TestObjectsAway: while the objects cannot be reached, the answer says when to send the request again.
func TestObjectsAway(t *testing.T) {
	t.Parallel()
	s := setup(away{blobtest.Folder(t)})
	link := s.links.Object("r/1/a", blob.Lifetime)
	s.refuses(t, "away", http.MethodGet, link, http.StatusServiceUnavailable, "service_unavailable")
	if s.do(t, http.MethodGet, link).Header().Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
}

// TestNothingRuns stores content that a browser would run with the service's own origin.
func TestNothingRuns(t *testing.T) {
	t.Parallel()
	s := setup(blobtest.Folder(t))
	for _, kind := range []string{
		"text/html", "text/html; charset=utf-8", "TEXT/HTML", "image/svg+xml", "application/xhtml+xml", "text/xml", "application/pdf", "text/javascript", "text/plain", "x/y",
		"multipart/x-mixed-replace", "video/mp4,text/html",
	} {
		if err := s.Put(t.Context(), "a/evil.html", strings.NewReader("<script>alert(1)</script>"), blob.Unknown, kind); err != nil {
			t.Fatal(err)
		}
		h := s.do(t, http.MethodGet, s.links.Object("a/evil.html", blob.Lifetime)).Header()
		if h.Get("Content-Type") != "application/octet-stream" || h.Get("Content-Disposition") != `attachment; filename="evil.html"` ||
			h.Get("X-Content-Type-Options") != "nosniff" || !strings.Contains(h.Get("Content-Security-Policy"), "sandbox") {
			t.Errorf("%s is served as %v", kind, h)
		}
	}
}

// failing is a store that cannot be read beyond the first chunk.
type failing struct{ blob.Store }

func (f failing) Get(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	if offset > 0 {
		return nil, errors.New("the store is down")
	}
	return f.Store.Get(ctx, name, offset, length)
}

// TestCutOff serves over a connection while the store fails: the client must notice that the object is incomplete.
func TestCutOff(t *testing.T) {
	t.Parallel()
	s := setup(failing{blobtest.Folder(t)})
	if err := s.Put(t.Context(), "a/b", bytes.NewReader(blobtest.Bytes(1, 1<<20)), 1<<20, "video/mp4"); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s.mux)
	defer server.Close()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, strings.Replace(s.links.Object("a/b", blob.Lifetime), s.links.Base, server.URL, 1), http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := server.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if got, err := io.ReadAll(answer.Body); err == nil || len(got) >= 1<<20 {
		t.Errorf("read %d bytes, %v; want an error", len(got), err)
	}
}
