package pages_test

import (
	"encoding/json"
	"html"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/api/pages"
	"verbatim/internal/api/participant/participanttest"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/wallet"
)

// builtApp returns files like those of the web build.
func builtApp() fstest.MapFS {
	files := fstest.MapFS{"manifest.json": {Data: []byte(`{"script":"app-1.js","preload":["chunk-2.js"],"style":"style-3.css"}`)}}
	for _, name := range []string{"app-1.js", "chunk-2.js", "style-3.css"} {
		for suffix, body := range map[string]string{"": "plain ", ".gz": "gzip ", ".br": "brotli "} {
			files[name+suffix] = &fstest.MapFile{Data: []byte(body + name)}
		}
	}
	return files
}

func withApp(a *pages.API) { a.App = builtApp() }

// bootstrap returns the data that the page holds for the app.
func (b *browser) bootstrap() object {
	b.t.Helper()
	_, rest, found := strings.Cut(b.page, `<script type="application/json" id="boot">`)
	text, _, closed := strings.Cut(rest, "</script>")
	if !found || !closed {
		b.t.Fatalf("the page at %s holds no data for the app:\n%s", b.at, b.page)
	}
	var data object
	if err := json.Unmarshal([]byte(text), &data); err != nil {
		b.t.Fatalf("%v in %s", err, text)
	}
	return data
}

// TestBootstrapMatchesProtocol checks that the page holds the same data for the app that the protocol returns.
func TestBootstrapMatchesProtocol(t *testing.T) {
	t.Parallel()
	h := open(t, wallet.Credit, withApp)
	live := h.Launch(participanttest.FullGuide(), h.Wallet)
	b := h.browser()
	b.visit("/s/" + live.LinkID + "?panel=p%207&_language=en")
	landing := b.bootstrap()
	_, want, _ := h.Call("GET", "/s/"+live.LinkID, nil)
	if diff := cmp.Diff(want, landing["front"]); diff != "" {
		t.Errorf("the landing page (-protocol +page):\n%s", diff)
	}
	for key, want := range map[string]any{
		"view": "front", "linkId": live.LinkID, "query": "panel=p%207&_language=en", "title": "Everything", "language": "en", "direction": "ltr",
		"disclosure": want["disclosure"], "step": nil, "token": "",
	} {
		if landing[key] != want {
			t.Errorf("landing page: %s is %v, want %v", key, landing[key], want)
		}
	}
	b.submit("/interviews", nil)
	for step := 0; step < 20; step++ {
		bootstrap := b.bootstrap()
		_, current, _ := h.Call("GET", b.at, nil)
		if diff := cmp.Diff(current["step"], bootstrap["step"]); diff != "" {
			t.Fatalf("step %d (-protocol +page):\n%s", step, diff)
		}
		if "/i/"+bootstrap["token"].(string) != b.at || bootstrap["words"].(object)["next"] != "Next" {
			t.Fatalf("step %d: the token is %v, the words are %v", step, bootstrap["token"], bootstrap["words"])
		}
		if bootstrap["view"] == "end" {
			return
		}
		b.submit("/answers", changesFor(bootstrap["step"].(object)))
	}
	t.Fatal("the interview does not end")
}

// changesFor returns the fields that filled does not fill in correctly for a step.
func changesFor(step object) url.Values {
	if q := step["question"].(object); q["minSelect"] == 2.0 {
		return url.Values{"selected": {"b", "c"}}
	}
	return nil
}

// TestBootstrapIsEscaped checks that a text of the study cannot end the script element.
func TestBootstrapIsEscaped(t *testing.T) {
	t.Parallel()
	const evil = "</script><script>alert(1)</script><!-- <script> ]]> & \u2028 \"quoted\" 'too' \\u003c"
	h := open(t, wallet.Credit, withApp)
	live := h.Launch(&guide.Guide{Title: evil, Blocks: []guide.Block{{ID: "flat", Type: guide.BlockFlat, Items: []guide.Item{
		{ID: "why", Type: guide.OpenEnded, Text: evil},
	}}}}, h.Wallet)
	b := h.browser()
	b.visit("/s/" + live.LinkID + "?" + url.Values{"x": {evil}}.Encode())
	if got := b.bootstrap()["title"]; got != evil {
		t.Errorf("the title is %q", got)
	}
	b.submit("/interviews", nil)
	if got := b.bootstrap()["step"].(object)["moderator"]; got != evil {
		t.Errorf("the question is %q", got)
	}
	if strings.Count(b.page, "<script") != 2 || strings.Count(b.page, "</script>") != 2 || strings.Contains(b.page, "<!--") {
		t.Errorf("the page has scripts of the study:\n%s", b.page)
	}
}

