package participant_test

import (
	"bytes"
	"encoding/json"
	"html"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"verbatim/internal/api/participant"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/blob/blobtest"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/access"
	"verbatim/internal/service/fieldwork"
	"verbatim/internal/service/moderator"
	"verbatim/internal/service/uploads"
)

// testAPI is a served API with its own store.
type testAPI struct {
	t       testing.TB
	url     string
	handler http.Handler
	store   *store.Store
	org     string
	wallet  string
}

func open(t testing.TB, funds wallet.Credits, changes ...func(*participant.API)) *testAPI {
	t.Helper()
	return openOn(t, storetest.New(t), funds, changes...)
}

func openOn(t testing.TB, s *store.Store, funds wallet.Credits, changes ...func(*participant.API)) *testAPI {
	t.Helper()
	h := &testAPI{t: t, store: s, org: storetest.Org(t, s).ID}
	h.wallet = storetest.Wallet(t, s, h.org, funds).ID
	mux := http.NewServeMux()
	api := participant.API{
		Fieldwork: &fieldwork.Service{Store: s, Moderator: moderator.BuiltIn{}},
		Uploads:   &uploads.Service{Store: s, Objects: blobtest.Folder(t)},
		Log:       slog.New(slog.DiscardHandler), BaseURL: "https://studies.example.org",
	}
	for _, change := range changes {
		change(&api)
	}
	api.Register(mux)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mux.ServeHTTP(w, r.WithContext(access.WithClient(r.Context(), []access.Share{{Name: "192.0.2.1", Times: 1}}))) // as internal/api/server sets it
	}))
	t.Cleanup(server.Close)
	h.url, h.handler = server.URL, mux
	return h
}

// launch creates a live study from a guide.
func (h *testAPI) launch(g *guide.Guide, walletID string) study.Study {
	h.t.Helper()
	var live study.Study
	storetest.Write(h.t, h.store, func(tx *store.Tx) error {
		draft, err := tx.CreateStudy(h.t.Context(), study.Study{OrgID: h.org, Title: g.Title}, guide.Encode(g))
		if err != nil {
			return err
		}
		if err := tx.Publish(h.t.Context(), draft, walletID); err != nil {
			return err
		}
		live, err = tx.Study(h.t.Context(), h.org, draft.ID)
		return err
	})
	return live
}

// object is any JSON object.
type object = map[string]any

// call sends JSON and returns the decoded response.
func (h *testAPI) call(method, path string, body any) (int, object, http.Header) {
	h.t.Helper()
	var payload io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		payload = strings.NewReader(b)
	default:
		encoded, err := json.Marshal(b)
		if err != nil {
			h.t.Fatal(err)
		}
		payload = bytes.NewReader(encoded)
	}
	request, err := http.NewRequestWithContext(h.t.Context(), method, h.url+path, payload)
	if err != nil {
		h.t.Fatal(err)
	}
	return h.do(request)
}

// do sends a request and returns the decoded JSON response.
func (h *testAPI) do(request *http.Request) (int, object, http.Header) {
	h.t.Helper()
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		h.t.Fatal(err)
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	var answer object
	if len(text) > 0 && json.Unmarshal(text, &answer) != nil {
		h.t.Fatalf("%s %s answers no JSON: %s", request.Method, request.URL.Path, text)
	}
	return reply.StatusCode, answer, reply.Header
}

// begin starts an interview by JSON and returns its token and first step.
func (h *testAPI) begin(linkID, query string) (string, object) {
	h.t.Helper()
	status, body, _ := h.call("POST", "/s/"+linkID+"/interviews?"+query, nil)
	if status != http.StatusCreated {
		h.t.Fatalf("starting answers %d %v", status, body)
	}
	return body["token"].(string), body["step"].(object)
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
		h.t.Fatal(err)
	}
	return &browser{t: h.t, client: &http.Client{Jar: jar}, base: h.url}
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
