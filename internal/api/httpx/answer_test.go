package httpx_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"verbatim/internal/api/httpx"
)

func serve(h httpx.Handler, log *slog.Logger) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	httpx.WithRequestID(httpx.Table{}.Handle(log, h)).ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	return w
}

// asStored returns an item as it is.
func asStored(item []byte) ([]byte, error) { return item, nil }

func TestWriteArray(t *testing.T) {
	t.Parallel()
	quiet := slog.New(slog.DiscardHandler)
	for _, sizes := range [][]int{nil, {10}, {10, 10}, {300 << 10}, {100 << 10, 200 << 10, 5, 400 << 10}} {
		w := serve(func(w http.ResponseWriter, r *http.Request) error {
			return httpx.WriteArray(w, asStored, func(item func([]byte) error) error {
				for _, size := range sizes {
					if err := item([]byte(`"` + strings.Repeat("a", size) + `"`)); err != nil {
						return err
					}
				}
				return nil
			})
		}, quiet)
		var got []string
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || len(got) != len(sizes) {
			t.Errorf("%v: %d items (%v)", sizes, len(got), err)
			continue
		}
		for i, size := range sizes {
			if len(got[i]) != size {
				t.Errorf("%v: item %d has %d bytes", sizes, i, len(got[i]))
			}
		}
		if short := w.Body.Len() < 256<<10; (w.Header().Get("Content-Length") != "") != short {
			t.Errorf("%v: Content-Length is %q", sizes, w.Header().Get("Content-Length"))
		}
	}
}

func TestWriteArrayFails(t *testing.T) {
	t.Parallel()
	failing := func(bytes int) httpx.Handler {
		return func(w http.ResponseWriter, r *http.Request) error {
			return httpx.WriteArray(w, asStored, func(item func([]byte) error) error {
				if err := item([]byte(strings.Repeat("1", bytes))); err != nil {
					return err
				}
				return errors.New("the database went away")
			})
		}
	}
	if w := serve(failing(10), slog.New(slog.DiscardHandler)); w.Code != 500 || !strings.Contains(w.Body.String(), "internal_error") {
		t.Errorf("before anything was written: %d %s", w.Code, w.Body)
	}
	var log bytes.Buffer
	defer func() {
		if p := recover(); p != http.ErrAbortHandler {
			t.Errorf("in the middle: %v, want the connection's end", p)
		}
		if !strings.Contains(log.String(), "the database went away") {
			t.Errorf("the log has no reason: %s", &log)
		}
	}()
	serve(failing(300<<10), slog.New(slog.NewTextHandler(&log, nil)))
}

func TestInFlight(t *testing.T) {
	t.Parallel()
	var f httpx.InFlight
	a := httpx.IdempotencyKey{OrgID: "o", Path: "/p", Key: "k", BodyHash: "1"}
	leave, err := f.Enter(a)
	if err != nil {
		t.Fatal(err)
	}
	otherBody, otherKey, otherOrg := a, a, a
	otherBody.BodyHash, otherKey.Key, otherOrg.OrgID = "2", "l", "p"
	for _, busy := range []httpx.IdempotencyKey{a, otherBody} {
		if _, err := f.Enter(busy); err == nil {
			t.Errorf("%+v entered twice", busy)
		}
	}
	for _, free := range []httpx.IdempotencyKey{otherKey, otherOrg, {}, {}} {
		if _, err := f.Enter(free); err != nil {
			t.Errorf("%+v was refused: %v", free, err)
		}
	}
	leave()
	if _, err := f.Enter(a); err != nil {
		t.Errorf("after the first has left: %v", err)
	}
}
