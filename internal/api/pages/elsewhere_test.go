package pages_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"verbatim/internal/api/participant/participanttest"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/service/fieldwork"
)

// TestAnsweredElsewhere checks that the form of a step which another device has answered is not shown as accepted: the page says whose
// answer stands, and keeps what was written. A form that was sent twice goes on.
func TestAnsweredElsewhere(t *testing.T) {
	t.Parallel()
	h := open(t, wallet.Credit, withApp)
	b := h.begin(participanttest.FullGuide(), "")
	b.submit("/answers", nil) // the statement
	interview := b.at
	answers, form := b.filled("/answers")
	status, _, _ := h.Call("POST", interview+"/answers", object{"stepId": form.Get("stepId"), "text": "From the <phone>."})
	if status != http.StatusOK {
		t.Fatal(status)
	}
	form.Set("text", "From the laptop,\r\nwritten at length.")
	b.send(http.MethodPost, answers, form)
	if b.status != http.StatusConflict {
		t.Errorf("another answer is answered %d", b.status)
	}
	b.shows("You already answered this question in another window", "From the <phone>.", "What you wrote here was not sent", "From the laptop,", "written at length.")
	if data := b.bootstrap(); data["unsent"] != "From the laptop,\nwritten at length." || data["answered"].(object)["said"].([]any)[0] != "From the <phone>." {
		t.Errorf("the app learns unsent %q, answered %v", data["unsent"], data["answered"])
	}

	form.Set("text", "From the <phone>.")
	b.send(http.MethodPost, answers, form)
	if b.status != http.StatusOK || b.at != interview || strings.Contains(b.page, `class="sheet kept"`) {
		t.Errorf("the same answer sent twice is answered %d at %s", b.status, b.at)
	}
	b.shows("Earlier in this interview", "Why?", "From the <phone>.") // the conversation above the follow-up

	b.submit("/answers", nil) // the follow-up
	stale := url.Values{"stepId": {"s1"}, "text": {"Again."}}
	b.send(http.MethodPost, answers, stale)
	if b.status != http.StatusConflict {
		t.Errorf("an answer to an older step is answered %d", b.status)
	}
	b.shows("Which one?", "From the <phone>.", "Again.")
}

// TestPageWithoutCredits checks that the page tells on resuming that an answer would be refused, and that the closed link's page lets the app
// offer an interview that has begun.
func TestPageWithoutCredits(t *testing.T) {
	t.Parallel()
	h := open(t, wallet.Credit, withApp)
	live := h.Launch(participanttest.FullGuide(), h.Wallet)
	b := h.browser()
	b.visit("/s/" + live.LinkID)
	b.shows("Takes about 1 to 7 minutes.")
	b.submit("/interviews", nil)
	interview := b.at
	if data := b.bootstrap(); data["accepting"] != true {
		t.Error("an interview that holds its credit takes no answers")
	}
	sweep := fieldwork.Service{Store: h.Store, AbandonAfter: time.Nanosecond, UnansweredAfter: time.Nanosecond}
	if swept, err := sweep.Sweep(t.Context()); swept != 1 || err != nil {
		t.Fatal(swept, err)
	}
	h.Begin(live.LinkID, "") // takes the only credit
	b.visit(interview)
	b.shows("The study is not taking answers at the moment.")
	if data := b.bootstrap(); data["accepting"] != false {
		t.Error("the app does not learn that an answer would be refused")
	}
	b.visit("/s/" + live.LinkID)
	if data := b.bootstrap(); b.status != http.StatusConflict || data["closed"] == nil || data["linkId"] != live.LinkID {
		t.Errorf("the link answers %d, and the app learns %v", b.status, data["closed"])
	}
	b.shows("Not open to participants right now")
}
