package pages_test

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"verbatim/internal/api/httpx"
	"verbatim/internal/api/participant/participanttest"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/service/fieldwork"
)

// unreadBody fails the test when it is read.
type unreadBody struct{ t testing.TB }

func (b unreadBody) Read([]byte) (int, error) {
	b.t.Error("the body was read")
	return 0, io.EOF
}

// send sends a body as a program or, if formType is set, as a browser.
func send(h http.Handler, method, path, formType string, body io.Reader) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, body)
	if formType != "" {
		r.Header.Set("Accept", "text/html")
		r.Header.Set("Content-Type", formType)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

const (
	urlForm  = "application/x-www-form-urlencoded"
	fileForm = "multipart/form-data; boundary=x"
)

// TestNothingIsReadForStrangers checks that requests without a live link or a valid token are answered before their body is read.
func TestNothingIsReadForStrangers(t *testing.T) {
	t.Parallel()
	h := open(t, wallet.Credit)
	h.Launch(participanttest.FullGuide(), h.Wallet)
	token, _ := h.Begin(h.Launch(participanttest.FullGuide(), h.Wallet).LinkID, "")
	forged := "a" + token[1:]
	if forged == token {
		forged = "b" + token[1:]
	}
	for _, path := range []string{
		"/s/nosuchstudy/interviews", "/i/nosuchtoken/answers", "/i/" + forged + "/answers", "/i/" + forged + "/withdraw",
		"/i/" + forged + "/uploads/0198fa00-11d2-7c44-9a5b-2e8f6d0c7b31/transcript",
	} {
		for _, formType := range []string{"", urlForm, fileForm} {
			if w := send(h.Handler, "POST", path, formType, unreadBody{t}); w.Code != http.StatusNotFound {
				t.Errorf("POST %s with a body of type %q answers %d", path, formType, w.Code)
			}
		}
	}
}

func TestBodiesAreBounded(t *testing.T) {
	t.Parallel()
	h := open(t, 10*wallet.Credit)
	live := h.Launch(participanttest.FullGuide(), h.Wallet)
	token, _ := h.Begin(live.LinkID, "")
	values := "[" + strings.Repeat("0,", httpx.MaxSmallValues) + "0]"
	for _, path := range []string{"/s/" + live.LinkID + "/interviews", "/i/" + token + "/answers"} {
		for _, test := range []struct{ what, formType, body, limit string }{
			{"long JSON", "", `{"language": "` + strings.Repeat("a", httpx.MaxSmallBody) + `"}`, "262144 bytes"},
			{"JSON of many values", "", values, "10000 values"},
			{"a long form", urlForm, "language=" + strings.Repeat("a", httpx.MaxSmallBody), "262144 bytes"},
			{"a form of many fields", urlForm, strings.Repeat("a&", httpx.MaxSmallValues), "10000 fields"},
		} {
			// Also without a Content-Length.
			for _, body := range []io.Reader{strings.NewReader(test.body), io.MultiReader(strings.NewReader(test.body))} {
				w := send(h.Handler, "POST", path, test.formType, body)
				if w.Code != http.StatusRequestEntityTooLarge {
					t.Errorf("%s at %s answers %d", test.what, path, w.Code)
				}
				if test.formType == "" && !strings.Contains(w.Body.String(), test.limit) {
					t.Errorf("%s at %s is refused without its limit, %s: %s", test.what, path, test.limit, w.Body)
				}
			}
		}
	}
}

// TestTheLongestAnswerFits checks an answer of the maximum length with the largest encoding of its characters.
func TestTheLongestAnswerFits(t *testing.T) {
	t.Parallel()
	h := open(t, 10*wallet.Credit)
	live := h.Launch(participanttest.FollowUpGuide(), h.Wallet)
	const wide = "𝒜" // four bytes of UTF-8, twelve escaped
	answer := strings.Repeat(wide, interview.MaxText)
	token, step := h.Begin(live.LinkID, "")
	escaped := fmt.Sprintf(`{"stepId": %q, "text": "%s"}`, step["stepId"], strings.Repeat(`\ud835\udc9c`, interview.MaxText))
	if w := send(h.Handler, "POST", "/i/"+token+"/answers", "", strings.NewReader(escaped)); w.Code != http.StatusOK {
		t.Errorf("as JSON: %d %.200s", w.Code, w.Body)
	}
	token, step = h.Begin(live.LinkID, "")
	form := url.Values{"stepId": {step["stepId"].(string)}, "text": {answer}}.Encode()
	if w := send(h.Handler, "POST", "/i/"+token+"/answers", urlForm, strings.NewReader(form)); w.Code != http.StatusSeeOther {
		t.Errorf("as a form: %d %.200s", w.Code, w.Body)
	}
}

// TestFormsAreCleaned checks that U+0000 and invalid UTF-8 in a form are replaced before they are stored.
func TestFormsAreCleaned(t *testing.T) {
	t.Parallel()
	h := open(t, 10*wallet.Credit)
	token, step := h.Begin(h.Launch(participanttest.FollowUpGuide(), h.Wallet).LinkID, "")
	form := "stepId=" + step["stepId"].(string) + "&text=a%00b%ffc%ED%A0%80&%00=%ff"
	if w := send(h.Handler, "POST", "/i/"+token+"/answers", urlForm, strings.NewReader(form)); w.Code != http.StatusSeeOther {
		t.Fatalf("answers %d %s", w.Code, w.Body)
	}
	r, err := (&fieldwork.Service{Store: h.Store}).ResponseByToken(t.Context(), token)
	if err != nil {
		t.Fatal(err)
	}
	turns, err := h.Store.View().Turns(t.Context(), r.ID)
	if err != nil || len(turns) == 0 || turns[0].Answer.Text != "a\uFFFDb\uFFFDc\uFFFD" {
		t.Errorf("stored %+v, %v", turns, err)
	}
}

// TestFormsOfFilesAreBounded checks the limits of a form with files on its other fields and on headers.
func TestFormsOfFilesAreBounded(t *testing.T) {
	t.Parallel()
	h := open(t, 10*wallet.Credit)
	token, step := h.Begin(h.Launch(participanttest.FileGuide(), h.Wallet).LinkID, "")
	var many, long bytes.Buffer
	for body, each := range map[*bytes.Buffer]func(*multipart.Writer) error{
		&many: func(form *multipart.Writer) (err error) {
			for i := 0; i < 1000 && err == nil; i++ {
				err = form.WriteField("more", "")
			}
			return err
		},
		&long: func(form *multipart.Writer) error {
			_, err := form.CreatePart(map[string][]string{"Content-Disposition": {`form-data; name="more"`}, "X-Long": {strings.Repeat("a", 1<<20)}})
			return err
		},
	} {
		form := multipart.NewWriter(body)
		if err := form.WriteField("stepId", step["stepId"].(string)); err != nil {
			t.Fatal(err)
		}
		if err := each(form); err != nil {
			t.Fatal(err)
		}
		if err := form.Close(); err != nil {
			t.Fatal(err)
		}
		if w := send(h.Handler, "POST", "/i/"+token+"/answers", form.FormDataContentType(), body); w.Code != http.StatusBadRequest {
			t.Errorf("a form of %d bytes answers %d", body.Len(), w.Code)
		}
	}
}

// TestRefusalsAreMadeOnce checks that concurrent 405 responses, which share an error, keep the same Allow header.
func TestRefusalsAreMadeOnce(t *testing.T) {
	t.Parallel()
	h := open(t, wallet.Credit)
	for path, want := range map[string]string{
		"/s/x": "GET, HEAD", "/s/x/interviews": "POST", "/i/x": "GET, HEAD", "/i/x/answers": "POST", "/i/x/events": "GET, HEAD", "/i/x/withdraw": "POST",
	} {
		var askers sync.WaitGroup
		for range 8 {
			askers.Go(func() {
				for range 5 {
					w := send(h.Handler, "BREW", path, "", nil)
					if allow := w.Header().Values("Allow"); w.Code != http.StatusMethodNotAllowed || len(allow) != 1 || allow[0] != want {
						t.Errorf("BREW %s answers %d and allows %q, want %q", path, w.Code, allow, want)
					}
				}
			})
		}
		askers.Wait()
	}
}
