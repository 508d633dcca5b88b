package pages_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/api/pages"
	"verbatim/internal/api/participant/participanttest"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/blob/blobtest"
	"verbatim/internal/service/objects"
)

const (
	logoFile  = "0123456789abcdef0123456789abcdef.png"
	logoBytes = "the bytes of a picture"
)

// newBrandedAPI returns a testAPI whose organization has a brand.
func newBrandedAPI(t *testing.T, changes ...func(*pages.API)) *testAPI {
	t.Helper()
	stored := blobtest.Folder(t)
	logo := org.Logo{File: logoFile, Width: 480, Height: 120}
	if err := stored.Put(t.Context(), logo.Object(), bytes.NewReader([]byte(logoBytes)), int64(len(logoBytes)), "image/png"); err != nil {
		t.Fatal(err)
	}
	h := open(t, 3*wallet.Credit, append(changes, func(a *pages.API) { a.Objects = &objects.Service{Store: stored} })...)
	yellow, err := org.ParseColour("#fff9c4")
	if err != nil {
		t.Fatal(err)
	}
	h.SaveBrand(org.Brand{Name: `Larkspur & "Sons"`, Colour: yellow, Logo: logo})
	return h
}

var styleTag = regexp.MustCompile(`(?s)<style>(.*?)</style>`)

// TestBrandOnEveryPage checks that all pages of an interview show the organization's brand, and that the policy allows its style
// and no other.
func TestBrandOnEveryPage(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*pages.API){"without the app": func(*pages.API) {}, "with the app": withApp} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newBrandedAPI(t, change)
			b := h.browser()
			look := func() {
				t.Helper()
				b.shows(`<img src="/brand/`+logoFile+`" alt="Larkspur & "Sons"" width="480" height="120">`, "--fill:#", "--accent:#")
				policy := b.header.Get("Content-Security-Policy")
				for _, found := range styleTag.FindAllStringSubmatch(b.page, -1) {
					sum := sha256.Sum256([]byte(found[1]))
					if !strings.Contains(policy, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'") {
						t.Errorf("the policy %q does not name the style %.60s", policy, found[1])
					}
				}
				if strings.Contains(policy, "unsafe") || strings.Contains(b.page, "style=") {
					t.Errorf("the page has styles beyond its policy %q", policy)
				}
			}
			b.visit("/s/" + h.Launch(participanttest.FullGuide(), h.Wallet).LinkID)
			look()
			b.submit("/interviews", nil)
			look()
			interview := b.at
			b.send(http.MethodPost, interview+"/withdraw", nil)
			look()
			b.visit("/s/nowhere")
			if strings.Contains(b.page, "brand") {
				t.Error("a page of nobody shows an organization")
			}
		})
	}
}

func TestLogoIsServed(t *testing.T) {
	t.Parallel()
	h := newBrandedAPI(t)
	for path, want := range map[string]int{
		"/brand/" + logoFile: 200, "/brand/" + strings.ReplaceAll(logoFile, "0", "1"): 404, "/brand/" + strings.ReplaceAll(logoFile, "png", "svg"): 404,
		"/brand/..%2fuploads": 404, "/brand/": 404,
	} {
		reply, err := http.Get(h.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(reply.Body)
		reply.Body.Close()
		if err != nil || reply.StatusCode != want {
			t.Errorf("%s answers %d, %v", path, reply.StatusCode, err)
		}
		if want != 200 {
			continue
		}
		got := map[string]string{}
		for _, name := range []string{"Content-Type", "X-Content-Type-Options", "Cache-Control", "Content-Security-Policy"} {
			got[name] = reply.Header.Get(name)
		}
		if diff := cmp.Diff(map[string]string{
			"Content-Type": "image/png", "X-Content-Type-Options": "nosniff", "Cache-Control": "public, max-age=31536000, immutable",
			"Content-Security-Policy": "default-src 'none'; sandbox",
		}, got); diff != "" || string(body) != logoBytes {
			t.Errorf("the logo has %d bytes (-want +got):\n%s", len(body), diff)
		}
	}
}

// TestNameWithoutLogo checks that an organization without a brand is shown by name, in the service's colours.
func TestNameWithoutLogo(t *testing.T) {
	t.Parallel()
	h := open(t, wallet.Credit)
	b := h.browser()
	b.visit("/s/" + h.Launch(participanttest.FullGuide(), h.Wallet).LinkID)
	b.shows(`<p class="who" dir="auto">Orchard Research</p>`)
	if found := styleTag.FindAllString(b.page, -1); len(found) != 1 {
		t.Errorf("the page has %d styles", len(found))
	}
}