func TestPagesLoadTheApp(t *testing.T) {
	t.Parallel()
	h := open(t, wallet.Credit, withApp)
	b := h.browser()
	b.visit("/s/" + h.Launch(participanttest.FullGuide(), h.Wallet).LinkID)
	b.shows("plain style-3.css</style>", `<link rel="modulepreload" href="/participant/chunk-2.js">`,
		`<script type="module" src="/participant/app-1.js"></script>`)
	policy := b.header.Get("Content-Security-Policy")
	if !strings.HasSuffix(policy, "; script-src 'self'; connect-src 'self'") || strings.Contains(policy, "unsafe") {
		t.Errorf("the policy is %q", policy)
	}
	b.visit("/s/nowhere")
	if strings.Contains(html.UnescapeString(b.page), "<script") {
		t.Error("a notice has a script")
	}
}

func TestFilesOfTheApp(t *testing.T) {
	t.Parallel()
	h := open(t, 0, withApp)
	for _, c := range []struct {
		name, accept string
		status       int
		encoding     string
		body         string
	}{
		{"app-1.js", "gzip, deflate, br, zstd", 200, "br", "brotli app-1.js"},
		{"app-1.js", "gzip;q=0.5, br;q=0", 200, "gzip", "gzip app-1.js"},
		{"style-3.css", "identity", 200, "", "plain style-3.css"},
		{"manifest.json", "identity", 404, "", "404 page not found\n"},
		{"app-1.js.br", "identity", 404, "", "404 page not found\n"},
	} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.URL+"/participant/"+c.name, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Accept-Encoding", c.accept)
		reply, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(reply.Body)
		reply.Body.Close()
		if err != nil || reply.StatusCode != c.status || string(body) != c.body || reply.Header.Get("Content-Encoding") != c.encoding {
			t.Errorf("%s with %s: %d %q %q (%v)", c.name, c.accept, reply.StatusCode, reply.Header.Get("Content-Encoding"), body, err)
		}
		if c.status == 200 && (!strings.Contains(reply.Header.Get("Cache-Control"), "immutable") || reply.Header.Get("Vary") != "Accept-Encoding") {
			t.Errorf("%s: the header is %v", c.name, reply.Header)
		}
	}
}

// TestBrokenAppLeavesThePage checks that pages work without the app if its build is incomplete.
func TestBrokenAppLeavesThePage(t *testing.T) {
	t.Parallel()
	for name, breakIt := range map[string]func(fstest.MapFS){
		"no manifest":       func(f fstest.MapFS) { delete(f, "manifest.json") },
		"broken manifest":   func(f fstest.MapFS) { f["manifest.json"] = &fstest.MapFile{Data: []byte("{")} },
		"missing script":    func(f fstest.MapFS) { delete(f, "app-1.js") },
		"not compressed":    func(f fstest.MapFS) { delete(f, "app-1.js.br") },
		"an empty manifest": func(f fstest.MapFS) { f["manifest.json"] = &fstest.MapFile{Data: []byte("{}")} },
	} {
		files := builtApp()
		breakIt(files)
		h := open(t, wallet.Credit, func(a *pages.API) { a.App = files })
		b := h.browser()
		b.visit("/s/" + h.Launch(participanttest.FullGuide(), h.Wallet).LinkID)
		b.shows("I agree and want to begin")
		if strings.Contains(b.page, "<script") || strings.Contains(b.header.Get("Content-Security-Policy"), "script-src") {
			t.Errorf("%s: the page has a script", name)
		}
	}
}

// TestPreviewPage: the page of previews has no data of a study, and only pages of this origin may show it in a frame.
func TestPreviewPage(t *testing.T) {
	t.Parallel()
	h := open(t, wallet.Credit, withApp)
	b := h.browser()
	b.visit("/preview/k7RmWq2x")
	data := b.bootstrap()
	if data["view"] != "preview" || data["linkId"] != "k7RmWq2x" || data["front"] != nil || data["step"] != nil {
		t.Errorf("the page holds %v", data)
	}
	if policy := b.header.Get("Content-Security-Policy"); !strings.Contains(policy, "frame-ancestors 'self'") || strings.Contains(policy, "frame-ancestors 'none'") {
		t.Errorf("the policy is %s", policy)
	}
	b.visit("/s/nothing")
	if policy := b.header.Get("Content-Security-Policy"); !strings.Contains(policy, "frame-ancestors 'none'") {
		t.Errorf("the policy of participants' pages is %s", policy)
	}
}
