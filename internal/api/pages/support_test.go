package pages_test

import (
	"net/url"
	"strings"
	"testing"

	"verbatim/internal/api/participant/participanttest"
	"verbatim/internal/domain/wallet"
)

// TestSupport: a page without JavaScript shows the study's message after an answer that speaks of grief, and the way out beside it.
func TestSupport(t *testing.T) {
	t.Parallel()
	h := open(t, wallet.Credit)
	g := participanttest.FruitGuide()
	g.Config.SensitiveTopics.Message = "You are not alone.\nCall 116 123 <day and night>."
	b := h.browser()
	b.visit("/s/" + h.Launch(g, h.Wallet).LinkID)
	b.submit("/interviews", nil)
	b.submit("/answers", nil)
	b.submit("/answers", url.Values{"selected": {"a"}})
	if strings.Contains(b.page, "You are not alone") {
		t.Fatal("the message stands there before anybody said anything")
	}
	b.submit("/answers", url.Values{"text": {"My father died among his pears."}})
	b.shows("<p>You are not alone.</p>", "<p>Call 116 123 <day and night>.</p>", "Take the time you need", `href="#withdraw"`, `id="withdraw"`, "See you")
	if strings.Contains(b.page, "<day") {
		t.Error("the message is not escaped")
	}
}
