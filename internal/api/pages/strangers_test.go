package pages_test

import (
	"context"
	"html"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"verbatim/internal/api/httpx"
	"verbatim/internal/api/pages"
	"verbatim/internal/api/participant/participanttest"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/fieldwork"
	"verbatim/internal/service/moderator"
)

// TestTooManyStarts checks that a network that starts too many interviews is told when to try again: programs by Retry-After, people in
// their language.
func TestTooManyStarts(t *testing.T) {
	t.Parallel()
	h := open(t, 100*wallet.Credit, func(a *pages.API) {
		a.Protocol.Fieldwork.(*fieldwork.Service).Starts = store.StartRate{AtOnce: 2, PerHour: 1}
	})
	live := h.Launch(participanttest.OneItemGuide(), h.Wallet)
	h.Begin(live.LinkID, "")
	h.Begin(live.LinkID, "")
	status, body, header := h.Call("POST", "/s/"+live.LinkID+"/interviews", nil)
	if wait, err := strconv.Atoi(header.Get("Retry-After")); status != http.StatusTooManyRequests || body["code"] != "rate_limited" || err != nil || wait < 1 || wait > 3600 {
		t.Errorf("the third answers %d %v, Retry-After %q", status, body, header.Get("Retry-After"))
	}
	b := h.browser()
	b.visit("/s/" + live.LinkID)
	b.submit("/interviews", nil)
	if b.status != http.StatusTooManyRequests || b.header.Get("Retry-After") == "" {
		t.Errorf("the form is answered %d", b.status)
	}
	b.shows("Please wait a moment", "on your network")
	b.visit("/s/" + live.LinkID + "?panel=a%26b&_language=de")
	b.submit("/interviews", nil)
	if b.status != http.StatusTooManyRequests {
		t.Errorf("the German form is answered %d", b.status)
	}
	b.shows(`lang="de"`, "Bitte warten Sie", `href="/s/`+live.LinkID+`?`, "panel=a%26b", "_language=de", "Noch einmal versuchen")
	other := h.Launch(participanttest.OneItemGuide(), h.Wallet)
	h.Begin(other.LinkID, "") // each study has its own limit
}

// TestErrorPagesInInterviewLanguage checks that error pages of an interview are in its language in any browser, and link back to it.
func TestErrorPagesInInterviewLanguage(t *testing.T) {
	t.Parallel()
	h := open(t, wallet.Credit)
	b := h.begin(participanttest.OneItemGuide(), "?_language=de")
	interview := b.at
	b.submit("/answers", url.Values{"text": {strings.Repeat("a", httpx.MaxSmallBody)}})
	if b.status != http.StatusRequestEntityTooLarge {
		t.Errorf("a huge answer is answered %d", b.status)
	}
	b.shows(`lang="de"`, "Ihre Antwort ist zu lang. Erlaubt sind 20000 Zeichen.", `<a href="`+interview+`">Interview fortsetzen</a>`)
	b.send(http.MethodPut, interview, nil)
	if b.status != http.StatusMethodNotAllowed {
		t.Errorf("PUT is answered %d", b.status)
	}
	b.shows(`lang="de"`, `<a href="`+interview+`">Interview fortsetzen</a>`)
}

// TestFullWhileAnswering checks that an interview whose hold was released, and that cannot get another, says so and keeps what was typed.
func TestFullWhileAnswering(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	s := storetest.NewAt(t, clock)
	service := &fieldwork.Service{Store: s, Moderator: moderator.BuiltIn{}, Synchronous: true}
	h := openOn(t, s, wallet.Credit, func(a *pages.API) { a.Protocol.Fieldwork = service })
	live := h.Launch(participanttest.OneItemGuide(), h.Wallet)
	b := h.browser()
	b.visit("/s/" + live.LinkID)
	b.submit("/interviews", nil)
	token := strings.TrimPrefix(b.at, "/i/")
	clock.Advance(time.Hour)
	if _, err := service.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	taken, _ := h.Begin(live.LinkID, "")
	b.submit("/answers", url.Values{"text": {"A long thought about apples."}})
	if b.status != http.StatusConflict {
		t.Errorf("the answer is answered %d", b.status)
	}
	b.shows("This study isn’t taking participants at the moment", "A long thought about apples.")
	if status, body, _ := h.Call("POST", "/i/"+token+"/answers", object{"stepId": "s0", "text": "x"}); status != http.StatusConflict || body["code"] != "not_taking_participants" {
		t.Errorf("a program is answered %d %v", status, body)
	}
	if status, _, _ := h.Call("POST", "/i/"+taken+"/withdraw", nil); status != http.StatusNoContent {
		t.Fatalf("withdrawing answers %d", status)
	}
	b.submit("/answers", url.Values{"text": {typedText(b.page)}})
	b.shows("Thank you")
}

// typedText returns the content of a page's text area.
func typedText(page string) string {
	_, after, _ := strings.Cut(page, "<textarea")
	_, after, _ = strings.Cut(after, ">")
	text, _, _ := strings.Cut(after, "</textarea>")
	return html.UnescapeString(text)
}

// failingModerator fails the test when it is asked.
type failingModerator struct{ t *testing.T }

func (m failingModerator) Decide(context.Context, interview.Ask) interview.Decision {
	m.t.Error("the moderator was asked")
	return interview.Decision{}
}

// TestWithdrawingDoesNotAskTheModerator checks that withdrawing does not ask for the follow-up that is due.
func TestWithdrawingDoesNotAskTheModerator(t *testing.T) {
	t.Parallel()
	h := open(t, wallet.Credit, func(a *pages.API) { a.Protocol.Fieldwork.(*fieldwork.Service).Moderator = failingModerator{t} })
	g := participanttest.OneItemGuide()
	g.Blocks[0].Items[0].FollowUp = guide.FollowUpHeavy
	live := h.Launch(g, h.Wallet)
	b := h.browser()
	b.visit("/s/" + live.LinkID)
	b.submit("/interviews", nil)
	storetest.Write(t, h.Store, func(tx *store.Tx) error { // as if the server stopped before it asked the moderator
		list, err := tx.StudyResponses(t.Context(), live.ID, 0, 1)
		if err != nil {
			return err
		}
		return tx.AppendTurn(t.Context(), list[0].ID, 0, interview.Turn{StepID: "s0", Kind: interview.TurnAnswer, ItemID: "why", Answer: interview.Answer{Text: "Because."}, At: tx.Now()})
	})
	b.submit("/withdraw", nil)
	b.shows("Your answers have been deleted")
}
