package participant_test

import (
	"context"
	"fmt"
	"html"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"verbatim/internal/api/httpx"
	"verbatim/internal/api/participant"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/access"
	"verbatim/internal/service/fieldwork"
	"verbatim/internal/service/moderator"
)

func oneItemGuide() *guide.Guide {
	return &guide.Guide{Title: "One", Config: guide.Config{AvailableLanguages: []string{"en", "de"}}, Blocks: []guide.Block{
		{ID: "main", Type: guide.BlockFlat, Items: []guide.Item{{ID: "why", Type: guide.OpenEnded, Text: "Why?", FollowUp: guide.FollowUpNone}}},
	}}
}

// TestTooManyStarts checks that a network that starts too many interviews is told when to try again: programs by Retry-After, people in
// their language.
func TestTooManyStarts(t *testing.T) {
	t.Parallel()
	h := open(t, 100*wallet.Credit, func(a *participant.API) {
		a.Fieldwork.(*fieldwork.Service).Starts = store.StartRate{AtOnce: 2, PerHour: 1}
	})
	live := h.launch(oneItemGuide(), h.wallet)
	h.begin(live.LinkID, "")
	h.begin(live.LinkID, "")
	status, body, header := h.call("POST", "/s/"+live.LinkID+"/interviews", nil)
	if wait, err := strconv.Atoi(header.Get("Retry-After")); status != http.StatusTooManyRequests || body["code"] != "rate_limited" || err != nil || wait < 1 || wait > 3600 {
		t.Errorf("the third answers %d %v, Retry-After %q", status, body, header.Get("Retry-After"))
	}
	b := h.browser()
	b.visit("/s/" + live.LinkID)
	b.submit("/interviews", nil)
	if b.status != http.StatusTooManyRequests || b.header.Get("Retry-After") == "" {
		t.Errorf("the form is answered %d", b.status)
	}
	b.shows("Please wait a little", "from your network")
	b.visit("/s/" + live.LinkID + "?panel=a%26b&_language=de")
	b.submit("/interviews", nil)
	if b.status != http.StatusTooManyRequests {
		t.Errorf("the German form is answered %d", b.status)
	}
	b.shows(`lang="de"`, "Bitte warten Sie", `href="/s/`+live.LinkID+`?`, "panel=a%26b", "_language=de", "Noch einmal versuchen")
	other := h.launch(oneItemGuide(), h.wallet)
	h.begin(other.LinkID, "") // each study has its own limit
}

// TestStartsOfWideNetworks checks that with the default limits one address or /64 can start 60 interviews of a study at once, and larger
// IPv6 networks the multiples that access grants.
func TestStartsOfWideNetworks(t *testing.T) {
	t.Parallel()
	s := storetest.NewAt(t, storetest.NewClock())
	pace := store.StartRate{AtOnce: 60, PerHour: 120}
	for _, tt := range []struct {
		name    string
		address func(n int) string
		want    int
	}{
		{"one IPv4 address", func(int) string { return "192.0.2.1" }, 60},
		{"a /64", func(n int) string { return fmt.Sprintf("2001:db8:1:1::%x", n) }, 60},
		{"a /56", func(n int) string { return fmt.Sprintf("2001:db8:2:%x::1", n%256) }, 120},
		{"a /48", func(n int) string { return fmt.Sprintf("2001:db8:3:%x::1", n<<6) }, 480},
		{"700 providers", func(n int) string { return fmt.Sprintf("2001:%x::1", 0x1000+n) }, 700},
	} {
		passed := 0
		storetest.Write(t, s, func(tx *store.Tx) error {
			for n := range 700 {
				var from []response.Network
				for _, network := range access.Networks(netip.MustParseAddr(tt.address(n))) {
					from = append(from, response.Network(network))
				}
				wait, err := tx.CountStart(t.Context(), "study", from, pace)
				if err != nil {
					return err
				}
				if wait == 0 {
					passed++
				}
			}
			return nil
		})
		if passed != tt.want {
			t.Errorf("%s began %d interviews, want %d", tt.name, passed, tt.want)
		}
	}
}

// TestErrorPagesInInterviewLanguage checks that error pages of an interview are in its language in any browser, and link back to it.
func TestErrorPagesInInterviewLanguage(t *testing.T) {
	t.Parallel()
	h := open(t, wallet.Credit)
	b := h.browser()
	b.visit("/s/" + h.launch(oneItemGuide(), h.wallet).LinkID + "?_language=de")
	b.submit("/interviews", nil)
	interview := b.at
	b.submit("/answers", url.Values{"text": {strings.Repeat("a", httpx.MaxSmallBody)}})
	if b.status != http.StatusRequestEntityTooLarge {
		t.Errorf("a huge answer is answered %d", b.status)
	}
	b.shows(`lang="de"`, "Das ist zu lang: höchstens 20000 Zeichen.", `<a href="`+interview+`">Dort weitermachen</a>`)
	b.send(http.MethodPut, interview, nil)
	if b.status != http.StatusMethodNotAllowed {
		t.Errorf("PUT is answered %d", b.status)
	}
	b.shows(`lang="de"`, `<a href="`+interview+`">Dort weitermachen</a>`)
}

// TestFullWhileAnswering checks that an interview whose hold was released, and that cannot get another, says so and keeps what was typed.
func TestFullWhileAnswering(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	s := storetest.NewAt(t, clock)
	service := &fieldwork.Service{Store: s, Moderator: moderator.BuiltIn{}, Synchronous: true}
	h := openOn(t, s, wallet.Credit, func(a *participant.API) { a.Fieldwork = service })
	live := h.launch(oneItemGuide(), h.wallet)
	b := h.browser()
	b.visit("/s/" + live.LinkID)
	b.submit("/interviews", nil)
	token := strings.TrimPrefix(b.at, "/i/")
	clock.Advance(time.Hour)
	if _, err := service.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	taken, _ := h.begin(live.LinkID, "")
	b.submit("/answers", url.Values{"text": {"A long thought about apples."}})
	if b.status != http.StatusConflict {
		t.Errorf("the answer is answered %d", b.status)
	}
	b.shows("The study is not taking participants at the moment", "A long thought about apples.")
	if status, body, _ := h.call("POST", "/i/"+token+"/answers", object{"stepId": "s0", "text": "x"}); status != http.StatusConflict || body["code"] != "not_taking_participants" {
		t.Errorf("a program is answered %d %v", status, body)
	}
	if status, _, _ := h.call("POST", "/i/"+taken+"/withdraw", nil); status != http.StatusNoContent {
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
	h := open(t, wallet.Credit, func(a *participant.API) { a.Fieldwork.(*fieldwork.Service).Moderator = failingModerator{t} })
	g := oneItemGuide()
	g.Blocks[0].Items[0].FollowUp = guide.FollowUpHeavy
	live := h.launch(g, h.wallet)
	b := h.browser()
	b.visit("/s/" + live.LinkID)
	b.submit("/interviews", nil)
	storetest.Write(t, h.store, func(tx *store.Tx) error { // as if the server stopped before it asked the moderator
		list, err := tx.StudyResponses(t.Context(), live.ID, 0, 1)
		if err != nil {
			return err
		}
		return tx.AppendTurn(t.Context(), list[0].ID, 0, interview.Turn{StepID: "s0", Kind: interview.TurnAnswer, ItemID: "why", Answer: interview.Answer{Text: "Because."}, At: tx.Now()})
	})
	b.submit("/withdraw", nil)
	b.shows("Your answers are taken back")
}
