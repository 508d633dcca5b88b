package participant_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"verbatim/internal/api/participant"
	"verbatim/internal/api/participant/participanttest"
	"verbatim/internal/domain/document"
	"verbatim/internal/domain/recording"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/blob/blobtest"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/uploads"
)

// appended is an Uploads that reports each chunk that it stored.
type appended struct {
	*uploads.Service
	at chan int64 // offset after the chunk
}

func (a appended) Append(ctx context.Context, responseID, id string, p uploads.Chunk) (recording.Upload, error) {
	u, err := a.Service.Append(ctx, responseID, id, p)
	select {
	case a.at <- u.Received:
	default:
	}
	return u, err
}

// newUploadAPI returns a testAPI with participanttest.Limits, whose responses are checked against the contract.
func newUploadAPI(t *testing.T, set ...func(*uploads.Service)) (h *testAPI, at chan int64) {
	t.Helper()
	s := storetest.New(t)
	at = make(chan int64, 1)
	stored := &uploads.Service{Store: s, Objects: blobtest.Folder(t), Limits: participanttest.Limits}
	for _, change := range set {
		change(stored)
	}
	api := newAPI(t, s, func(a *participant.API) { a.Uploads = appended{stored, at} })
	return &testAPI{participanttest.New(t, s, 100*wallet.Credit, api.Register, participanttest.Contract(t))}, at
}

// tus sends a request of the tus protocol.
func (h *testAPI) tus(method, path string, header map[string]string, body string) (int, http.Header, object) {
	h.T.Helper()
	r, err := http.NewRequestWithContext(h.T.Context(), method, h.URL+path, strings.NewReader(body))
	if err != nil {
		h.T.Fatal(err)
	}
	r.Header.Set("Tus-Resumable", "1.0.0")
	for name, value := range header {
		r.Header.Set(name, value)
	}
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		h.T.Fatal(err)
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		h.T.Fatal(err)
	}
	var answer object
	if len(text) > 0 && json.Unmarshal(text, &answer) != nil {
		h.T.Fatalf("%s %s answers no JSON: %s", method, path, text)
	}
	if got := reply.Header.Get("Tus-Resumable"); got != "1.0.0" {
		h.T.Errorf("%s %s: Tus-Resumable is %q", method, path, got)
	}
	return reply.StatusCode, reply.Header, answer
}

// create creates an upload and returns its address.
func (h *testAPI) create(token, length, metadata string) string {
	h.T.Helper()
	header := map[string]string{"Upload-Metadata": metadata, "Upload-Length": length}
	if length == "" {
		header = map[string]string{"Upload-Metadata": metadata, "Upload-Defer-Length": "1"}
	}
	status, answer, body := h.tus("POST", "/i/"+token+"/uploads", header, "")
	if status != http.StatusCreated || answer.Get("Upload-Expires") == "" {
		h.T.Fatalf("creating answers %d %v %v", status, body, answer)
	}
	return answer.Get("Location")
}

func octets(offset int) map[string]string {
	return map[string]string{"Content-Type": "application/offset+octet-stream", "Upload-Offset": strconv.Itoa(offset)}
}

// patch sends a chunk, which must be accepted.
func (h *testAPI) patch(at string, offset int, body string) {
	h.T.Helper()
	status, header, answer := h.tus("PATCH", at, octets(offset), body)
	if status != http.StatusNoContent || header.Get("Upload-Offset") != strconv.Itoa(offset+len(body)) {
		h.T.Fatalf("a chunk at %d answers %d %v, at %s", offset, status, answer, header.Get("Upload-Offset"))
	}
}

func idOf(at string) string { return at[strings.LastIndexByte(at, '/')+1:] }

const (
	png  = "\x89PNG\r\n\x1a\n"
	webm = "\x1a\x45\xdf\xa3\x9f\x42\x82\x84webm"
)

