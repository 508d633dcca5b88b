package pages

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"verbatim/internal/api/participant"
)

func TestStreamSendsSmallPagesAtOnce(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	err := stream(t.Context(), w, http.StatusTeapot, func(to io.Writer) error {
		_, err := io.WriteString(to, "a page")
		return err
	})
	if err != nil || w.Code != http.StatusTeapot || w.Body.String() != "a page" || w.Header().Get("Content-Length") != "6" {
		t.Errorf("%v, %d %v %q", err, w.Code, w.Header(), w.Body)
	}
}

// TestStreamBuffersNoMoreThanItsSize checks that larger pages are sent in parts, in order and completely.
func TestStreamBuffersNoMoreThanItsSize(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	page := strings.Repeat("0123456789", pageBuffer/4)
	err := stream(t.Context(), w, http.StatusOK, func(to io.Writer) error {
		for i := 0; i < len(page); i += 1000 {
			if _, err := io.WriteString(to, page[i:min(i+1000, len(page))]); err != nil {
				return err
			}
			if buffered := i - w.Body.Len(); buffered > pageBuffer+1000 {
				t.Fatalf("%d bytes are buffered", buffered)
			}
		}
		_, err := io.WriteString(to, page) // larger than the buffer by itself
		return err
	})
	if err != nil || w.Body.String() != page+page || w.Header().Get("Content-Length") != "" {
		t.Errorf("%v, %d bytes, %v", err, w.Body.Len(), w.Header())
	}
}

// TestStreamErrors checks that nothing is sent if rendering fails early, and that a later error is errPartlySent.
func TestStreamErrors(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	w := httptest.NewRecorder()
	err := stream(t.Context(), w, http.StatusOK, func(to io.Writer) error {
		_, _ = io.WriteString(to, strings.Repeat("x", pageBuffer))
		return broken
	})
	if !errors.Is(err, broken) || w.Body.Len() > 0 || len(w.Header()) > 0 {
		t.Errorf("error %v, %d bytes are sent with %v", err, w.Body.Len(), w.Header())
	}
	err = stream(t.Context(), httptest.NewRecorder(), http.StatusOK, func(to io.Writer) error {
		_, _ = io.WriteString(to, strings.Repeat("x", pageBuffer+1))
		return broken
	})
	if !errors.Is(err, broken) || !errors.Is(err, errPartlySent) {
		t.Errorf("error %v, want errPartlySent", err)
	}
}

// TestPartlySentPageClosesConnection checks a template that fails after part of the page was sent.
func TestPartlySentPageClosesConnection(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	d := &API{Protocol: &participant.API{Log: slog.New(slog.NewTextHandler(&log, nil))}}
	p := noticePage("en", "lost")
	p.Text = strings.Repeat("A long text. ", pageBuffer/10)
	w := httptest.NewRecorder()
	if err := d.writePage(t.Context(), w, http.StatusOK, p); err != nil || !strings.HasSuffix(w.Body.String(), "</html>") {
		t.Fatalf("a long page: %v, %d bytes", err, w.Body.Len())
	}
	p.Body, p.Step = "step", nil // its template uses the step after the texts
	defer func() {
		if r := recover(); r != http.ErrAbortHandler || !strings.Contains(log.String(), "rendering a page failed") {
			t.Errorf("panic %v, log %q", r, log.String())
		}
	}()
	p.Title = p.Text
	err := d.writePage(t.Context(), httptest.NewRecorder(), http.StatusOK, p)
	t.Errorf("a part of a page was sent as a complete page: %v", err)
}

// brokenWriter is a connection that fails after some parts.
type brokenWriter struct {
	http.ResponseWriter
	parts int
}

func (w *brokenWriter) Write(p []byte) (int, error) {
	if w.parts--; w.parts < 0 {
		return 0, io.ErrClosedPipe
	}
	return len(p), nil
}

// TestStreamStopsWhenClientIsGone checks that rendering stops when the client is gone.
func TestStreamStopsWhenClientIsGone(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		w      http.ResponseWriter
		leaves int // after how many parts the client ends its request
	}{
		"its connection breaks":      {&brokenWriter{httptest.NewRecorder(), 2}, 100},
		"it ends its request":        {httptest.NewRecorder(), 2},
		"it has ended it beforehand": {httptest.NewRecorder(), 0},
	} {
		ctx, leave := context.WithCancel(t.Context())
		defer leave()
		rendered := 0
		err := stream(ctx, test.w, http.StatusOK, func(to io.Writer) error {
			for ; rendered < 100; rendered++ {
				if rendered == test.leaves {
					leave()
				}
				if _, err := to.Write(make([]byte, pageBuffer)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil || rendered > 4 {
			t.Errorf("%s: error %v after %d parts", name, err, rendered)
		}
	}
}
