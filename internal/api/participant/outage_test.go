package participant_test

import (
	"context"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"verbatim/internal/api/participant"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/outage"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/service/fieldwork"
)

// failingStore is a Fieldwork that fails while it has an error: with before, before the work; with after, after the commit, so that the
// client does not learn of it.
type failingStore struct {
	participant.Fieldwork
	before, after atomic.Pointer[error]
}

func (o *failingStore) failing(when *atomic.Pointer[error]) error {
	if err := when.Load(); err != nil {
		return fmt.Errorf("reading: %w", *err)
	}
	return nil
}

func (o *failingStore) Study(ctx context.Context, linkID string) (fieldwork.Landing, error) {
	if err := o.failing(&o.before); err != nil {
		return fieldwork.Landing{}, err
	}
	return o.Fieldwork.Study(ctx, linkID)
}

func (o *failingStore) Begin(ctx context.Context, b fieldwork.StartRequest) (string, fieldwork.View, error) {
	token, view, err := o.Fieldwork.Begin(ctx, b)
	if e := o.failing(&o.after); e != nil {
		return "", fieldwork.View{}, e
	}
	return token, view, err
}

func (o *failingStore) Prepare(ctx context.Context, token string) error {
	if err := o.failing(&o.before); err != nil {
		return err
	}
	return o.Fieldwork.Prepare(ctx, token)
}

func (o *failingStore) ResponseByToken(ctx context.Context, token string) (response.Response, error) {
	if err := o.failing(&o.before); err != nil {
		return response.Response{}, err
	}
	return o.Fieldwork.ResponseByToken(ctx, token)
}

func (o *failingStore) Current(ctx context.Context, token string) (fieldwork.View, error) {
	if err := o.failing(&o.before); err != nil {
		return fieldwork.View{}, err
	}
	return o.Fieldwork.Current(ctx, token)
}

func (o *failingStore) Answer(ctx context.Context, token, stepID string, a interview.Answer) (fieldwork.View, error) {
	view, err := o.Fieldwork.Answer(ctx, token, stepID, a)
	if e := o.failing(&o.after); e != nil {
		return fieldwork.View{}, e
	}
	return view, err
}

func (o *failingStore) Withdraw(ctx context.Context, token string) error {
	if err := o.failing(&o.before); err != nil {
		return err
	}
	return o.Fieldwork.Withdraw(ctx, token)
}

// openInOutage is open with a failingStore that the test controls.
func openInOutage(t *testing.T) (*testAPI, *failingStore) {
	t.Helper()
	o := &failingStore{}
	return open(t, 100*wallet.Credit, func(a *participant.API) {
		o.Fieldwork = a.Fieldwork
		a.Fieldwork = o
	}), o
}

// TestOutagesForPrograms checks that programs receive a specific code and Retry-After, and never internal_error.
func TestOutagesForPrograms(t *testing.T) {
	t.Parallel()
	h, o := openInOutage(t)
	live := h.launch(oneItemGuide(), h.wallet)
	token, step := h.begin(live.LinkID, "")
	answer := object{"stepId": step["stepId"], "text": "Because."}
	for err, want := range map[error]struct {
		status int
		code   string
	}{
		outage.ErrUnreachable: {503, "service_unavailable"}, outage.ErrBusy: {503, "busy"}, outage.ErrDiskFull: {507, "insufficient_storage"},
	} {
		for _, when := range []*atomic.Pointer[error]{&o.before, &o.after} {
			when.Store(&err)
			for _, request := range [][2]string{
				{"GET", "/s/" + live.LinkID},
				{"GET", "/i/" + token},
				{"POST", "/i/" + token + "/answers"},
				{"POST", "/s/" + live.LinkID + "/interviews"},
				{"POST", "/i/" + token + "/withdraw"},
			} {
				if when == &o.after && (request[0] == "GET" || strings.HasSuffix(request[1], "/withdraw")) {
					continue // they have no error after the commit
				}
				var body any
				if strings.HasSuffix(request[1], "/answers") {
					body = answer
				}
				status, reply, header := h.call(request[0], request[1], body)
				if status != want.status || reply["code"] != want.code || header.Get("Retry-After") == "" {
					t.Errorf("%v: %v answers %d %v, Retry-After %q", err, request, status, reply, header.Get("Retry-After"))
				}
			}
			when.Store(nil)
		}
	}
	if status, body, _ := h.call("POST", "/i/"+token+"/answers", answer); status != http.StatusOK || body["step"].(object)["kind"] != "complete" {
		t.Errorf("after the outages the answer is answered %d %v", status, body)
	}
}

