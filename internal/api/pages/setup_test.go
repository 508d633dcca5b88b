package pages_test

import (
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"verbatim/internal/api/pages"
	"verbatim/internal/api/participant/participanttest"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// testAPI is served pages with their own store.
type testAPI struct{ *participanttest.Service }

// object is any JSON object.
type object = participanttest.Object

func open(t testing.TB, funds wallet.Credits, changes ...func(*pages.API)) *testAPI {
	t.Helper()
	return openOn(t, storetest.New(t), funds, changes...)
}

func openOn(t testing.TB, s *store.Store, funds wallet.Credits, changes ...func(*pages.API)) *testAPI {
	t.Helper()
	return &testAPI{participanttest.New(t, s, funds, newAPI(t, s, changes...).Register, nil)}
}

// newAPI returns the pages over a store.
func newAPI(t testing.TB, s *store.Store, changes ...func(*pages.API)) *pages.API {
	t.Helper()
	api := &pages.API{Protocol: participanttest.NewAPI(t, s)}
	for _, change := range changes {
		change(api)
	}
	return api
}

// browser is a browser without JavaScript that sends the forms it is shown.
type browser struct {
	t      testing.TB
	client *http.Client
	base   string
	agent  string // User-Agent; empty: Go's
	at     string // path of the page shown
	status int
	header http.Header
	page   string
}

func (h *testAPI) browser() *browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		h.T.Fatal(err)
	}
	return &browser{t: h.T, client: &http.Client{Jar: jar}, base: h.URL}
}

// begin launches a study and begins an interview of it, with a query for the study's link.
func (h *testAPI) begin(g *guide.Guide, query string) *browser {
	h.T.Helper()
	b := h.browser()
	b.visit("/s/" + h.Launch(g, h.Wallet).LinkID + query)
	b.submit("/interviews", nil)
	return b
}

func (b *browser) visit(path string) {
	b.t.Helper()
	b.send(http.MethodGet, path, nil)
}

func (b *browser) send(method, path string, form url.Values) {
	b.t.Helper()
	request, err := http.NewRequestWithContext(b.t.Context(), method, b.base+path, strings.NewReader(form.Encode()))
	if err != nil {
		b.t.Fatal(err)
	}
	request.Header.Set("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
	if b.agent != "" {
		request.Header.Set("User-Agent", b.agent)
	}
	if form != nil || method == http.MethodPost {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.Header.Set("Origin", b.base)
		request.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	reply, err := b.client.Do(request)
	if err != nil {
		b.t.Fatal(err)
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	b.at, b.status, b.header, b.page = reply.Request.URL.Path, reply.StatusCode, reply.Header, string(text)
	if !strings.HasPrefix(reply.Header.Get("Content-Type"), "text/html") {
		b.t.Fatalf("%s %s answers %s", method, path, reply.Header.Get("Content-Type"))
	}
}

func (b *browser) shows(words ...string) {
	b.t.Helper()
	for _, word := range words {
		if !strings.Contains(html.UnescapeString(b.page), word) {
			b.t.Fatalf("the page at %s does not show %q:\n%s", b.at, word, b.page)
		}
	}
}

var (
	formTag  = regexp.MustCompile(`(?s)<form method="post" action="([^"]*)"[^>]*>(.*?)</form>`)
	fieldTag = regexp.MustCompile(`<(input|textarea|select)\b([^>]*)>`)
	attrs    = regexp.MustCompile(`([a-z-]+)="([^"]*)"`)
)

// field is one control of a form.
type field struct {
	kind, name, value string
	checked           bool
}

// form returns the page's form whose action ends with suffix.
func (b *browser) form(suffix string) (action string, fields []field) {
	b.t.Helper()
	for _, found := range formTag.FindAllStringSubmatch(b.page, -1) {
		action = html.UnescapeString(found[1])
		if path, _, _ := strings.Cut(action, "?"); !strings.HasSuffix(path, suffix) {
			continue
		}
		for _, tag := range fieldTag.FindAllStringSubmatch(found[2], -1) {
			f := field{kind: tag[1], checked: strings.Contains(tag[2], " checked")}
			for _, attr := range attrs.FindAllStringSubmatch(tag[2], -1) {
				switch value := html.UnescapeString(attr[2]); attr[1] {
				case "name":
					f.name = value
				case "value":
					f.value = value
				case "type":
					f.kind = value
				}
			}
			fields = append(fields, f)
		}
		return action, fields
	}
	b.t.Fatalf("the page at %s has no form to %s:\n%s", b.at, suffix, b.page)
	return "", nil
}

// filled returns the page's form filled in: the first choice of each group, ranks in order, and a sentence.
func (b *browser) filled(suffix string) (action string, form url.Values) {
	b.t.Helper()
	action, fields := b.form(suffix)
	form = url.Values{}
	places, worst := 0, 0
	for _, f := range fields {
		switch {
		case f.kind == "hidden":
			form.Set(f.name, f.value)
		case f.kind == "textarea":
			form.Set(f.name, "A sentence of mine.")
		case f.kind == "number":
			places++
			form.Set(f.name, string(rune('0'+places)))
		case f.name == "worst":
			if worst++; worst == 2 {
				form.Set(f.name, f.value)
			}
		case (f.kind == "radio" || f.kind == "checkbox") && !form.Has(f.name):
			form.Set(f.name, f.value)
		}
	}
	return action, form
}

// submit fills in and sends the page's form, with changes.
func (b *browser) submit(suffix string, changes url.Values) {
	b.t.Helper()
	action, form := b.filled(suffix)
	for name, values := range changes {
		form[name] = values
		if values == nil {
			form.Del(name)
		}
	}
	b.send(http.MethodPost, action, form)
}
