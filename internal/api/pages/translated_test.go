package pages_test

import (
	"net/url"
	"testing"

	"verbatim/internal/api/participant/participanttest"
	"verbatim/internal/domain/wallet"
)

// TestPagesAreTranslated checks that pages without JavaScript show every text in the chosen language and set its lang attribute.
func TestPagesAreTranslated(t *testing.T) {
	t.Parallel()
	g := participanttest.FruitGuide()
	h := open(t, wallet.Credit)
	live := h.Launch(g, h.Wallet)
	h.Translate(live, g)
	b := h.browser()
	b.visit("/s/" + live.LinkID + "?_language=de")
	b.shows(`<h1 lang="de" dir="auto">De:Hello there</h1>`, "De:About fruit.", "De:Fruit box")
	b.submit("/interviews", nil)
	b.shows(`<div class="statement" lang="de" dir="auto"><p>De:Now fruit.</p>`, ">De:Go on</button>")
	b.submit("/answers", nil)
	b.shows(`<legend lang="de" dir="auto"><h1>De:Which one?</h1></legend>`, "De:Apples", "De:Pears")
	b.submit("/answers", url.Values{"selected": {"b"}})
	b.shows("De:A box", "De:At your door.", "De:Why so?")
	b.submit("/answers", url.Values{"text": {"Darum"}})
	b.shows("De:See you")
}

// TestBootstrapHasTheLanguageOfTheTexts checks that the app knows the language of the texts, also where they are not translated, so that
// screen readers pronounce them correctly.
func TestBootstrapHasTheLanguageOfTheTexts(t *testing.T) {
	t.Parallel()
	g := participanttest.FruitGuide()
	h := open(t, 3*wallet.Credit, withApp)
	live := h.Launch(g, h.Wallet)
	h.Translate(live, g)
	for language, content := range map[string]string{"de": "de", "fr": "en", "en": "en"} {
		b := h.browser()
		b.visit("/s/" + live.LinkID + "?_language=" + language)
		landing := b.bootstrap()
		b.submit("/interviews", nil)
		step := b.bootstrap()
		for _, bootstrap := range []object{landing, step} {
			if tags := bootstrap["tags"].(object); tags["content"] != content || tags["page"] != language {
				t.Errorf("%s: the tags are %v", language, tags)
			}
		}
	}
}
