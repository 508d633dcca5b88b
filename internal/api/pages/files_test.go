package pages_test

import (
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"verbatim/internal/api/pages"
	"verbatim/internal/api/participant/participanttest"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/blob/blobtest"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/uploads"
)

// formFile is a file in a form.
type formFile struct{ name, content string }

// sendFiles sends the form of a step that asks for files.
func (b *browser) sendFiles(stepID string, files ...formFile) {
	b.t.Helper()
	action, _ := b.form("/answers")
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	if err := form.WriteField("stepId", stepID); err != nil {
		b.t.Fatal(err)
	}
	if len(files) == 0 {
		files = []formFile{{}} // what browsers send if no file is chosen
	}
	for _, f := range files {
		part, err := form.CreateFormFile("file", f.name)
		if err == nil {
			_, err = io.WriteString(part, f.content)
		}
		if err != nil {
			b.t.Fatal(err)
		}
	}
	if err := form.Close(); err != nil {
		b.t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, b.base+action, &body)
	if err != nil {
		b.t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Accept": "text/html", "Content-Type": form.FormDataContentType(), "Origin": b.base, "Sec-Fetch-Site": "same-origin",
	} {
		request.Header.Set(name, value)
	}
	reply, err := b.client.Do(request)
	if err != nil {
		b.t.Fatal(err)
	}
	defer reply.Body.Close()
	page, err := io.ReadAll(reply.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	b.at, b.status, b.header, b.page = reply.Request.URL.Path, reply.StatusCode, reply.Header, string(page)
}

// newFileAPI returns a testAPI with the limits of participanttest, whose responses are checked against the contract.
func newFileAPI(t *testing.T) *testAPI {
	t.Helper()
	s := storetest.New(t)
	api := newAPI(t, s, func(a *pages.API) {
		a.Protocol.Uploads = &uploads.Service{Store: s, Objects: blobtest.Folder(t), Limits: participanttest.Limits}
	})
	return &testAPI{participanttest.New(t, s, 100*wallet.Credit, api.Register, participanttest.Contract(t))}
}

func TestFilesByForm(t *testing.T) {
	t.Parallel()
	h := newFileAPI(t)
	const png = "\x89PNG\r\n\x1a\n"
	live := h.Launch(participanttest.FileGuide(), h.Wallet)
	b := h.browser()
	b.visit("/s/" + live.LinkID)
	b.submit("/interviews", nil)
	b.shows("Your photos?", `enctype="multipart/form-data"`, `<input type="file" name="file" multiple`, "1 MB", ">Next<")
	cat := formFile{"cat.png", png + strings.Repeat("c", 600)}
	for name, c := range map[string]struct {
		files []formFile
		words string
	}{
		"none":          {nil, "Please add a file."},
		"a page":        {[]formFile{cat, {"page.html", "<html>"}}, "This type of file isn’t accepted here."},
		"an empty file": {[]formFile{{"empty.txt", ""}}, "This type of file isn’t accepted here."},
		"a large file":  {[]formFile{cat, {"large.png", png + strings.Repeat("c", 1<<20)}}, "Files can be up to 1 MB."},
		"too many":      {[]formFile{cat, cat, cat, cat, cat, cat, cat}, "You can’t add any more files to this interview."},
	} {
		b.sendFiles("s0", c.files...)
		if b.status != http.StatusBadRequest {
			t.Fatalf("%s: answers %d\n%s", name, b.status, b.page)
		}
		b.shows("Please check your answer", c.words, "Your photos?")
	}
	r := participanttest.ResponseOf(t, h.Store, live.ID, 1)
	if left, err := h.Store.View().Uploads(t.Context(), r); err != nil || len(left) > 0 {
		t.Fatalf("refused forms leave %v, %v", left, err)
	}
	b.sendFiles("s9", cat)
	b.shows("Your photos?") // the form of another step redirects to the current step
	b.sendFiles("s0", cat, formFile{"Größe 2.txt", "hello"})
	if b.status != http.StatusOK {
		t.Fatalf("answers %d:\n%s", b.status, b.page)
	}
	b.shows("Why these?")
	turns, err := h.Store.View().Turns(t.Context(), r)
	if err != nil || strings.Join(turns[0].Answer.FileNames, "; ") != "cat.png; Größe 2.txt" {
		t.Errorf("stored %+v, %v", turns, err)
	}
	sent, err := h.Store.View().Uploads(t.Context(), r)
	if err != nil || len(sent) != 2 || sent[0].MediaType != "image/png" || sent[1].MediaType != "text/plain" || !sent[0].Used {
		t.Errorf("uploads are %+v, %v", sent, err)
	}
}
