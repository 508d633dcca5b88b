package tus_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"verbatim/internal/api/httpx"
	"verbatim/internal/api/tus"
)

var (
	errNone  = errors.New("none")
	errGone  = errors.New("gone")
	errMoved = errors.New("moved")
	errSet   = errors.New("the length is known")
)

var table = httpx.Table{
	{Err: errNone, Status: 404, Code: "upload_not_found", Message: "None."},
	{Err: errGone, Status: 410, Code: "upload_gone", Message: "Gone."},
	{Err: errMoved, Status: 409, Code: "offset_conflict", Message: "Moved."},
	{Err: errSet, Status: 400, Code: "bad_request", Message: "The length is known."},
}

var expiry = time.Date(2026, 3, 1, 13, 0, 0, 0, time.FixedZone("", 3600))

// memory stores uploads in maps.
type memory struct {
	uploads map[string]*tus.Upload
	content map[string]string
	gone    map[string]bool
}

func (m *memory) Create(_ context.Context, in tus.New) (tus.Upload, error) {
	u := &tus.Upload{ID: "u" + strconv.Itoa(len(m.uploads)+1), Length: in.Length, Header: in.Header, Expires: expiry}
	m.uploads[u.ID] = u
	return *u, nil
}

func (m *memory) Status(_ context.Context, id string) (tus.Upload, error) {
	switch u := m.uploads[id]; {
	case m.gone[id]:
		return tus.Upload{}, errGone
	case u == nil:
		return tus.Upload{}, errNone
	default:
		return *u, nil
	}
}

func (m *memory) Append(ctx context.Context, id string, p tus.Part) (tus.Upload, error) {
	if _, err := m.Status(ctx, id); err != nil {
		return tus.Upload{}, err
	}
	u := m.uploads[id]
	if p.Offset != u.Offset {
		return tus.Upload{}, errMoved
	}
	if p.Length != tus.Unknown && u.Length != tus.Unknown && p.Length != u.Length {
		return tus.Upload{}, errSet
	}
	body, err := io.ReadAll(p.Body)
	if p.Length != tus.Unknown {
		u.Length = p.Length
	}
	m.content[id] += string(body)
	u.Offset += int64(len(body))
	return *u, err
}

func (m *memory) Terminate(ctx context.Context, id string) error {
	if _, err := m.Status(ctx, id); err != nil {
		return err
	}
	m.gone[id] = true
	return nil
}

// serve returns a handler over four uploads: one of 10 bytes of which 4 are stored, one whose length is unknown, one that is
// complete, and one that is gone.
func serve() (*memory, http.Handler) {
	m := &memory{
		uploads: map[string]*tus.Upload{
			"half": {ID: "half", Length: 10, Offset: 4, Header: "filename Y2F0,secret", Expires: expiry}, "deferred": {ID: "deferred", Length: tus.Unknown, Expires: expiry},
			"complete": {ID: "complete", Length: 3, Offset: 3}, "gone": {ID: "gone"},
		},
		content: map[string]string{"half": "0123", "complete": "abc"}, gone: map[string]bool{"gone": true},
	}
	h := &tus.Handler{Open: func(*http.Request) (tus.Uploads, error) { return m, nil }, MaxSize: 1000}
	log := slog.New(slog.DiscardHandler)
	mux := http.NewServeMux()
	mux.Handle("/files", table.Handle(log, h.Collection))
	mux.Handle("/files/{id}", table.Handle(log, h.Resource))
	return m, tus.WithVersion(mux)
}

type sent map[string]string

