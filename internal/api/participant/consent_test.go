package participant_test

import (
	"net/http"
	"strings"
	"testing"

	"verbatim/internal/api/participant"
	"verbatim/internal/api/participant/participanttest"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/fieldwork"
)

// consentGuide returns a guide of three open questions with a consent of its own.
func consentGuide() *guide.Guide {
	g := participanttest.OneItemGuide()
	for _, id := range []string{"how", "when"} {
		g.Blocks[0].Items = append(g.Blocks[0].Items, guide.Item{ID: id, Type: guide.OpenEnded, Text: "And " + id + "?", FollowUp: guide.FollowUpNone})
	}
	g.Config.InterviewMode = guide.ModeVideo
	g.Config.Consent = guide.Consent{Asked: true, Text: "We study **breakfast**.", Contact: "Ask Ann.", PrivacyURL: "https://example.org/privacy", Retention: "Until May.", MinimumAge: 16}
	return g
}

// TestConsent: an interview begins only with the consent of today and the age that it asks for; the exact text is kept once with its
// version and named in the log; and it is asked for again when, and only when, its text has changed.
func TestConsent(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	api := newAPI(t, s, func(a *participant.API) {
		a.Fieldwork.(*fieldwork.Service).Processors = fieldwork.Processors{
			Model: fieldwork.Processor{Host: "llm.example.net", Name: "Example AI"}, Speech: fieldwork.Processor{Host: "speech.example.net"},
		}
	})
	h := participanttest.New(t, s, 9*wallet.Credit, api.Register, participanttest.Contract(t))
	live := h.Launch(consentGuide(), h.Wallet)
	link := "/s/" + live.LinkID
	_, landing, _ := h.Call("GET", link, nil)
	consent := landing["consent"].(object)
	version := consent["version"].(string)
	for _, body := range []object{{}, {"consent": version}, {"consent": version, "oldEnough": false}} {
		if status, answer, _ := h.Call("POST", link+"/interviews", body); status != http.StatusForbidden || answer["code"] != "age_not_confirmed" {
			t.Errorf("%v: %d %v", body, status, answer)
		}
	}
	if status, answer, _ := h.Call("POST", link+"/interviews", object{"consent": strings.Repeat("0", 64), "oldEnough": true}); status != http.StatusConflict || answer["code"] != "consent_changed" {
		t.Errorf("an older text: %d %v", status, answer)
	}
	if count, _, err := s.View().Arrivals(t.Context(), live.ID, 0); err != nil || count != 0 {
		t.Fatalf("%d responses of participants who did not agree, %v", count, err)
	}
	begin := func() (token, id string) {
		status, begun, _ := h.Call("POST", link+"/interviews", object{"consent": version, "oldEnough": true})
		if status != http.StatusCreated {
			t.Fatalf("%d %v", status, begun)
		}
		r, err := api.Fieldwork.ResponseByToken(t.Context(), begun["token"].(string))
		if err != nil {
			t.Fatal(err)
		}
		return begun["token"].(string), r.ID
	}
	token, id := begin()
	begin()
	given, err := s.View().Consent(t.Context(), id)
	if err != nil || given == nil || given.Version != 1 || given.Hash != version || given.GivenAt.IsZero() {
		t.Fatalf("stored %+v, %v", given, err)
	}
	for _, part := range []string{"artificial intelligence", "We study **breakfast**.", "Ask Ann.", "https://example.org/privacy", "Until May.", "Your voice", "your camera", "Example AI (llm.example.net)", "speech.example.net", "Are you 16 or older?"} {
		if !strings.Contains(given.Text, part) {
			t.Errorf("the text lacks %q:\n%s", part, given.Text)
		}
	}
	if strings.Contains(given.Text, "your screen") || strings.Contains(given.Text, "files that you add") {
		t.Errorf("the text names what is not recorded:\n%s", given.Text)
	}
	answer := func(step string) {
		t.Helper()
		if status, body, _ := h.Call("POST", "/i/"+token+"/answers", object{"stepId": step, "text": "So."}); status != http.StatusOK {
			t.Fatalf("%s: %d %v", step, status, body)
		}
	}
	answer("s0")
	if _, body, _ := h.Call("GET", "/i/"+token, nil); body["consent"] != nil {
		t.Errorf("a text that did not change is asked for again: %v", body["consent"])
	}
	h.SaveBrand(org.Brand{Name: "Larkspur"}) // is named as responsible
	_, body, _ := h.Call("GET", "/i/"+token, nil)
	due, _ := body["consent"].(object)
	if due == nil || due["again"] == nil || due["age"] != nil || due["version"] == version {
		t.Fatalf("after a change: %v", due)
	}
	if status, body, _ := h.Call("POST", "/i/"+token+"/consent", object{"consent": version}); status != http.StatusConflict || body["code"] != "consent_changed" {
		t.Errorf("agreeing to the earlier text: %d %v", status, body)
	}
	for range 2 {
		if status, body, _ := h.Call("POST", "/i/"+token+"/consent", object{"consent": due["version"]}); status != http.StatusOK || body["consent"] != nil {
			t.Errorf("agreeing: %d %v", status, body)
		}
	}
	answer("s1")
	answer("s2")
	turns, err := s.View().Turns(t.Context(), id)
	if err != nil || len(turns) != 3 || turns[0].Consent != version || turns[1].Consent != due["version"] || turns[2].Consent != "" {
		t.Errorf("the log names %+v, %v", turns, err)
	}
	texts, err := s.View().Consents(t.Context(), live.ID)
	if err != nil || len(texts) != 2 || texts[due["version"].(string)].Version != 2 {
		t.Errorf("the study keeps %+v, %v", texts, err)
	}
	if status, _, _ := h.Call("POST", "/i/"+token+"/withdraw", nil); status != http.StatusNoContent {
		t.Fatal(status)
	}
	if status, body, _ := h.Call("POST", "/i/"+token+"/consent", object{"consent": version}); status != http.StatusGone {
		t.Errorf("agreeing after the end: %d %v", status, body)
	}
	if left, err := s.View().Consent(t.Context(), id); err != nil || left != nil {
		t.Errorf("a deleted response has given %+v, %v", left, err)
	}
}
