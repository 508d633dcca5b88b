package pages_test

import (
	"crypto/sha256"
	"encoding/base64"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"verbatim/internal/api/pages"
	"verbatim/internal/api/participant/participanttest"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/guide/guidetest"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

func TestInterviewByForms(t *testing.T) {
	t.Parallel()
	h := open(t, wallet.Credit)
	live := h.Launch(participanttest.FullGuide(), h.Wallet)
	b := h.browser()
	b.visit("/s/" + live.LinkID + "?panel=p7")
	b.shows("Everything", "artificial intelligence", "I agree, let’s begin")
	b.submit("/interviews", nil)
	if !strings.HasPrefix(b.at, "/i/") {
		t.Fatalf("starting leads to %s", b.at)
	}
	interview := b.at
	b.shows("Hello.", "Go on", "0 of 8 done", "save the address of this page")
	b.submit("/answers", nil)
	b.shows("Why?", `src="https://media.example.com/p.png" alt="A picture" width="60%"`, `<iframe src="https://proxy.example.com"`, "sandbox=")
	b.submit("/answers", url.Values{"text": {"Because of my\r\nmother."}})
	b.shows(`<p class="overline" lang="en" dir="auto">Why?</p>`)
	b.submit("/answers", nil)
	b.shows("Which one?", "Choose one answer.", "Something else")
	b.submit("/answers", url.Values{"selected": {guide.CustomOptionID("one")}, "customText": {"Delta"}})
	b.shows("Which ones?", "Choose between 2 and 3.", "None", "(on its own only)")
	b.submit("/answers", url.Values{"selected": {"b", "c"}})
	b.shows("In which order?")
	b.submit("/answers", url.Values{"rank.a": {"3"}, "rank.b": {"1"}, "rank.c": {"2"}})
	b.shows("How good?", "Taste", "Smell")
	b.submit("/answers", url.Values{"cell.r1": {"b"}, "cell.r2": {"c"}})
	b.shows("Best and worst?", "joy", "Most", "Least")
	b.submit("/answers", url.Values{"best": {"c"}, "worst": {"a"}})
	b.shows("The tin", "It is made of tin.", "<video src=", "Do you like it?", "https://proxy.example.com/tin")
	b.submit("/answers", nil)
	b.shows("Thank you", "Goodbye.")
	if b.at != interview {
		t.Errorf("the interview moved to %s", b.at)
	}

	r, err := h.Store.View().AnyResponse(t.Context(), participanttest.ResponseOf(t, h.Store, live.ID, 1))
	if err != nil || r.URLParams["panel"] != "p7" {
		t.Fatalf("stored with parameters %v, %v", r.URLParams, err)
	}
	turns, err := h.Store.View().Turns(t.Context(), r.ID)
	if err != nil {
		t.Fatal(err)
	}
	byItem := map[string]string{}
	for _, turn := range turns {
		a := turn.Answer
		said := strings.Join(append(append([]string{a.Text, a.CustomText, a.Best, a.Worst}, a.Selected...), a.Ranking...), " ")
		byItem[turn.ItemID] += string(turn.Kind) + " " + strings.Join(strings.Fields(said), " ") + a.Cells["r1"] + a.Cells["r2"] + "|"
	}
	for item, want := range map[string]string{
		"hello": "continue |", "one": "answer Delta|", "some": "answer b c|", "order": "answer b c a|", "grid": "answer bc|", "best": "answer c a|",
	} {
		if byItem[item] != want {
			t.Errorf("%s is stored as %q, want %q", item, byItem[item], want)
		}
	}
	if turns[1].Answer.Text != "Because of my\nmother." {
		t.Errorf("the text is stored as %q", turns[1].Answer.Text)
	}
}

func TestFormErrorsKeepWhatWasTyped(t *testing.T) {
	t.Parallel()
	h := open(t, wallet.Credit)
	b := h.begin(participanttest.FullGuide(), "")
	b.submit("/answers", nil) // the statement
	wrong := func(changes url.Values, shown ...string) {
		t.Helper()
		b.submit("/answers", changes)
		if b.status != http.StatusBadRequest {
			t.Fatalf("%v answers %d", changes, b.status)
		}
		b.shows("Please check your answer", `role="alert"`)
		b.shows(shown...)
	}
	right := func(changes url.Values) {
		t.Helper()
		b.submit("/answers", changes)
		if b.status != http.StatusOK {
			t.Fatalf("%v answers %d:\n%s", changes, b.status, b.page)
		}
	}
	wrong(url.Values{"text": {"  "}}, "Please enter an answer.")
	wrong(url.Values{"text": {strings.Repeat("ab ", 7000)}}, "The limit is 20000 characters", "ab ab ab")
	right(nil)
	right(nil) // the follow-up
	wrong(url.Values{"selected": nil}, "Please choose an answer.")
	wrong(url.Values{"selected": {"a", "b"}}, "Please choose at most 1.")
	wrong(url.Values{"selected": {guide.CustomOptionID("one")}}, "Please tell us what you mean", `value="`+guide.CustomOptionID("one")+`" checked`)
	right(url.Values{"selected": {"a"}, "customText": {"typed and left"}})
	wrong(url.Values{"selected": {"b"}}, "Please choose at least 2.", `value="b" checked`)
	wrong(url.Values{"selected": {"b", "n"}}, "can’t be combined with others", `value="n" checked`)
	right(url.Values{"selected": {"n"}})
	wrong(url.Values{"rank.a": {""}}, "a position from 1 to 3")
	b.marksInvalid("rank.a")
	wrong(url.Values{"rank.a": {"2"}, "rank.b": {"2"}, "rank.c": {"9"}}, "Position 2 is used more than once.", "a position from 1 to 3")
	b.marksInvalid("rank.a", "rank.b", "rank.c")
	wrong(url.Values{"rank.a": {"2"}, "rank.b": {"2"}, "rank.c": {"1"}}, "Position 2 is used more than once.", `name="rank.a" value="2"`)
	b.marksInvalid("rank.a", "rank.b")
	right(nil)
	wrong(url.Values{"cell.r1": nil, "cell.r2": {"b"}}, "one answer in each row", `name="cell.r2" value="b" checked`)
	right(nil)
	wrong(url.Values{"best": nil}, "Please choose one item for “Most”")
	wrong(url.Values{"best": {"a"}, "worst": {"a"}}, "can’t be the same item", `name="best" value="a" checked`)
	right(nil)
	b.shows("Do you like it?")
}

// TestFormAddressesLeadBack checks that opening a form's address redirects to the form's page, because a refused form leaves the
// browser there.
func TestFormAddressesLeadBack(t *testing.T) {
	t.Parallel()
	h := open(t, wallet.Credit)
	live := h.Launch(participanttest.OneItemGuide(), h.Wallet)
	b := h.browser()
	starts := "/s/" + live.LinkID + "/interviews?panel=p7&_language=de"
	b.visit(starts)
	if b.at != "/s/"+live.LinkID || b.status != http.StatusOK {
		t.Errorf("the address of starts leads to %s, which answers %d", b.at, b.status)
	}
	if action, _ := b.form("/interviews"); !strings.Contains(action, "panel=p7") {
		t.Errorf("the form posts to %s, without the query", action)
	}
	b.shows("Bevor es losgeht")
	b.submit("/interviews", nil)
	interview := b.at
	b.submit("/answers", url.Values{"text": {" "}})
	refused := b.at
	if b.status != http.StatusBadRequest || refused != interview+"/answers" {
		t.Fatalf("an empty answer shows %s with %d", refused, b.status)
	}
	for _, path := range []string{refused, interview + "/withdraw"} {
		b.visit(path)
		if b.at != interview || b.status != http.StatusOK {
			t.Errorf("%s leads to %s, which answers %d", path, b.at, b.status)
		}
		b.shows("Why?")
	}
	for _, path := range []string{starts, refused, interview + "/withdraw"} {
		if status, body, header := h.Call("GET", path, nil); status != http.StatusMethodNotAllowed || body["code"] != "method_not_allowed" || header.Get("Allow") != "POST" {
			t.Errorf("%s answers a program %d %v with Allow %q", path, status, body, header.Get("Allow"))
		}
	}
}

// invalidPlace matches the fields of a ranking that are marked as invalid.
var invalidPlace = regexp.MustCompile(`<input type="number" [^>]*name="([^"]*)"[^>]* aria-invalid="true" aria-describedby="errors">`)

// marksInvalid fails unless exactly these fields of the ranking are marked as invalid.
func (b *browser) marksInvalid(names ...string) {
	b.t.Helper()
	var marked []string
	for _, found := range invalidPlace.FindAllStringSubmatch(b.page, -1) {
		marked = append(marked, found[1])
	}
	slices.Sort(marked)
	if !slices.Equal(marked, names) {
		b.t.Errorf("marked as wrong are %v, want %v", marked, names)
	}
}

func TestFormsOfStepsThatWereLeft(t *testing.T) {
	t.Parallel()
	h := open(t, wallet.Credit)
	b := h.begin(participanttest.FullGuide(), "")
	action, form := b.filled("/answers")
	b.send(http.MethodPost, action, form)
	b.shows("Why?")
	b.send(http.MethodPost, action, form) // a double click
	b.shows("Why?")
	form.Set("stepId", "s77")
	b.send(http.MethodPost, action, form)
	b.shows("Why?")
}

func TestAnyGuideByForms(t *testing.T) {
	t.Parallel()
	h := open(t, 0)
	rapid.Check(t, func(r *rapid.T) {
		g := guidetest.Creatable(r)
		g.Config.QuestionLanguage = "en" // minChoices reads English
		live := h.Launch(g, "")
		b := h.browser()
		b.visit("/s/" + live.LinkID + "?p=1")
		b.submit("/interviews", nil)
		for steps := 0; strings.Contains(b.page, "/answers"); steps++ {
			if b.status != http.StatusOK || steps > 500 {
				r.Fatalf("after %d steps the page answers %d:\n%s", steps, b.status, b.page)
			}
			action, form := b.filled("/answers")
			if least := minChoices(b.page); least > 1 {
				form["selected"] = nil
				for _, choice := range nonExclusive.FindAllStringSubmatch(b.page, -1) {
					if len(form["selected"]) < least {
						form["selected"] = append(form["selected"], html.UnescapeString(choice[1]))
					}
				}
			}
			for _, id := range form["selected"] {
				if strings.HasPrefix(id, "other:") && strings.Contains(b.page, `name="customText"`) {
					form.Set("customText", "Mine")
				}
			}
			b.send(http.MethodPost, action, form)
		}
	})
}

// nonExclusive matches the options that are not exclusive.
var nonExclusive = regexp.MustCompile(`name="selected" value="([^"]*)"[^>]*> <span dir="auto">[^<]*</span>`)

// minChoices returns the minimum number of choices in the hint.
func minChoices(page string) int {
	for _, lead := range []string{"Choose between ", "Choose at least ", "Choose "} {
		if _, rest, found := strings.Cut(page, `id="hint">`+lead); found && rest[0] >= '1' && rest[0] <= '9' {
			return int(rest[0] - '0')
		}
	}
	return 1
}

func TestWithdrawByForm(t *testing.T) {
	t.Parallel()
	h := open(t, wallet.Credit)
	b := h.begin(participanttest.FullGuide(), "")
	at := b.at
	b.submit("/withdraw", nil)
	b.shows("Your answers have been deleted")
	b.visit(at)
	b.shows("This interview is no longer available")
	if b.status != http.StatusGone {
		t.Errorf("answers %d, want 410", b.status)
	}
}

func TestPagesWithoutAnInterview(t *testing.T) {
	t.Parallel()
	h := open(t, 0)
	live := h.Launch(participanttest.FullGuide(), h.Wallet)
	b := h.browser()
	for path, want := range map[string]struct {
		status int
		words  string
	}{
		"/s/" + live.LinkID:             {409, "Not open to participants right now"},
		"/s/nowhere":                    {404, "We can’t find this study"},
		"/i/" + strings.Repeat("a", 42): {404, "Page not found"},
		"/i/x/y/z":                      {404, "Page not found"},
	} {
		b.visit(path)
		b.shows(want.words)
		if b.status != want.status {
			t.Errorf("%s answers %d, want %d", path, b.status, want.status)
		}
		for name, value := range map[string]string{
			"Referrer-Policy": "same-origin", "X-Robots-Tag": "noindex", "Cache-Control": "private, no-store", "X-Content-Type-Options": "nosniff",
			"Permissions-Policy": "accelerometer=(), camera=(self), display-capture=(self), geolocation=(), gyroscope=(), hid=(), magnetometer=(), microphone=(self), midi=(), payment=(), serial=(), usb=()",
		} {
			if b.header.Get(name) != value {
				t.Errorf("%s: %s is %q, want %q", path, name, b.header.Get(name), value)
			}
		}
		if policy := b.header.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "script-src") {
			t.Errorf("%s: the policy is %q", path, policy)
		}
	}
	if strings.Contains(b.page, "<script") {
		t.Error("the page has a script")
	}
}

