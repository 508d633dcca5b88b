package pages_test

import (
	"net/url"
	"testing"

	"verbatim/internal/api/participant/participanttest"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/wallet"
)

// TestConsentByForms: the page without JavaScript shows the consent, asks for the age, ends kindly with no, and asks again when the text has
// changed.
func TestConsentByForms(t *testing.T) {
	t.Parallel()
	h := open(t, wallet.Credit)
	g := participanttest.OneItemGuide()
	g.Config.Consent = guide.Consent{Asked: true, Text: "We study <breakfast> & [more](https://example.org/a).", Retention: "Until May.", MinimumAge: 16}
	live := h.Launch(g, h.Wallet)
	b := h.browser()
	b.visit("/s/" + live.LinkID)
	b.shows("We study <breakfast> & <a href=\"https://example.org/a\"", "What is stored", "Until May.", "Are you 16 or older?", "No other service receives your answers")
	b.submit("/interviews", url.Values{"oldEnough": {""}})
	b.shows("Are you 16 or older?")
	b.submit("/interviews", url.Values{"oldEnough": {"no"}})
	b.shows("This study is for older participants", "Nothing about you was stored.")
	if count, _, err := h.Store.View().Arrivals(t.Context(), live.ID, 0); err != nil || count != 0 {
		t.Fatalf("%d responses, %v", count, err)
	}
	b.visit("/s/" + live.LinkID)
	b.submit("/interviews", url.Values{"oldEnough": {"yes"}})
	b.shows("Why?")
	h.SaveBrand(org.Brand{Name: "Larkspur"})
	b.visit(b.at)
	b.shows("Please read this once more", "Responsible for this study: Larkspur", "I agree, continue")
	b.submit("/consent", nil)
	b.shows("Why?")
	b.submit("/answers", url.Values{"text": {"Because."}})
	b.shows("Thank you")
}