func TestUploadsOfAnInterview(t *testing.T) {
	t.Parallel()
	h, _ := newUploadAPI(t)
	live := h.Launch(participanttest.FileGuide(), h.Wallet)
	token, step := h.Begin(live.LinkID, "")
	answers, stepID := "/i/"+token+"/answers", step["stepId"].(string)

	cat := h.create(token, "1000", participanttest.Metadata("kind", "file", "stepId", stepID, "filename", "cat.png", "filetype", "text/html"))
	h.patch(cat, 0, png+strings.Repeat("c", 592))
	status, header, _ := h.tus("HEAD", cat, nil, "")
	if status != http.StatusOK || header.Get("Upload-Offset") != "600" || header.Get("Upload-Length") != "1000" || !strings.Contains(header.Get("Upload-Metadata"), "kind ZmlsZQ==") {
		t.Errorf("HEAD answers %d %v", status, header)
	}
	h.patch(cat, 600, strings.Repeat("c", 400))
	dog := h.create(token, "", participanttest.Metadata("kind", "file", "stepId", stepID, "filename", "../../dog.png"))
	h.patch(dog, 0, png)
	length := octets(8)
	maps.Copy(length, map[string]string{"Upload-Length": "8"})
	if status, header, _ := h.tus("PATCH", dog, length, ""); status != http.StatusNoContent || header.Get("Upload-Expires") != "" {
		t.Errorf("the length alone answers %d %v", status, header)
	}
	status, body, _ := h.Call("POST", answers, object{"stepId": stepID, "uploads": []string{idOf(dog), idOf(cat)}})
	if status != http.StatusOK {
		t.Fatalf("the answer with files answers %d %v", status, body)
	}
	stepID = body["step"].(object)["stepId"].(string)

	voice := h.create(token, "", participanttest.Metadata("kind", "audio", "stepId", stepID))
	h.patch(voice, 0, webm+strings.Repeat("s", 600))
	if status, body, _ := h.Call("POST", answers, object{"stepId": stepID, "recordings": object{"audio": idOf(voice)}}); status != http.StatusOK {
		t.Fatalf("the answer by voice answers %d %v", status, body)
	}
	h.patch(voice, 612, "the rest of it comes after the end")

	stored, err := h.Store.View().ItemByReadableID(t.Context(), live.ID, 1)
	if err != nil {
		t.Fatal(err)
	}
	item, err := document.DecodeItem(stored.List)
	if err != nil || item.AnswersArray[0].Answer != "dog.png; cat.png" {
		t.Errorf("the answer reads %v, %v", item.AnswersArray, err)
	}
	if status, _, _ := h.Call("POST", "/i/"+token+"/withdraw", nil); status != http.StatusNoContent {
		t.Fatalf("withdrawing answers %d", status)
	}
	if status, _, _ := h.tus("HEAD", voice, nil, ""); status != http.StatusGone {
		t.Errorf("an upload of a withdrawn interview answers %d", status)
	}
}

