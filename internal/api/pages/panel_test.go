package pages_test

import (
	"net/http"
	"strings"
	"testing"

	"verbatim/internal/api/participant/participanttest"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/panel"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/authoring"
)

// withPanel returns a guide of one question whose participants come from a panel.
func withPanel(code string) *guide.Guide {
	g := participanttest.OneItemGuide()
	s := &panel.Settings{Participant: panel.Participant{Parameter: "pid"}, Redirects: panel.Redirects{Addresses: map[panel.Outcome]string{}}, Code: panel.Code{Fixed: code}}
	for _, outcome := range panel.Outcomes {
		s.Redirects.Addresses[outcome] = "https://panel.example/back?pid={{pid}}&status={{status}}"
	}
	g.Config.Panel = s
	return g
}

// TestBackToThePanel: without JavaScript the end, a withdrawal and a closed study show the way back as a link, with the completion code, and
// a second try shows a page of its own.
func TestBackToThePanel(t *testing.T) {
	t.Parallel()
	h := open(t, 100*wallet.Credit)
	live := h.Launch(withPanel("CODE-42"), h.Wallet)
	link := "/s/" + live.LinkID + "?pid=p1%22%3E%3Cscript%3Ealert(1)%3C/script%3E"
	b := h.browser()
	b.visit(link)
	b.submit("/interviews", nil)
	again := h.browser()
	again.visit(link) // the interview may be resumed in the browser that it began in
	again.submit("/interviews", nil)
	again.shows("You have already started", "another browser")
	if again.status != http.StatusConflict {
		t.Errorf("a second start is answered %d", again.status)
	}
	b.submit("/answers", nil)
	back := "https://panel.example/back?pid=p1%22%3E%3Cscript%3Ealert%281%29%3C%2Fscript%3E&status="
	b.shows("Thank you", `href="`+back+`complete"`, `rel="noreferrer"`, "Back to the panel", "Your completion code", "CODE-42")
	if strings.Contains(b.page, "<script>alert") || strings.Contains(b.page, "You can close this page now") {
		t.Errorf("the page at the end is\n%s", b.page)
	}
	again.visit(link)
	again.shows("You have already taken part")
	again.visit("/s/" + live.LinkID + "?_language=de")
	again.shows("Dieser Link funktioniert nicht")
	if again.status != http.StatusForbidden {
		t.Errorf("a link without the parameter is answered %d", again.status)
	}
	b.submit("/withdraw", nil)
	b.shows("being deleted", `href="`+back+`withdrawn"`)

	if _, err := (&authoring.Service{Store: h.Store}).Close(t.Context(), live); err != nil {
		t.Fatal(err)
	}
	again.visit("/s/" + live.LinkID + "?pid=p9")
	again.shows("This study is closed", `href="https://panel.example/back?pid=p9&status=closed"`)
	if again.status != http.StatusNotFound {
		t.Errorf("a closed study is answered %d", again.status)
	}
	again.visit("/s/" + live.LinkID)
	again.shows("We can’t find this study")
}

// TestPanelProtocol: programs are told what participants take along, and why they may not begin.
func TestPanelProtocol(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	h := &testAPI{participanttest.New(t, s, 100*wallet.Credit, newAPI(t, s).Register, participanttest.Contract(t))}
	g := withPanel("")
	g.Config.Panel.Redirects.After = 9
	live := h.Launch(g, h.Wallet)
	token, step := h.Begin(live.LinkID, "pid=p1")
	if step["exit"] != nil {
		t.Errorf("the first step has the exit %v", step["exit"])
	}
	status, body, _ := h.Call("POST", "/i/"+token+"/answers", object{"stepId": step["stepId"], "text": "Because."})
	exit, _ := body["step"].(object)["exit"].(object)
	if status != 200 || exit["url"] != "https://panel.example/back?pid=p1&status=complete" || exit["seconds"] != 9.0 || exit["code"] != nil {
		t.Errorf("the end is answered %d %v", status, body)
	}
	for query, want := range map[string]string{"pid=p1": "already_participated", "": "invalid_link"} {
		if status, body, _ := h.Call("POST", "/s/"+live.LinkID+"/interviews?"+query, nil); body["code"] != want {
			t.Errorf("a start from ?%s is answered %d %v, want %s", query, status, body, want)
		}
	}
	if status, body, _ := h.Call("POST", "/i/"+token+"/withdraw", nil); status != 200 || body["url"] != "https://panel.example/back?pid=p1&status=withdrawn" {
		t.Errorf("the withdrawal is answered %d %v", status, body)
	}
}
