package server_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"verbatim/internal/access"
	"verbatim/internal/guide/guidetest"
	"verbatim/internal/org"
	"verbatim/internal/server/servertest"
	"verbatim/internal/store/storetest"
)

// TestReadOnlyKeys: GET and HEAD are served, everything else is 403 forbidden in both dialects, before a body is read.
func TestReadOnlyKeys(t *testing.T) {
	t.Parallel()
	s := servertest.New(t)
	s.Do(t, "POST", "/api/public/v1/studies/create", string(guidetest.RichPayload())).Want(t, 201, "")
	user := storetest.User(t, s.Store, s.Org.ID, org.Admin)
	_, key, err := s.Server.Access.CreateLimitedKey(t.Context(), s.Org.ID, user.ID, "reads", org.KeyLimits{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	h := s.Server.Handler()
	study := servertest.Decode[[]struct{ ID, LinkID string }](t, s.Get(t, "/api/public/v1/studies"))[0]
	for _, c := range []struct {
		method, path string
		want         int
	}{
		{"GET", "/api/public/v1/studies", 200},
		{"HEAD", "/api/public/v1/studies", 200},
		{"GET", "/api/public/list_surveys", 200},
		{"GET", "/api/public/v1/nothing", 404},
		{"POST", "/api/public/v1/studies/create", 403},
		{"POST", "/api/public/v1/studies/" + study.ID + "/launch", 403},
		{"DELETE", "/api/public/v1/responses?studyId=" + study.ID + "&responseId=" + study.ID, 403},
		{"POST", "/api/public/list_surveys", 403},
		{"PATCH", "/api/public/v1/nothing", 403},
		{"OPTIONS", "/api/public/v1/studies", 403},
	} {
		r := httptest.NewRequestWithContext(t.Context(), c.method, c.path, neverRead{t})
		if c.method == "GET" || c.method == "HEAD" {
			r.Body = http.NoBody
		}
		r.Header.Set("X-Api-Key", key)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != c.want {
			t.Errorf("%s %s answers %d %s, want %d", c.method, c.path, w.Code, w.Body, c.want)
		}
		if c.want == 403 {
			var body struct{ Code string }
			if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil || body.Code != "forbidden" {
				t.Errorf("%s %s: code %q (%v)", c.method, c.path, body.Code, err)
			}
		}
	}
}

type neverRead struct{ t *testing.T }

func (n neverRead) Read([]byte) (int, error) {
	n.t.Error("the body was read")
	return 0, http.ErrBodyReadAfterClose
}

// TestExpiredKeyIsAnUnknownKey: the two answers differ in the request's id alone.
func TestExpiredKeyIsAnUnknownKey(t *testing.T) {
	t.Parallel()
	s := servertest.New(t)
	user := storetest.User(t, s.Store, s.Org.ID, org.Admin)
	past := &access.Service{Store: s.Store, Now: func() time.Time { return time.Now().Add(-48 * time.Hour) }}
	_, key, err := past.CreateLimitedKey(t.Context(), s.Org.ID, user.ID, "ended", org.KeyLimits{ExpiresAt: time.Now().Add(-24 * time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	h := s.Server.Handler()
	expired, unknown := ask(h, "GET", "/api/public/v1/studies", "x-api-key", key), ask(h, "GET", "/api/public/v1/studies", "x-api-key", org.FormatKey([32]byte{7}))
	expired.Header().Del("X-Request-Id")
	unknown.Header().Del("X-Request-Id")
	if expired.Code != 401 || unknown.Code != 401 || expired.Body.String() != unknown.Body.String() || len(expired.Header()) != len(unknown.Header()) {
		t.Errorf("expired: %d %v %s\nunknown: %d %v %s", expired.Code, expired.Header(), expired.Body, unknown.Code, unknown.Header(), unknown.Body)
	}
}

// TestLargeBodiesCountForMore: each whole 64 KiB of a body counts as one more request of the key, after the request.
func TestLargeBodiesCountForMore(t *testing.T) {
	t.Parallel()
	s := servertest.New(t)
	now := time.Now()
	s.Server.Keys = &access.Limiter{PerSecond: 5, Now: func() time.Time { return now }} // 10 at once
	remaining := func() string {
		t.Helper()
		return s.Get(t, "/api/public/v1/studies").Want(t, 200, "").Header.Get("RateLimit-Remaining")
	}
	const create = "/api/public/v1/studies/create"
	s.Do(t, "POST", create, "["+strings.Repeat(" ", 60<<10)+"]").Want(t, 400, "invalid_request_body")
	if got := remaining(); got != "8" {
		t.Errorf("after a request with 60 KiB and another one, %s are left", got)
	}
	s.Do(t, "POST", create, "["+strings.Repeat(" ", 200<<10)+"]").Want(t, 400, "invalid_request_body") // itself and three
	if got := remaining(); got != "3" {
		t.Errorf("after one with 200 KiB and another one, %s are left", got)
	}
	s.Do(t, "POST", create, "["+strings.Repeat(" ", 640<<10)+"]").Want(t, 400, "invalid_request_body") // itself and ten, of which eight are owed
	if after := s.Get(t, "/api/public/v1/studies").Want(t, 429, "rate_limited").Header.Get("Retry-After"); after != "2" {
		t.Errorf("after one with 640 KiB the key has to wait %s s", after)
	}
}