// TestOutagesForPeople checks that a page explains the outage, keeps what was typed, and sends it again.
func TestOutagesForPeople(t *testing.T) {
	t.Parallel()
	h, o := openInOutage(t)
	live := h.launch(oneItemGuide(), h.wallet)
	b := h.browser()
	b.visit("/s/" + live.LinkID)
	b.submit("/interviews", nil)
	interview := b.at
	const typed = "Because of \"my mother\" & <others>.\r\nAnd of me."
	down := outage.ErrUnreachable
	o.before.Store(&down)
	b.visit(interview)
	b.shows("The service cannot answer at the moment", "What you answered before is stored", `href="`+interview+`"`)
	b.send(http.MethodPost, interview+"/answers", url.Values{"stepId": {"s0"}, "text": {typed}})
	if b.status != http.StatusServiceUnavailable || b.header.Get("Retry-After") == "" {
		t.Fatalf("an answer in the outage is answered %d, Retry-After %q", b.status, b.header.Get("Retry-After"))
	}
	b.shows("could not be stored yet", "Send it again")
	b.submit("/answers", nil) // too early
	if b.status != http.StatusServiceUnavailable {
		t.Fatalf("the second try is answered %d", b.status)
	}
	o.before.Store(nil)
	o.after.Store(&down) // the answer is stored, but the response fails
	b.submit("/answers", nil)
	b.shows("could not be stored yet")
	o.after.Store(nil)
	b.submit("/answers", nil)
	b.shows("Thank you")
	turns, err := h.store.View().Turns(t.Context(), responseOf(t, h.store, live.ID, 1))
	if err != nil || len(turns) != 1 || turns[0].Answer.Text != strings.ReplaceAll(typed, "\r\n", "\n") {
		t.Errorf("stored are %+v, %v", turns, err)
	}

	o.before.Store(&down)
	b.send(http.MethodPost, interview+"/withdraw", nil)
	b.shows("The service cannot answer", "Send it again")
	o.before.Store(nil)
	b.submit("/withdraw", nil)
	b.shows("Your answers are taken back")
}

// TestOutagesInEveryLanguage checks that the page of an outage is in the browser's language, because the database that knows the
// interview's is unavailable.
func TestOutagesInEveryLanguage(t *testing.T) {
	t.Parallel()
	h, o := openInOutage(t)
	full := outage.ErrDiskFull
	o.before.Store(&full)
	heading := regexp.MustCompile(`<h1>([^<]*)</h1>`)
	seen := map[string]string{}
	for _, language := range []string{"ar", "de", "en", "es", "fr", "it", "ja", "nl", "pt", "zh"} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.url+"/i/token", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Accept", "text/html")
		request.Header.Set("Accept-Language", language)
		reply, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		var page strings.Builder
		err = reply.Write(&page)
		reply.Body.Close()
		title := heading.FindStringSubmatch(page.String())
		if err != nil || reply.StatusCode != http.StatusInsufficientStorage || reply.Header.Get("Retry-After") == "" || title == nil ||
			!strings.Contains(page.String(), `<html lang="`+language+`"`) {
			t.Fatalf("in %s: %v\n%s", language, err, page.String())
		}
		if other, taken := seen[html.UnescapeString(title[1])]; taken {
			t.Errorf("%s and %s have the same title: %q", language, other, title[1])
		}
		seen[html.UnescapeString(title[1])] = language
	}
}

// TestStartFormAgain checks that a form that is sent twice starts one interview, and that the page opened again starts another. Programs
// have the header Idempotency-Key for that.
func TestStartFormAgain(t *testing.T) {
	t.Parallel()
	h, o := openInOutage(t)
	live := h.launch(oneItemGuide(), h.wallet)
	b := h.browser()
	b.visit("/s/" + live.LinkID + "?panel=p7")
	_, first := b.filled("/interviews")
	down := outage.ErrUnreachable
	o.after.Store(&down)
	b.submit("/interviews", nil)
	b.shows("could not be stored yet")
	o.after.Store(nil)
	b.submit("/interviews", nil)
	began := b.at
	b.send(http.MethodPost, "/s/"+live.LinkID+"/interviews?panel=p7", first)
	if !strings.HasPrefix(began, "/i/") || b.at != began {
		t.Errorf("the form led to %s and then to %s", began, b.at)
	}
	b.visit("/s/" + live.LinkID + "?panel=p7")
	b.submit("/interviews", nil)
	if b.at == began {
		t.Error("two views of the page led to one interview")
	}
	if r, err := h.store.View().AnyResponse(t.Context(), responseOf(t, h.store, live.ID, 1)); err != nil || r.URLParams["panel"] != "p7" {
		t.Errorf("the first response is %+v, %v", r, err)
	}

	begin := func(key string) (int, object) {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.url+"/s/"+live.LinkID+"/interviews", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Idempotency-Key", key)
		status, body, _ := h.do(request)
		return status, body
	}
	status, one := begin("5f0c9a52-6a57-4d0e-9a0c-0d3a3c1f7a11")
	again, same := begin("5f0c9a52-6a57-4d0e-9a0c-0d3a3c1f7a11")
	_, other := begin("5f0c9a52-6a57-4d0e-9a0c-0d3a3c1f7a12")
	if status != http.StatusCreated || again != http.StatusCreated || one["token"] != same["token"] || one["token"] == other["token"] {
		t.Errorf("begun %d %v, again %d %v, with another key %v", status, one["token"], again, same["token"], other["token"])
	}
	for _, key := range []string{"short", strings.Repeat("k", fieldwork.MaxStartKey+1)} {
		if status, body := begin(key); status != http.StatusBadRequest || body["code"] != "bad_request" {
			t.Errorf("a key of %d characters is answered %d %v", len(key), status, body)
		}
	}
	if r, err := h.store.View().AnyResponse(t.Context(), responseOf(t, h.store, live.ID, 4)); err != nil || r.ReadableID != 4 {
		t.Errorf("the last of four interviews is %+v, %v", r, err)
	}
}