func ask(h http.Handler, method, path string, header sent, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if method != http.MethodOptions {
		r.Header.Set("Tus-Resumable", "1.0.0")
	}
	for name, value := range header {
		r.Header.Del(name)
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// TestProtocol has a row for each thing that the protocol says a server MUST do. A value "-" means that the answer must not
// have the header.
func TestProtocol(t *testing.T) {
	t.Parallel()
	const octets = tus.ContentType
	patch := func(offset string, more sent) sent {
		h := sent{"Content-Type": octets, "Upload-Offset": offset}
		for name, value := range more {
			h[name] = value
		}
		return h
	}
	const expires = "Sun, 01 Mar 2026 12:00:00 GMT"
	for _, tt := range []struct {
		must         string
		method, path string
		header       sent
		body         string
		status       int
		want         sent
	}{
		{"Upload-Offset is an integer", "PATCH", "/files/half", patch("four", nil), "x", 400, nil},
		{"Upload-Offset is not negative", "PATCH", "/files/half", patch("-4", nil), "x", 400, nil},
		{"Upload-Offset is there", "PATCH", "/files/half", patch("", nil), "x", 400, nil},
		{"Upload-Length is an integer", "POST", "/files", sent{"Upload-Length": "1.5"}, "", 400, nil},
		{"Upload-Length is not negative", "POST", "/files", sent{"Upload-Length": "-1"}, "", 400, nil},
		{"Upload-Length may be nothing", "POST", "/files", sent{"Upload-Length": "0"}, "", 201, nil},
		{"an unsupported version is 412 with Tus-Version", "HEAD", "/files/half", sent{"Tus-Resumable": "0.2.2"}, "", 412, sent{"Tus-Version": "1.0.0", "Upload-Offset": "-"}},
		{"no version is an unsupported one", "POST", "/files", sent{"Tus-Resumable": "", "Upload-Length": "1"}, "", 412, sent{"Tus-Version": "1.0.0", "Location": "-"}},
		{"an unsupported version is not processed", "DELETE", "/files/half", sent{"Tus-Resumable": "2.0.0"}, "", 412, nil},
		{"the overriding method counts", "POST", "/files/half", patch("4", sent{"X-HTTP-Method-Override": "PATCH"}), "45", 204, sent{"Upload-Offset": "6"}},
		{"only POST is overridden", "HEAD", "/files/half", patch("4", sent{"X-HTTP-Method-Override": "PATCH"}), "", 200, sent{"Upload-Offset": "4"}},
		{"an overriding method may be unsupported", "POST", "/files/half", sent{"X-HTTP-Method-Override": "PUT"}, "", 405, sent{"Allow": "DELETE, HEAD, OPTIONS, PATCH"}},

		{"HEAD has Upload-Offset", "HEAD", "/files/half", nil, "", 200, sent{"Upload-Offset": "4"}},
		{"HEAD has Upload-Offset where it is 0", "HEAD", "/files/deferred", nil, "", 200, sent{"Upload-Offset": "0"}},
		{"HEAD has Upload-Offset when the upload is complete", "HEAD", "/files/complete", nil, "", 200, sent{"Upload-Offset": "3"}},
		{"HEAD has Upload-Length where it is known", "HEAD", "/files/half", nil, "", 200, sent{"Upload-Length": "10", "Upload-Defer-Length": "-"}},
		{"HEAD of none is 404 without Upload-Offset", "HEAD", "/files/none", nil, "", 404, sent{"Upload-Offset": "-"}},
		{"HEAD is not cached", "HEAD", "/files/half", nil, "", 200, sent{"Cache-Control": "no-store"}},
		{"HEAD of none is not cached", "HEAD", "/files/none", nil, "", 404, sent{"Cache-Control": "no-store"}},

		{"PATCH has its type", "PATCH", "/files/half", patch("4", sent{"Content-Type": "application/octet-stream"}), "x", 415, nil},
		{"PATCH has a type", "PATCH", "/files/half", patch("4", sent{"Content-Type": ""}), "x", 415, nil},
		{"PATCH behind the offset is 409", "PATCH", "/files/half", patch("5", nil), "x", 409, nil},
		{"PATCH before the offset is 409", "PATCH", "/files/half", patch("0", nil), "x", 409, nil},
		{"PATCH is 204 with the new Upload-Offset", "PATCH", "/files/half", patch("4", nil), "456", 204, sent{"Upload-Offset": "7"}},
		{"PATCH of nothing leaves the offset", "PATCH", "/files/half", patch("4", nil), "", 204, sent{"Upload-Offset": "4"}},
		{"PATCH of none is 404", "PATCH", "/files/none", patch("0", nil), "x", 404, nil},

		{"OPTIONS has Tus-Version", "OPTIONS", "/files", nil, "", 204, sent{"Tus-Version": "1.0.0", "Tus-Max-Size": "1000"}},
		{"OPTIONS lists the extensions", "OPTIONS", "/files/half", nil, "", 204, sent{"Tus-Extension": "creation,creation-with-upload,creation-defer-length,expiration,termination"}},
		{"OPTIONS ignores Tus-Resumable", "OPTIONS", "/files", sent{"Tus-Resumable": "0.0.1"}, "", 204, sent{"Tus-Version": "1.0.0"}},

		{"creation is 201 with Location", "POST", "/files", sent{"Upload-Length": "100"}, "", 201, sent{"Location": "/files/u5", "Upload-Offset": "0"}},
		{"creation has a length, or defers it", "POST", "/files", nil, "", 400, nil},
		{"creation has only one of them", "POST", "/files", sent{"Upload-Length": "1", "Upload-Defer-Length": "1"}, "", 400, nil},
		{"Upload-Defer-Length is 1", "POST", "/files", sent{"Upload-Defer-Length": "2"}, "", 400, nil},
		{"a length may come later", "POST", "/files", sent{"Upload-Defer-Length": "1"}, "", 201, sent{"Location": "/files/u5"}},
		{"HEAD says that the length comes later", "HEAD", "/files/deferred", nil, "", 200, sent{"Upload-Defer-Length": "1", "Upload-Length": "-"}},
		{"the length comes with a PATCH", "PATCH", "/files/deferred", patch("0", sent{"Upload-Length": "8"}), "abc", 204, sent{"Upload-Offset": "3"}},
		{"a length does not change", "PATCH", "/files/half", patch("4", sent{"Upload-Length": "9"}), "x", 400, nil},
		{"a length that comes later has a maximum too", "PATCH", "/files/deferred", patch("0", sent{"Upload-Length": "1001"}), "x", 413, nil},
		{"a length over the maximum is 413", "POST", "/files", sent{"Upload-Length": "1001"}, "", 413, nil},
		{"HEAD returns the metadata", "HEAD", "/files/half", nil, "", 200, sent{"Upload-Metadata": "filename Y2F0,secret"}},
		{"metadata values are base64", "POST", "/files", sent{"Upload-Length": "1", "Upload-Metadata": "filename cät"}, "", 400, nil},
		{"metadata names are not empty", "POST", "/files", sent{"Upload-Length": "1", "Upload-Metadata": "a Yg==,"}, "", 400, nil},
		{"metadata names are unique", "POST", "/files", sent{"Upload-Length": "1", "Upload-Metadata": "a Yg==,a Yg=="}, "", 400, nil},
		{"metadata values may be left out", "POST", "/files", sent{"Upload-Length": "1", "Upload-Metadata": "a,b Yg==,c "}, "", 201, nil},

		{"creation with upload says how much was taken", "POST", "/files", sent{"Upload-Length": "9", "Content-Type": octets}, "hello", 201, sent{"Location": "/files/u5", "Upload-Offset": "5"}},
		{"creation with upload has its type", "POST", "/files", sent{"Upload-Length": "9", "Content-Type": "text/plain"}, "hello", 415, sent{"Location": "-"}},
		{"creation with upload sends no more than it says", "POST", "/files", sent{"Upload-Length": "4", "Content-Type": octets}, "hello", 413, sent{"Location": "-"}},

		{"creation says when the upload expires", "POST", "/files", sent{"Upload-Length": "9"}, "", 201, sent{"Upload-Expires": expires}},
		{"PATCH says when the upload expires, in the format of HTTP dates", "PATCH", "/files/half", patch("4", nil), "4", 204, sent{"Upload-Expires": expires}},
		{"what does not expire does not say so", "HEAD", "/files/complete", nil, "", 200, sent{"Upload-Expires": "-"}},
		{"what has expired is gone", "PATCH", "/files/gone", patch("0", nil), "x", 410, nil},

		{"termination is 204", "DELETE", "/files/complete", nil, "", 204, nil},
		{"termination of none is 404", "DELETE", "/files/none", nil, "", 404, nil},
		{"what was terminated is gone", "HEAD", "/files/gone", nil, "", 410, sent{"Upload-Offset": "-"}},

		{"another method is 405", "GET", "/files", nil, "", 405, sent{"Allow": "OPTIONS, POST"}},
	} {
		t.Run(tt.must, func(t *testing.T) {
			t.Parallel()
			m, h := serve()
			w := ask(h, tt.method, tt.path, tt.header, tt.body)
			if w.Code != tt.status {
				t.Fatalf("answers %d %s, want %d", w.Code, w.Body, tt.status)
			}
			if got := w.Header().Get("Tus-Resumable"); got != "1.0.0" {
				t.Errorf("Tus-Resumable is %q", got)
			}
			for name, want := range tt.want {
				if want == "-" {
					want = ""
				}
				if got := w.Header().Get(name); got != want {
					t.Errorf("%s is %q, want %q", name, got, want)
				}
			}
			if w.Code >= 400 && (m.content["half"] != "0123" || m.gone["half"] || len(m.uploads) != 4) {
				t.Error("a refused request changed something")
			}
		})
	}
}

func TestUploadInParts(t *testing.T) {
	t.Parallel()
	m, h := serve()
	w := ask(h, "POST", "/files", sent{"Upload-Defer-Length": "1", "Upload-Metadata": "filename Y2F0LnBuZw=="}, "")
	at := w.Header().Get("Location")
	for i, chunk := range []string{"one", "two", "three"} {
		header := sent{"Content-Type": tus.ContentType, "Upload-Offset": strconv.Itoa(3 * i)}
		if i == 2 {
			header["Upload-Length"] = "11"
		}
		if w := ask(h, "PATCH", at, header, chunk); w.Code != http.StatusNoContent {
			t.Fatalf("part %d answers %d %s", i, w.Code, w.Body)
		}
	}
	w = ask(h, "HEAD", at, nil, "")
	if w.Header().Get("Upload-Length") != "11" || w.Header().Get("Upload-Defer-Length") != "" || m.content["u5"] != "onetwothree" {
		t.Errorf("at the end there is %q, %v", m.content["u5"], w.Header())
	}
	if w := ask(h, "DELETE", at, nil, ""); w.Code != http.StatusNoContent {
		t.Errorf("terminating answers %d", w.Code)
	}
	if w := ask(h, "PATCH", at, sent{"Content-Type": tus.ContentType, "Upload-Offset": "11"}, "x"); w.Code != http.StatusGone {
		t.Errorf("a part after the end answers %d", w.Code)
	}
}

func TestOnlyTheOwnerIsAnswered(t *testing.T) {
	t.Parallel()
	h := &tus.Handler{Open: func(*http.Request) (tus.Uploads, error) { return nil, errGone }}
	w := ask(tus.WithVersion(table.Handle(slog.New(slog.DiscardHandler), h.Collection)), "POST", "/files", sent{"Upload-Length": "1"}, "")
	if w.Code != http.StatusGone || w.Header().Get("Tus-Resumable") != tus.Version {
		t.Errorf("answers %d, %v", w.Code, w.Header())
	}
}

func TestAFailedFirstPartLeavesNoUpload(t *testing.T) {
	t.Parallel()
	m, h := serve()
	r := httptest.NewRequest("POST", "/files", io.MultiReader(strings.NewReader("abc"), broken{}))
	r.ContentLength = 9
	for name, value := range map[string]string{"Tus-Resumable": "1.0.0", "Upload-Length": "9", "Content-Type": tus.ContentType} {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != http.StatusInternalServerError || !m.gone["u5"] {
		t.Errorf("answers %d; gone %t", w.Code, m.gone["u5"])
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New("broken") }
