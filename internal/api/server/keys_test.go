package server_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"verbatim/internal/api/server/servertest"
	"verbatim/internal/domain/document"
	"verbatim/internal/domain/guide/guidetest"
	"verbatim/internal/domain/org"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/access"
)

// TestReadOnlyKeys: GET and HEAD are served, everything else but a question of the data (package v1 tests it) is 403 forbidden
// in both dialects, before a body is read.
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
		{"DELETE", "/api/public/v1/ask", 403},
		{"POST", "/api/public/v1/ask/more", 403},
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

// TestExpiredKeyIsAnUnknownKey: the two answers differ only in the request id.
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

// TestLargeBodiesCountForMore: each full 64 KiB of a body counts as one more request of the key, after the request.
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

// TestCachedKeysAreChecked: a key that was valid a moment ago and is not any more reads nothing and learns nothing, whatever
// it asks for, though reads check it only in the statement that reads.
func TestCachedKeysAreChecked(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := servertest.New(t)
	st := storetest.Study(t, s.Store, s.Org.ID, s.Admin.ID, "")
	s.AddResponse(t, st, document.Source{})
	const responses = "/api/public/v1/responses"
	paths := []string{
		responses + "/" + st.LinkID, responses + "/" + st.ID + "?updatedSince=2020-01-01T00:00:00Z", responses + "/" + st.LinkID + "/1", responses + "?parameter=a&value=b",
		responses + "/" + st.LinkID + "/2", responses + "/" + st.LinkID + "/not-an-id", responses + "/nosuchstudy", responses + "/nosuchstudy/1", responses + "/" + st.LinkID + "?perPage=none",
		responses, responses + "?parameter=a&value=b&cursor=none", responses + "/a/b/c", responses + "/",
	}
	for name, c := range map[string]struct {
		end  func(user org.User, key org.Key) error
		want int
	}{
		"revoked":            {func(_ org.User, key org.Key) error { _, err := s.Server.Access.RevokeKey(ctx, key.ID); return err }, 401},
		"of a former member": {func(user org.User, _ org.Key) error { return s.Server.Access.RemoveUser(ctx, s.Org.ID, user.ID) }, 403},
	} {
		t.Run(name, func(t *testing.T) {
			user := storetest.User(t, s.Store, s.Org.ID, org.Member)
			kept, key, err := s.Server.Access.CreateKey(ctx, s.Org.ID, user.ID, name)
			if err != nil {
				t.Fatal(err)
			}
			get := func(path string, keys ...string) int {
				r := httptest.NewRequestWithContext(ctx, "GET", path, http.NoBody)
				r.Header["X-Api-Key"] = keys
				w := httptest.NewRecorder()
				s.Server.Handler().ServeHTTP(w, r)
				return w.Code
			}
			answers := func() (codes []int) {
				for _, path := range paths {
					codes = append(codes, get(path, key))
				}
				return codes
			}
			want := []int{200, 200, 200, 200, 404, 400, 404, 404, 400, 400, 400, 404, 404}
			for range 2 { // the second time the key is known
				if got := answers(); !slices.Equal(got, want) {
					t.Errorf("a valid key is answered %d, want %d", got, want)
				}
			}
			if got := get(paths[0], key, key, key, key, key); got != 200 {
				t.Errorf("a key sent five times is answered %d", got)
			}
			if got := get(paths[0], strings.Repeat("x", 1000)); got != 401 {
				t.Errorf("a key too long to be one is answered %d, want 401", got)
			}
			if err := c.end(user, kept); err != nil {
				t.Fatal(err)
			}
			for i, path := range paths { // each path caches the key again, since a refusal removes it
				s.Server.CacheCaller(key, org.Caller{OrgID: s.Org.ID, UserID: user.ID, KeyID: kept.ID, Role: org.Member})
				if got := get(path, key); got != c.want {
					t.Errorf("path %d: a key %s is answered %d, want %d", i, name, got, c.want)
				}
			}
		})
	}
}
