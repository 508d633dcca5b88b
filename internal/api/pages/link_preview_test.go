package pages_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"verbatim/internal/api/participant/participanttest"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/wallet"
)

// publicGuide returns a guide with texts that participants see, and others that they do not.
func publicGuide() *guide.Guide {
	g := participanttest.OneItemGuide()
	g.Title, g.ExternalTitle, g.StudyGoal, g.Background = "Wave 1 SECRET", "Coffee at home", "The SECRET goal", "A SECRET background"
	g.Welcome = guide.Welcome{Title: "Welcome", Message: "We ask about **your coffee**.\nSee [our notice](https://example.com/privacy)."}
	g.ClosingMessage = "Read *more* [here](https://example.com/more)."
	return g
}

// get returns a page as a client without cookies sees it, without following redirects.
func (h *testAPI) get(path string, headers ...string) (*http.Response, string) {
	h.T.Helper()
	request, err := http.NewRequestWithContext(h.T.Context(), http.MethodGet, h.URL+path, nil)
	if err != nil {
		h.T.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	reply, err := client.Do(request)
	if err != nil {
		h.T.Fatal(err)
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(reply.Body)
	if err != nil {
		h.T.Fatal(err)
	}
	return reply, string(body)
}

// TestLinkPreview checks what messengers show of a link: the study's public texts, and nothing that participants do not see.
func TestLinkPreview(t *testing.T) {
	t.Parallel()
	h := open(t, wallet.Credit)
	live := h.Launch(publicGuide(), h.Wallet)
	h.SaveBrand(org.Brand{Name: "Orchard", Colour: 0x7a1fa2, Logo: org.Logo{File: strings.Repeat("a", 64) + ".png", Width: 40, Height: 20}})
	for _, agent := range []string{
		"facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)", "WhatsApp/2.23.20.0", "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
		"Twitterbot/1.0", "TelegramBot (like TwitterBot)/1.0",
	} {
		reply, page := h.get("/s/"+live.LinkID+"?panel=p7", "Accept", "*/*", "User-Agent", agent)
		if kind := reply.Header.Get("Content-Type"); !strings.HasPrefix(kind, "text/html") {
			t.Fatalf("%s gets %s", agent, kind)
		}
		for _, want := range []string{
			`<meta property="og:title" content="Welcome">`, `<meta property="og:description" content="We ask about your coffee. See our notice.">`,
			`<meta property="og:url" content="` + participanttest.BaseURL + `/s/` + live.LinkID + `">`, `<meta property="og:site_name" content="Orchard">`,
			`<meta property="og:image" content="` + participanttest.BaseURL + `/brand/`, `<link rel="icon" href="data:image/svg`, "7a1fa2",
		} {
			if !strings.Contains(page, want) {
				t.Errorf("%s: the page has no %s:\n%s", agent, want, page[:min(len(page), 200)])
			}
		}
		if strings.Contains(page, "SECRET") {
			t.Errorf("%s: the page tells what participants do not see", agent)
		}
	}
	for _, agent := range []string{"", "curl/8.0", "Go-http-client/1.1"} {
		if reply, _ := h.get("/s/"+live.LinkID, "Accept", "*/*", "User-Agent", agent); !strings.HasPrefix(reply.Header.Get("Content-Type"), "application/json") {
			t.Errorf("%q gets %s", agent, reply.Header.Get("Content-Type"))
		}
	}
	b := h.begin(publicGuide(), "")
	if strings.Contains(b.page, "og:") || strings.Contains(b.page, "SECRET") {
		t.Error("the page of an interview has a preview, or tells what participants do not see")
	}
}

// TestTrailingSlash checks that addresses with a slash at their end work, with their parameters.
func TestTrailingSlash(t *testing.T) {
	t.Parallel()
	h := open(t, wallet.Credit)
	live := h.Launch(publicGuide(), h.Wallet)
	b := h.browser()
	b.visit("/s/" + live.LinkID + "/?panel=p%207")
	if b.status != http.StatusOK || b.at != "/s/"+live.LinkID {
		t.Errorf("the link leads to %s, which answers %d", b.at, b.status)
	}
	b.shows(`panel=p%207`)
	b.submit("/interviews", nil)
	interview := b.at
	b.visit(interview + "/")
	if b.status != http.StatusOK || b.at != interview {
		t.Errorf("the interview's address leads to %s, which answers %d", b.at, b.status)
	}
	for path, want := range map[string]string{"/s/" + live.LinkID + "/?a=b": "/s/" + live.LinkID + "?a=b", "/s/a%20b/": "/s/a%20b"} {
		if reply, _ := h.get(path); reply.StatusCode != http.StatusPermanentRedirect || reply.Header.Get("Location") != want {
			t.Errorf("%s: %d to %q, want %q", path, reply.StatusCode, reply.Header.Get("Location"), want)
		}
	}
	if reply, _ := h.get("/s/" + live.LinkID + "/x/"); reply.StatusCode != http.StatusNotFound {
		t.Errorf("an unknown address answers %d", reply.StatusCode)
	}
}

// TestFraming checks which sites may show a study's pages inside theirs: none, or those that the study names.
func TestFraming(t *testing.T) {
	t.Parallel()
	h := open(t, wallet.Credit)
	frames := func(b *browser) string {
		_, policy, _ := strings.Cut(b.header.Get("Content-Security-Policy"), "frame-ancestors ")
		policy, _, _ = strings.Cut(policy, ";")
		return policy
	}
	for want, origins := range map[string][]string{"'none'": nil, "https://panel.example.com https://b.example": {"https://panel.example.com", "https://b.example"}} {
		g := publicGuide()
		g.Config.Embedding.AllowedOrigins = origins
		b := h.browser()
		b.visit("/s/" + h.Launch(g, h.Wallet).LinkID)
		landing := frames(b)
		b.submit("/interviews", nil)
		step, interview := frames(b), b.at
		b.submit("/answers", map[string][]string{"text": {" "}})
		refused := frames(b)
		b.visit(interview)
		b.submit("/withdraw", nil)
		if withdrawn := frames(b); landing != want || step != want || refused != want || withdrawn != want {
			t.Errorf("frame-ancestors: %s, %s, %s, %s, want %s", landing, step, refused, withdrawn, want)
		}
	}
	b := h.browser()
	b.visit("/s/nowhere")
	if frames(b) != "'none'" {
		t.Errorf("an unknown link: %s", frames(b))
	}
}

// TestEmphasisAndLinks checks that welcome and closing show emphasis and links as elements, and everything else as it was written.
func TestEmphasisAndLinks(t *testing.T) {
	t.Parallel()
	h := open(t, wallet.Credit)
	g := publicGuide()
	g.Welcome.Message += "\n<b>no</b> [x](javascript:alert(1))"
	b := h.browser()
	b.visit("/s/" + h.Launch(g, h.Wallet).LinkID)
	for _, want := range []string{
		"<p>We ask about <strong>your coffee</strong>.</p>", `<a href="https://example.com/privacy" target="_blank" rel="noopener noreferrer">our notice</a>`,
		"&lt;b&gt;no&lt;/b&gt; [x](javascript:alert(1))",
	} {
		if !strings.Contains(b.page, want) {
			t.Errorf("the welcome has no %s:\n%s", want, b.page)
		}
	}
	b.submit("/interviews", nil)
	for b.status == http.StatusOK && !strings.Contains(b.page, "Thank you") {
		b.submit("/answers", nil)
	}
	if want := `<p>Read <em>more</em> <a href="https://example.com/more"`; !strings.Contains(b.page, want) {
		t.Errorf("the closing has no %s:\n%s", want, b.page)
	}
}

// TestAcceptLanguage checks that the page is in the language that the visitor prefers, among those whose texts are approved.
func TestAcceptLanguage(t *testing.T) {
	t.Parallel()
	h := open(t, wallet.Credit)
	g := participanttest.FruitGuide()
	live := h.Launch(g, h.Wallet)
	h.Translate(live, g)
	for header, want := range map[string]string{
		"": "en", "de-CH, en;q=0.5": "de", "en;q=0.5, de;q=0.7": "de", "de;q=0.3, en": "en", "fr, de;q=0.9": "de", "fr": "en",
	} {
		reply, page := h.get("/s/"+live.LinkID, "Accept", "text/html", "Accept-Language", header)
		if !strings.Contains(page, `<html lang="`+want+`"`) || !strings.Contains(strings.Join(reply.Header.Values("Vary"), ","), "Accept-Language") {
			t.Errorf("%q: not in %s, or without Vary", header, want)
		}
	}
	_, page := h.get("/s/"+live.LinkID+"?_language=en", "Accept", "text/html", "Accept-Language", "de")
	if !strings.Contains(page, `<html lang="en"`) {
		t.Error("the language that was chosen does not win")
	}
}

// TestCaptionsAndFrames checks the captions of a video, and the name of an embedded page.
func TestCaptionsAndFrames(t *testing.T) {
	t.Parallel()
	h := open(t, wallet.Credit)
	g := participanttest.OneItemGuide()
	it := &g.Blocks[0].Items[0]
	it.Media = []guide.Media{{Type: "video", Name: "The pot", URL: "https://media.example.com/pot.mp4"}}
	it.Embed = &guide.Embed{URL: "https://prototypes.example.com/pot"}
	g.Config.Captions = []guide.Captions{
		{MediaURL: "https://media.example.com/pot.mp4", URL: "https://media.example.com/pot.de.vtt", Language: "de"},
		{MediaURL: "https://media.example.com/pot.mp4", URL: "https://media.example.com/pot.en.vtt", Language: "en"},
	}
	b := h.begin(g, "")
	for _, want := range []string{
		`crossorigin="anonymous"`, `<track kind="captions" src="https://media.example.com/pot.de.vtt" srclang="de" label="Deutsch">`,
		`<track kind="captions" src="https://media.example.com/pot.en.vtt" srclang="en" label="English" default>`, `title="` + it.Text + `"`,
	} {
		if !strings.Contains(b.page, want) {
			t.Errorf("the page has no %s:\n%s", want, b.page)
		}
	}
	_, body, _ := h.Call("GET", b.at, nil)
	media := body["step"].(object)["question"].(object)["media"].([]any)[0].(object)
	if captions := media["captions"].([]any); len(captions) != 2 || captions[0].(object)["label"] != "Deutsch" {
		t.Errorf("the protocol has %v", media)
	}
}