func TestUploadErrors(t *testing.T) {
	t.Parallel()
	h, _ := newUploadAPI(t)
	live := h.Launch(participanttest.FileGuide(), h.Wallet)
	token, _ := h.Begin(live.LinkID, "")
	file := participanttest.Metadata("kind", "file", "stepId", "s0", "filename", "cat.png")
	open := h.create(token, "1000", file)
	named := h.create(token, "8", file)
	h.patch(named, 0, png)
	ended, _ := h.Begin(live.LinkID, "")
	theirs := h.create(ended, "8", file)
	h.patch(theirs, 0, png)
	for _, a := range []object{{"stepId": "s0", "uploads": []string{idOf(theirs)}}, {"stepId": "s1", "text": "Because."}} {
		if status, body, _ := h.Call("POST", "/i/"+ended+"/answers", a); status != http.StatusOK {
			t.Fatalf("answering answers %d %v", status, body)
		}
	}
	if status, body, _ := h.Call("POST", "/i/"+token+"/answers", object{"stepId": "s0", "uploads": []string{idOf(named)}}); status != http.StatusOK {
		t.Fatalf("answering answers %d %v", status, body)
	}
	gone := h.create(token, "10", file)
	if status, _, _ := h.tus("DELETE", gone, nil, ""); status != http.StatusNoContent {
		t.Fatalf("terminating answers %d", status)
	}
	withdrawn, _ := h.Begin(live.LinkID, "")
	if status, _, _ := h.Call("POST", "/i/"+withdrawn+"/withdraw", nil); status != http.StatusNoContent {
		t.Fatalf("withdrawing answers %d", status)
	}
	full, _ := h.Begin(live.LinkID, "")
	for range participanttest.Limits.Uploads {
		h.create(full, "1", file)
	}
	uploads, nobody := "/i/"+token+"/uploads", "/i/"+strings.Repeat("a", 42)+"/uploads"
	begin := func(pairs ...string) map[string]string {
		header := map[string]string{"Upload-Length": "10", "Upload-Metadata": file}
		for pair := range slices.Chunk(pairs, 2) {
			header[pair[0]] = pair[1]
		}
		return header
	}
	for i, c := range []struct {
		method, path string
		header       map[string]string
		body         string
		status       int
		code         string
	}{
		{"POST", uploads, begin("Tus-Resumable", "0.2.2"), "", 412, "unsupported_version"},
		{"POST", uploads, begin("Upload-Metadata", participanttest.Metadata("stepId", "s0")), "", 400, "bad_request"},
		{"POST", uploads, begin("Upload-Metadata", participanttest.Metadata("kind", "film", "stepId", "s0")), "", 400, "bad_request"},
		{"POST", uploads, begin("Upload-Metadata", participanttest.Metadata("kind", "file")), "", 400, "bad_request"},
		{"POST", uploads, begin("Upload-Metadata", participanttest.Metadata("kind", "file", "stepId", "a\x00b")), "", 400, "bad_request"},
		{"POST", uploads, begin("Upload-Length", "1048577"), "", 413, "payload_too_large"},
		{"POST", uploads, begin("Upload-Metadata", participanttest.Metadata("kind", "video", "stepId", "s0")), "", 409, "upload_not_expected"},
		{"POST", uploads, begin("Upload-Metadata", participanttest.Metadata("kind", "screenVideo", "stepId", "s1")), "", 409, "upload_not_expected"},
		{"POST", uploads, begin("Upload-Metadata", participanttest.Metadata("kind", "file", "stepId", "s1")), "", 409, "upload_not_expected"},
		{"POST", uploads, begin("Upload-Metadata", participanttest.Metadata("kind", "file", "stepId", "s2")), "", 409, "upload_not_expected"},
		{"POST", uploads, begin("Upload-Length", "0"), "", 415, "unsupported_media_type"},
		{"POST", uploads, begin("Content-Type", "application/offset+octet-stream"), "#!/bin/sh\n", 415, "unsupported_media_type"},
		{"POST", uploads, begin("Origin", "https://evil.example.net"), "", 403, "forbidden"},
		{"POST", "/i/" + full + "/uploads", begin(), "", 403, "upload_quota_exceeded"},
		{"POST", "/i/" + ended + "/uploads", begin(), "", 409, "interview_ended"},
		{"POST", "/i/" + withdrawn + "/uploads", begin(), "", 410, "interview_gone"},
		{"POST", nobody, begin(), "", 404, "interview_not_found"},
		{"PATCH", open, octets(1), "x", 409, "offset_conflict"},
		{"PATCH", open, octets(0), strings.Repeat("x", 1001), 413, "payload_too_large"},
		{"PATCH", open, map[string]string{"Upload-Offset": "0"}, "x", 415, "unsupported_media_type"},
		{"PATCH", gone, octets(0), "x", 410, "upload_gone"},
		{"PATCH", uploads + "/" + store.NewID(), octets(0), "x", 404, "upload_not_found"},
		{"PATCH", uploads + "/none", octets(0), "x", 404, "upload_not_found"},
		{"DELETE", uploads + "/%00", nil, "", 404, "upload_not_found"},
		{"DELETE", uploads + "/" + idOf(theirs), nil, "", 404, "upload_not_found"},
		{"DELETE", named, nil, "", 409, "upload_in_use"},
		{"GET", uploads, nil, "", 405, "method_not_allowed"},
		{"POST", open, nil, "", 405, "method_not_allowed"},
		{"POST", open, map[string]string{"X-HTTP-Method-Override": "DELETE"}, "", 204, ""},
		{"HEAD", open, nil, "", 410, ""},
		{"OPTIONS", open, nil, "", 204, ""},
		{"OPTIONS", uploads, nil, "", 204, ""},
	} {
		t.Run(fmt.Sprint(i, " ", c.method, " ", c.code), func(t *testing.T) {
			status, _, body := h.tus(c.method, c.path, c.header, c.body)
			if code, _ := body["code"].(string); status != c.status || code != c.code {
				t.Errorf("answers %d %v, want %d %s", status, body, c.status, c.code)
			}
		})
	}
}

