package pages_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"verbatim/internal/api/pages"
	"verbatim/internal/api/participant/participanttest"
	"verbatim/internal/domain/outage"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/service/fieldwork"
)

// openInOutage is open with a FailingFieldwork that the test controls.
func openInOutage(t *testing.T) (*testAPI, *participanttest.FailingFieldwork) {
	t.Helper()
	o := &participanttest.FailingFieldwork{}
	return open(t, 100*wallet.Credit, func(a *pages.API) {
		o.Fieldwork = a.Protocol.Fieldwork
		a.Protocol.Fieldwork = o
	}), o
}

// TestOutagesForPeople checks that a page explains the outage, keeps what was typed, and sends it again.
func TestOutagesForPeople(t *testing.T) {
	t.Parallel()
	h, o := openInOutage(t)
	live := h.Launch(participanttest.OneItemGuide(), h.Wallet)
	b := h.browser()
	b.visit("/s/" + live.LinkID)
	b.submit("/interviews", nil)
	interview := b.at
	const typed = "Because of \"my mother\" & <others>.\r\nAnd of me."
	down := outage.ErrUnreachable
	o.Before.Store(&down)
	b.visit(interview)
	b.shows("The service isn’t responding right now", "Your earlier answers are saved", `href="`+interview+`"`)
	b.send(http.MethodPost, interview+"/answers", url.Values{"stepId": {"s0"}, "text": {typed}})
	if b.status != http.StatusServiceUnavailable || b.header.Get("Retry-After") == "" {
		t.Fatalf("an answer in the outage is answered %d, Retry-After %q", b.status, b.header.Get("Retry-After"))
	}
	b.shows("couldn’t be saved yet", "Send again")
	b.submit("/answers", nil) // too early
	if b.status != http.StatusServiceUnavailable {
		t.Fatalf("the second try is answered %d", b.status)
	}
	o.Before.Store(nil)
	o.After.Store(&down) // the answer is stored, but the response fails
	b.submit("/answers", nil)
	b.shows("couldn’t be saved yet")
	o.After.Store(nil)
	b.submit("/answers", nil)
	b.shows("Thank you")
	turns, err := h.Store.View().Turns(t.Context(), participanttest.ResponseOf(t, h.Store, live.ID, 1))
	if err != nil || len(turns) != 1 || turns[0].Answer.Text != strings.ReplaceAll(typed, "\r\n", "\n") {
		t.Errorf("stored are %+v, %v", turns, err)
	}

	o.Before.Store(&down)
	b.send(http.MethodPost, interview+"/withdraw", nil)
	b.shows("The service isn’t responding", "Send again")
	o.Before.Store(nil)
	b.submit("/withdraw", nil)
	b.shows("Your answers have been deleted")
}

// TestOutagesInEveryLanguage checks that the page of an outage is in the browser's language, because the database that knows the
// interview's is unavailable.
func TestOutagesInEveryLanguage(t *testing.T) {
	t.Parallel()
	h, o := openInOutage(t)
	full := outage.ErrDiskFull
	o.Before.Store(&full)
	heading := regexp.MustCompile(`<h1>([^<]*)</h1>`)
	seen := map[string]string{}
	for _, language := range []string{"ar", "de", "en", "es", "fr", "it", "ja", "nl", "pt", "zh"} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.URL+"/i/token", nil)
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
	live := h.Launch(participanttest.OneItemGuide(), h.Wallet)
	b := h.browser()
	b.visit("/s/" + live.LinkID + "?panel=p7")
	_, first := b.filled("/interviews")
	down := outage.ErrUnreachable
	o.After.Store(&down)
	b.submit("/interviews", nil)
	b.shows("couldn’t be saved yet")
	o.After.Store(nil)
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
	if r, err := h.Store.View().AnyResponse(t.Context(), participanttest.ResponseOf(t, h.Store, live.ID, 1)); err != nil || r.URLParams["panel"] != "p7" {
		t.Errorf("the first response is %+v, %v", r, err)
	}

	begin := func(key string) (int, object) {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.URL+"/s/"+live.LinkID+"/interviews", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Idempotency-Key", key)
		status, body, _ := h.Do(request)
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
	if r, err := h.Store.View().AnyResponse(t.Context(), participanttest.ResponseOf(t, h.Store, live.ID, 4)); err != nil || r.ReadableID != 4 {
		t.Errorf("the last of four interviews is %+v, %v", r, err)
	}
}
