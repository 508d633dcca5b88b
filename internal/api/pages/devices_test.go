package pages_test

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"verbatim/internal/api/participant/participanttest"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/wallet"
)

// User-Agent headers.
const (
	macSafari = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15"
	macChrome = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36"
	macFox    = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:125.0) Gecko/20100101 Firefox/125.0"
	padChrome = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/124.0 Version/11.1.1 Safari/605.1.15"
	iPhone    = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1"
	pixel     = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36"
	windows   = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36"
	linux     = "Mozilla/5.0 (X11; Linux x86_64; rv:125.0) Gecko/20100101 Firefox/125.0"
	console   = "Mozilla/5.0 (PlayStation; PlayStation 5/2.26) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.0 Safari/605.1.15"
)

func only(devices ...string) *guide.Guide {
	g := participanttest.FullGuide()
	g.Config.TargetPlatforms = devices
	return g
}

// TestDevices checks that devices that a study is not for are refused, and that unknown ones are let in.
func TestDevices(t *testing.T) {
	t.Parallel()
	h := open(t, 100*wallet.Credit, withApp)
	links := map[string]string{}
	for _, devices := range []string{"", "ios", "android", "desktop", "ios android", "ios android desktop"} {
		links[devices] = h.Launch(only(strings.Fields(devices)...), h.Wallet).LinkID
	}
	for _, c := range []struct {
		name, agent, platform, mobile string
		in                            string // kinds of study, each by the device that it is for
		unsure                        bool
	}{
		{name: "a phone", agent: iPhone, in: "ios"},
		{name: "an iPad that says so", agent: padChrome, in: "ios"},
		{name: "an iPad or a Mac", agent: macSafari, in: "ios desktop", unsure: true},
		{name: "Chrome on a Mac", agent: macChrome, in: "desktop"},
		{name: "Chrome on a Mac, by its hint", agent: macChrome, platform: `"macOS"`, mobile: "?0", in: "desktop"},
		{name: "Firefox on a Mac", agent: macFox, in: "desktop"},
		{name: "Android", agent: pixel, in: "android"},
		{name: "Android by its hint", agent: linux, platform: `"Android"`, mobile: "?0", in: "android"},
		{name: "Android that asks for the desktop's page", agent: linux, platform: `"Linux"`, mobile: "?1", in: "android"},
		{name: "Windows", agent: windows, in: "desktop"},
		{name: "Linux", agent: linux, in: "desktop"},
		{name: "a Chromebook", agent: macChrome, platform: `"Chrome OS"`, in: "desktop"},
		{name: "a console", agent: console, in: "ios android desktop"},
		{name: "a program", agent: "interviewer/2.0", in: "ios android desktop"},
		{name: "a program without a name", agent: "", in: "ios android desktop"},
	} {
		t.Run(c.name, func(t *testing.T) {
			header := http.Header{"User-Agent": {c.agent}}
			if c.platform != "" {
				header.Set("Sec-CH-UA-Platform", c.platform)
				header.Set("Sec-CH-UA-Mobile", c.mobile)
			}
			for devices, link := range links {
				in := devices == "" || devices == "ios android desktop"
				for _, device := range strings.Fields(devices) {
					in = in || strings.Contains(c.in, device)
				}
				status, body := h.as(header, "POST", "/s/"+link+"/interviews", "application/json")
				if want := map[bool]int{true: 201, false: 403}[in]; status != want {
					t.Errorf("for %q beginning answers %d: %s", devices, status, body)
				}
				if !in && !strings.Contains(body, `"device_not_supported"`) {
					t.Errorf("for %q: %s", devices, body)
				}
				status, body = h.as(header, "GET", "/s/"+link, "text/html")
				if refused := strings.Contains(body, `"view":"devices"`); status != 200 || refused == in {
					t.Errorf("for %q the page answers %d and refuses the device: %v", devices, status, refused)
				}
				if strings.Contains(body, `"unsure":true`) != c.unsure {
					t.Errorf("for %q unsure is not %v", devices, c.unsure)
				}
			}
		})
	}
}

// as sends a request with headers and returns the status and the body.
func (h *testAPI) as(header http.Header, method, path, accept string) (int, string) {
	h.T.Helper()
	request, err := http.NewRequestWithContext(h.T.Context(), method, h.URL+path, strings.NewReader(""))
	if err != nil {
		h.T.Fatal(err)
	}
	request.Header = header.Clone()
	request.Header.Set("Accept", accept)
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		h.T.Fatal(err)
	}
	defer reply.Body.Close()
	var body bytes.Buffer
	if _, err := body.ReadFrom(reply.Body); err != nil {
		h.T.Fatal(err)
	}
	return reply.StatusCode, body.String()
}

// TestDevicesOnThePage checks that the page lists the allowed devices and the link, that the form is refused too, and that an interview
// continues on any device.
func TestDevicesOnThePage(t *testing.T) {
	t.Parallel()
	h := open(t, 2*wallet.Credit)
	link := "/s/" + h.Launch(only("ios", "android"), h.Wallet).LinkID
	b := h.browser()
	b.visit(link)
	b.submit("/interviews", nil)
	begun := b.at
	b.agent = windows
	b.visit(link + "?panel=p7")
	b.shows("Please use another device", "an Android phone or tablet", "an iPhone or iPad", "https://studies.example.org"+link+"?panel=p7")
	if strings.Contains(b.page, "a computer") || strings.Contains(b.page, "<form") {
		t.Errorf("the page offers more:\n%s", b.page)
	}
	b.send(http.MethodPost, link+"/interviews", url.Values{"language": {"en"}})
	if b.status != http.StatusForbidden {
		t.Errorf("the form answers %d", b.status)
	}
	b.shows("Please use another device")
	b.visit(begun)
	b.shows("Hello.")
	b.submit("/answers", nil)
	b.shows("Why?")
}
