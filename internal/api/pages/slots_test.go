package pages_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"verbatim/internal/api/pages"
	"verbatim/internal/api/participant"
	"verbatim/internal/api/participant/participanttest"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/service/access"
)

// TestConcurrentUploadsAreLimited holds the only slot of a network, or of the process, with a request whose body does not arrive.
func TestConcurrentUploadsAreLimited(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		all, each int
		status    int
	}{
		"of a network":   {2, 1, http.StatusTooManyRequests},
		"of the process": {1, 2, http.StatusServiceUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t, wallet.Credit, func(a *pages.API) { a.Protocol.Slots = &participant.Slots{All: c.all, Each: c.each} })
			token, step := h.Begin(h.Launch(participanttest.FileGuide(), h.Wallet).LinkID, "")
			send := func(method, path string, body io.Reader, header ...string) *httptest.ResponseRecorder {
				r := httptest.NewRequestWithContext(access.WithClient(t.Context(), []access.Share{{Name: "192.0.2.1", Times: 1}}), method, path, body)
				for i := 0; i < len(header); i += 2 {
					r.Header.Set(header[i], header[i+1])
				}
				w := httptest.NewRecorder()
				h.Handler.ServeHTTP(w, r)
				return w
			}
			uploads := "/i/" + token + "/uploads"
			create := []string{"Tus-Resumable", "1.0.0", "Upload-Length", "70", "Upload-Metadata", participanttest.Metadata("kind", "file", "stepId", step["stepId"].(string))}
			made := send("POST", uploads, http.NoBody, create...)
			if made.Code != http.StatusCreated {
				t.Fatalf("creation answers %d %s", made.Code, made.Body)
			}
			patch := []string{"Tus-Resumable", "1.0.0", "Upload-Offset", "0", "Content-Type", "application/offset+octet-stream"}
			body, sender := io.Pipe()
			done := make(chan *httptest.ResponseRecorder)
			go func() { done <- send("PATCH", made.Header().Get("Location"), body, patch...) }()
			if _, err := sender.Write([]byte("\x89PNG")); err != nil { // the body is read, so the request has its slot
				t.Fatal(err)
			}
			for what, w := range map[string]*httptest.ResponseRecorder{
				"PATCH":               send("PATCH", made.Header().Get("Location"), unreadBody{t}, patch...),
				"creation with bytes": send("POST", uploads, unreadBody{t}, append(create, "Content-Type", "application/offset+octet-stream")...),
				"a form of files":     send("POST", "/i/"+token+"/answers", unreadBody{t}, "Content-Type", fileForm, "Accept", "text/html"),
			} {
				if w.Code != c.status || w.Header().Get("Retry-After") == "" || w.Header().Get("Connection") != "close" {
					t.Errorf("%s answers %d, %v", what, w.Code, w.Header())
				}
			}
			if w := send("POST", uploads, http.NoBody, create...); w.Code != http.StatusCreated {
				t.Errorf("a request without a body answers %d", w.Code)
			}
			_ = sender.Close()
			if w := <-done; w.Code != http.StatusNoContent {
				t.Errorf("the request with the slot answers %d %s", w.Code, w.Body)
			}
			patch[3] = "4"
			if w := send("PATCH", made.Header().Get("Location"), strings.NewReader("\r"), patch...); w.Code != http.StatusNoContent {
				t.Errorf("the next request answers %d %s", w.Code, w.Body)
			}
		})
	}
}