// dialUpload creates an upload, and returns its path, the 3,000 bytes to send there, and a connection to the server.
func (h *testAPI) dialUpload() (at, all string, conn net.Conn) {
	h.T.Helper()
	token, _ := h.Begin(h.Launch(participanttest.FileGuide(), h.Wallet).LinkID, "")
	conn, err := (&net.Dialer{}).DialContext(h.T.Context(), "tcp", strings.TrimPrefix(h.URL, "http://"))
	if err != nil {
		h.T.Fatal(err)
	}
	h.T.Cleanup(func() { _ = conn.Close() })
	return h.create(token, "3000", participanttest.Metadata("kind", "file", "stepId", "s0")), webm + strings.Repeat("f", 3000-len(webm)), conn
}

// TestUploadsSurviveABrokenConnection breaks the connection in the middle of a chunk and continues at the server's offset.
func TestUploadsSurviveABrokenConnection(t *testing.T) {
	t.Parallel()
	h, appended := newUploadAPI(t)
	at, all, conn := h.dialUpload()
	_, err := fmt.Fprintf(conn, "PATCH %s HTTP/1.1\r\nHost: x\r\nTus-Resumable: 1.0.0\r\nContent-Type: application/offset+octet-stream\r\n"+
		"Upload-Offset: 0\r\nContent-Length: 3000\r\n\r\n%s", at, all[:1700])
	if err != nil {
		t.Fatal(err)
	}
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
	if offset := <-appended; offset != 1700 {
		t.Fatalf("the offset is %d, want the bytes that had arrived", offset)
	}
	_, header, _ := h.tus("HEAD", at, nil, "")
	if header.Get("Upload-Offset") != "1700" {
		t.Fatalf("HEAD says %s", header.Get("Upload-Offset"))
	}
	h.patch(at, 1700, all[1700:])
}

// TestALaterRequestTakesOver leaves a connection open that sends nothing more, and sends the upload over another.
func TestALaterRequestTakesOver(t *testing.T) {
	t.Parallel()
	h, appended := newUploadAPI(t)
	at, all, conn := h.dialUpload()
	// With Expect the server confirms that it reads the body, so that the second request is sent after the first has begun.
	_, err := fmt.Fprintf(conn, "PATCH %s HTTP/1.1\r\nHost: x\r\nTus-Resumable: 1.0.0\r\nContent-Type: application/offset+octet-stream\r\n"+
		"Upload-Offset: 0\r\nContent-Length: 3000\r\nExpect: 100-continue\r\n\r\n", at)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(conn, make([]byte, len("HTTP/1.1 100 Continue\r\n\r\n"))); err != nil {
		t.Fatal(err)
	}
	h.patch(at, 0, all)
	if offset := <-appended; offset != 0 {
		t.Errorf("the first request ends at %d", offset)
	}
	if _, header, _ := h.tus("HEAD", at, nil, ""); header.Get("Upload-Offset") != "3000" {
		t.Errorf("HEAD says %s", header.Get("Upload-Offset"))
	}
}

// TestUploadsFindNoRoom checks that each refusal has a Retry-After.
func TestUploadsFindNoRoom(t *testing.T) {
	t.Parallel()
	h, _ := newUploadAPI(t, func(c *uploads.Service) {
		c.Limits.Study, c.Limits.Open = 1000, 2
	})
	token, _ := h.Begin(h.Launch(participanttest.FileGuide(), h.Wallet).LinkID, "")
	begin := func(length string) (int, http.Header, object) {
		return h.tus("POST", "/i/"+token+"/uploads", map[string]string{"Upload-Length": length, "Upload-Metadata": participanttest.Metadata("kind", "file", "stepId", "s0")}, "")
	}
	if status, header, body := begin("1001"); status != http.StatusInsufficientStorage || body["code"] != "insufficient_storage" || header.Get("Retry-After") == "" {
		t.Errorf("more than the study may have answers %d %v %v", status, body, header)
	}
	at := h.create(token, "400", participanttest.Metadata("kind", "file", "stepId", "s0"))
	h.create(token, "400", participanttest.Metadata("kind", "file", "stepId", "s0"))
	if status, header, body := begin("1"); status != http.StatusTooManyRequests || body["code"] != "too_many_open_uploads" || header.Get("Retry-After") == "" {
		t.Errorf("a third that is open answers %d %v %v", status, body, header)
	}
	storetest.Write(t, h.Store, func(tx *store.Tx) error { return tx.LeaseUpload(t.Context(), idOf(at), "another node", time.Minute) })
	if status, header, body := h.tus("PATCH", at, octets(0), png); status != http.StatusLocked || body["code"] != "upload_locked" || header.Get("Retry-After") == "" {
		t.Errorf("an upload that another node adds to answers %d %v %v", status, body, header)
	}
}
