package blob_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"verbatim/internal/domain/outage"
	"verbatim/internal/platform/blob"
)

// bucketAt opens a bucket at an endpoint, without any request.
func bucketAt(t *testing.T, endpoint string) blob.Store {
	t.Helper()
	s, err := blob.Open("s3://bucket?path_style=true&region=here&endpoint="+endpoint, blob.Options{Getenv: func(string) string { return "key" }})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestAway checks that every method reports a bucket that cannot be reached or does not serve, and that opening it needs no
// connection.
func TestAway(t *testing.T) {
	t.Parallel()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	failing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	t.Cleanup(failing.Close)
	for name, endpoint := range map[string]string{"nobody listens": "http://" + closed.Addr().String(), "it fails": failing.URL} {
		s := bucketAt(t, endpoint)
		for method, call := range map[string]func(context.Context) error{
			"Put": func(ctx context.Context) error { return s.Put(ctx, "a", strings.NewReader("x"), 1, "text/plain") },
			"Put of parts": func(ctx context.Context) error {
				return s.Put(ctx, "a", bytes.NewReader(make([]byte, 6<<20)), blob.Unknown, "text/plain")
			},
			"Get":    func(ctx context.Context) error { _, err := s.Get(ctx, "a", 0, blob.ToEnd); return err },
			"Stat":   func(ctx context.Context) error { _, err := s.Stat(ctx, "a"); return err },
			"Delete": func(ctx context.Context) error { return s.Delete(ctx, "a") },
			"List": func(ctx context.Context) (err error) {
				for _, e := range s.List(ctx, "a/") {
					err = e
				}
				return err
			},
			"DeletePrefix": func(ctx context.Context) error { return s.DeletePrefix(ctx, "a/") },
			"Ready":        s.Ready,
		} {
			t.Run(name+"/"+method, func(t *testing.T) {
				t.Parallel()
				if err := call(t.Context()); !errors.Is(err, outage.ErrObjectsUnreachable) {
					t.Errorf("%v, want ErrAway", err)
				}
				left, leave := context.WithCancel(t.Context())
				leave()
				if err := call(left); errors.Is(err, outage.ErrObjectsUnreachable) || err == nil {
					t.Errorf("who has left is told %v", err)
				}
			})
		}
	}
}

// TestNotAway checks that an error in the content, or in the arguments, is not reported as an outage.
func TestNotAway(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if r.Method == http.MethodGet || r.Method == http.MethodHead {
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	t.Cleanup(server.Close)
	s := bucketAt(t, server.URL)
	if _, err := s.Stat(t.Context(), "a"); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("what is not there: %v", err)
	}
	broken := errors.New("the sender went away")
	content := io.MultiReader(bytes.NewReader(make([]byte, 6<<20)), iotest.ErrReader(broken))
	if err := s.Put(t.Context(), "a", content, blob.Unknown, "text/plain"); err == nil || errors.Is(err, outage.ErrObjectsUnreachable) {
		t.Errorf("broken content: %v", err)
	}
}

// unreachableStore is a store that is unreachable while it has an error.
type unreachableStore struct {
	blob.Store
	err atomic.Pointer[error]
}

func (a *unreachableStore) Ready(ctx context.Context) error {
	if err := a.err.Load(); err != nil {
		return *err
	}
	return a.Store.Ready(ctx)
}

// TestWatch checks that the watch knows the result of the last check, and that the log receives changes only.
func TestWatch(t *testing.T) {
	t.Parallel()
	folder, err := blob.OpenFolder(t.TempDir(), blob.Links{})
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	s := &unreachableStore{Store: folder}
	w := &blob.Watch{Store: s, Log: slog.New(slog.NewTextHandler(&text, nil)), Within: time.Hour}
	look := func(want error) {
		t.Helper()
		for range 3 {
			if err := w.Check(t.Context()); !errors.Is(err, want) || !errors.Is(w.Err(), want) {
				t.Errorf("a look finds %v, Away is %v, want %v", err, w.Err(), want)
			}
		}
	}
	if w.Err() != nil {
		t.Error("it is away before the first look")
	}
	look(nil)
	gone := errors.New("no such folder")
	s.err.Store(&gone)
	look(outage.ErrObjectsUnreachable)
	s.err.Store(nil)
	look(nil)
	if lines := strings.Count(text.String(), "\n"); lines != 2 {
		t.Errorf("%d lines in the log, want one for each change:\n%s", lines, text.String())
	}
}