func TestScreenedOutPage(t *testing.T) {
	t.Parallel()
	h := open(t, wallet.Credit)
	b := h.browser()
	b.visit("/s/" + h.Launch(guidetest.Rich(), h.Wallet).LinkID + "?_language=de")
	b.shows("Bevor es losgeht", `lang="de"`, `aria-current="true">Deutsch`, "künstliche Intelligenz")
	b.submit("/interviews", nil)
	b.submit("/answers", url.Values{"selected": {"never"}})
	b.shows("Danke für Ihr Interesse", "Sie können diese Seite jetzt schließen.")
}

func TestOldLinkLeadsToTheCurrent(t *testing.T) {
	t.Parallel()
	h := open(t, wallet.Credit)
	live := h.Launch(participanttest.FullGuide(), h.Wallet)
	storetest.Write(t, h.Store, func(tx *store.Tx) error { return tx.RenameLink(t.Context(), h.Org, live.ID, "new-name") })
	b := h.browser()
	b.visit("/s/" + live.LinkID + "?panel=1")
	if b.at != "/s/new-name" {
		t.Errorf("an old link leads to %s", b.at)
	}
	if action, _ := b.form("/interviews"); action != "/s/new-name/interviews?panel=1" {
		t.Errorf("the form posts to %s", action)
	}
	if status, body, _ := h.Call("GET", "/s/"+live.LinkID, nil); status != http.StatusOK || body["title"] != "Everything" {
		t.Errorf("a program gets %d %v by an old link", status, body)
	}
}

// TestStyleIsInline checks that pages hold their style sheet, so that they render without another request, and that the policy allows
// no other style.
func TestStyleIsInline(t *testing.T) {
	t.Parallel()
	for name, with := range map[string]func(*pages.API){"with the app": withApp, "without": func(*pages.API) {}} {
		h := open(t, wallet.Credit, with)
		b := h.browser()
		for _, path := range []string{"/s/" + h.Launch(participanttest.FullGuide(), h.Wallet).LinkID, "/s/nowhere"} {
			b.visit(path)
			_, rest, _ := strings.Cut(b.page, "<style>")
			text, _, closed := strings.Cut(rest, "</style>")
			hash := sha256.Sum256([]byte(text))
			source := "'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'"
			policy := b.header.Get("Content-Security-Policy")
			if !closed || len(text) < 1000 || !strings.Contains(policy, source) || strings.Contains(policy, "unsafe") || strings.Contains(policy, "style-src 'self'") {
				t.Errorf("%s, %s: a style of %d bytes, %s, under the policy %q", name, path, len(text), source, policy)
			}
			if strings.Contains(b.page, `rel="stylesheet"`) {
				t.Errorf("%s: %s loads a style sheet", name, path)
			}
		}
	}
}
