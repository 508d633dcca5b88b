package participant_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"verbatim/internal/api/participant/participanttest"
	"verbatim/internal/domain/guide/guidetest"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/simulation"
)

func TestLandingPage(t *testing.T) {
	t.Parallel()
	h := open(t, wallet.Credit)
	live := h.Launch(guidetest.Rich(), h.Wallet)
	h.TranslateInto(live, guidetest.Rich(), "", "de")
	status, body, _ := h.Call("GET", "/s/"+live.LinkID, nil)
	if status != http.StatusOK {
		t.Fatalf("answers %d %v", status, body)
	}
	disclosure, _ := body["disclosure"].(string)
	if !strings.Contains(disclosure, "artificial intelligence") {
		t.Errorf("the disclosure is %q", disclosure)
	}
	want := object{
		"title": "Your coffee at home", "interviewMode": "audio_text", "languages": []any{"en", "de"}, "disclosure": disclosure,
		"welcomeMessage": object{"title": "Thank you for joining us", "message": guidetest.Rich().Welcome.Message},
		"platforms":      []any{}, "minutes": object{"from": 4.0, "to": 25.0}, "organization": object{"name": "Orchard Research", "colour": nil, "logo": nil},
	}
	if diff := cmp.Diff(want, body); diff != "" {
		t.Errorf("landing page (-want +got):\n%s", diff)
	}
}

var stepKeys = []string{"capture", "concept", "conversation", "exit", "kind", "message", "moderator", "progress", "question", "stepId", "support"}

var questionKeys = []string{
	"allowCustomOption", "columns", "continueButtonText", "embed", "id", "maxSelect", "media", "metric", "minSelect", "multiSelect",
	"number", "options", "preferredInput", "rows", "screen", "text", "type",
}

// checkKeys checks that a step has all of its keys.
func checkKeys(t testing.TB, step object) {
	t.Helper()
	if diff := cmp.Diff(stepKeys, slices.Sorted(maps.Keys(step))); diff != "" {
		t.Errorf("keys of a step (-want +got):\n%s", diff)
	}
	if question, ok := step["question"].(object); ok {
		if diff := cmp.Diff(questionKeys, slices.Sorted(maps.Keys(question))); diff != "" {
			t.Errorf("keys of a question (-want +got):\n%s", diff)
		}
	}
	if concept, ok := step["concept"].(object); ok {
		if diff := cmp.Diff([]string{"description", "embedUrl", "id", "media", "title"}, slices.Sorted(maps.Keys(concept))); diff != "" {
			t.Errorf("keys of a concept (-want +got):\n%s", diff)
		}
	}
}

func TestStepOfEveryKind(t *testing.T) {
	t.Parallel()
	h := open(t, wallet.Credit)
	token, step := h.Begin(h.Launch(participanttest.FullGuide(), h.Wallet).LinkID, "")
	blank := func(id, kind, text string, number float64) object {
		q := object{"id": id, "number": number, "type": kind, "text": text, "media": []any{}}
		for _, key := range questionKeys {
			if _, set := q[key]; !set {
				q[key] = nil
			}
		}
		return q
	}
	with := func(q object, more object) object { maps.Copy(q, more); return q }
	option := func(id, text string, exclusive bool) object {
		return object{"id": id, "text": text, "exclusive": exclusive}
	}
	plain := []any{option("a", "Alpha", false), option("b", "Beta", false), option("c", "Gamma", false)}
	why := func() object {
		return with(blank("why", "open_ended", "Why?", 2), object{
			"preferredInput": "text", "embed": object{"url": "https://shop.example.com", "proxyUrl": "https://proxy.example.com"},
			"media": []any{object{"type": "image", "name": "A picture", "url": "https://media.example.com/p.png", "widthPercentage": 60.0, "forceWatching": false, "captions": []any{}}},
		})
	}
	tin := object{
		"id": "tin", "title": "The tin", "description": "It is made of tin.", "embedUrl": "https://proxy.example.com/tin",
		"media": []any{object{"type": "video", "name": "A film", "url": "https://media.example.com/f.mp4", "widthPercentage": nil, "forceWatching": true, "captions": []any{}}},
	}
	for i, c := range []struct {
		kind      string
		moderator any
		question  any
		concept   any
		message   any
		answer    object
	}{
		{"statement", "Hello.", with(blank("hello", "statement", "Hello.", 1), object{"continueButtonText": "Go on"}), nil, nil, object{}},
		{"question", "Why?", why(), nil, nil, object{"text": "Because of my mother."}},
		{"follow_up", nil, why(), nil, nil, object{"text": "She had an orchard.", "selected": nil}},
		{
			"question", "Which one?", with(blank("one", "multiple_choice", "Which one?", 3), object{"options": plain, "multiSelect": false, "allowCustomOption": true}),
			nil, nil,
			object{"customText": "Delta"},
		},
		{
			"question", "Which ones?", with(blank("some", "multiple_choice", "Which ones?", 4), object{
				"options": append(slices.Clone(plain), option("n", "None", true)), "multiSelect": true, "allowCustomOption": false,
				"minSelect": 2.0, "maxSelect": 3.0,
			}),
			nil, nil,
			object{"selected": []string{"a", "c"}},
		},
		{"question", "In which order?", with(blank("order", "ranking", "In which order?", 5), object{"options": plain}), nil, nil, object{"ranking": []string{"c", "a", "b"}}},
		{
			"question", "How good?", with(blank("grid", "matrix", "How good?", 6), object{
				"multiSelect": false, "rows": []any{object{"id": "r1", "text": "Taste"}, object{"id": "r2", "text": "Smell"}},
				"columns": []any{object{"id": "a", "text": "Alpha"}, object{"id": "b", "text": "Beta"}, object{"id": "c", "text": "Gamma"}},
			}),
			nil, nil,
			object{"cells": object{"r1": "a", "r2": "c"}},
		},
		{
			"question", "Best and worst?", with(blank("best", "max_diff", "Best and worst?", 7), object{
				"options": plain, "metric": "joy", "screen": object{"index": 0.0, "count": 1.0},
			}),
			nil, nil,
			object{"best": "a", "worst": "b"},
		},
		{"question", "Do you like it?", blank("like", "open_ended", "Do you like it?", 8), tin, nil, object{"text": "Yes."}},
		{"complete", nil, nil, nil, "Goodbye.", nil},
	} {
		checkKeys(t, step)
		if c.kind == "follow_up" { // the moderator chooses its words
			if words, _ := step["moderator"].(string); words == "" {
				t.Errorf("the follow-up has no words: %v", step)
			}
			c.moderator = step["moderator"]
		}
		if c.question != nil && c.question.(object)["type"] == "max_diff" { // the order of the options is random
			options := step["question"].(object)["options"].([]any)
			slices.SortFunc(options, func(a, b any) int { return strings.Compare(a.(object)["id"].(string), b.(object)["id"].(string)) })
		}
		said := []any{}
		if c.kind == "follow_up" {
			said = []any{object{
				"stepId": "s1", "kind": "question", "type": "open_ended", "concept": nil, "moderator": "Why?", "said": []any{"Because of my mother."}, "recorded": false,
			}}
		}
		want := object{
			"stepId": step["stepId"], "kind": c.kind, "moderator": c.moderator, "question": c.question, "concept": c.concept,
			"capture": nil, "message": c.message, "progress": step["progress"], "support": nil, "exit": nil, "conversation": said,
		}
		if diff := cmp.Diff(want, step); diff != "" {
			t.Fatalf("step %d (-want +got):\n%s", i, diff)
		}
		if c.answer == nil {
			break
		}
		c.answer["stepId"] = step["stepId"]
		status, body, _ := h.Call("POST", "/i/"+token+"/answers", c.answer)
		if status != http.StatusOK {
			t.Fatalf("step %d is answered %d %v", i, status, body)
		}
		step = body["step"].(object)
		if _, again, _ := h.Call("GET", "/i/"+token, nil); !cmp.Equal(again["step"], any(step)) {
			t.Errorf("GET returns another step:\n%s", cmp.Diff(any(step), again["step"]))
		}
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	h := open(t, 3*wallet.Credit)
	live := h.Launch(participanttest.FullGuide(), h.Wallet)
	draft := storetest.Draft(t, h.Store, h.Org, "")
	token, first := h.Begin(live.LinkID, "")
	_, body, _ := h.Call("POST", "/i/"+token+"/answers", object{"stepId": first["stepId"]})
	second := body["step"].(object)
	third := object{"stepId": second["stepId"], "text": "Because."}
	if status, _, _ := h.Call("POST", "/i/"+token+"/answers", third); status != http.StatusOK {
		t.Fatal("the second answer is refused")
	}
	taken, _ := h.Begin(live.LinkID, "")
	if status, _, _ := h.Call("POST", "/i/"+taken+"/withdraw", nil); status != http.StatusNoContent {
		t.Fatalf("withdrawing answers %d", status)
	}
	for range 2 {
		h.Begin(live.LinkID, "") // the wallet is empty now
	}
	nobody := strings.Repeat("a", 42)
	answers := "/i/" + token + "/answers"
	for _, c := range []struct {
		method, path string
		body         any
		status       int
		code         string
	}{
		{"GET", "/s/nowhere", nil, 404, "study_not_found"},
		{"GET", "/s/" + draft.LinkID, nil, 404, "study_not_found"},
		{"POST", "/s/nowhere/interviews", nil, 404, "study_not_found"},
		{"POST", "/s/" + live.LinkID + "/interviews", nil, 409, "not_taking_participants"},
		{"POST", "/s/" + live.LinkID + "/interviews", `{"language":"fr"}`, 400, "invalid_request_body"},
		{"POST", "/s/" + live.LinkID + "/interviews", `{"lang":"en"}`, 400, "invalid_request_body"},
		{"POST", "/s/" + live.LinkID + "/interviews", `{`, 400, "invalid_json"},
		{"GET", "/i/" + nobody, nil, 404, "interview_not_found"},
		{"POST", "/i/" + nobody + "/answers", object{"stepId": "s0"}, 404, "interview_not_found"},
		{"POST", "/i/" + nobody + "/withdraw", nil, 404, "interview_not_found"},
		{"GET", "/i/" + taken, nil, 410, "interview_gone"},
		{"POST", "/i/" + taken + "/answers", object{"stepId": "s0"}, 410, "interview_gone"},
		{"POST", "/i/" + taken + "/withdraw", nil, 410, "interview_gone"},
		{"POST", answers, object{"stepId": first["stepId"]}, 409, "stale_step"},
		{"POST", answers, object{"stepId": "s3", "text": " "}, 400, "invalid_answer"},
		{"POST", answers, object{"stepId": "s3", "text": "x", "recordings": object{"audio": "u1"}}, 400, "invalid_answer"},
		{"POST", answers, object{"text": "x"}, 400, "invalid_request_body"},
		{"POST", answers, object{"stepId": "s3", "words": "x"}, 400, "invalid_request_body"},
		{"POST", answers, `{"stepId":"s3","stepId":"s3"}`, 400, "invalid_json"},
		{"POST", answers, `{"stepId":"s3","text":"` + strings.Repeat("x", 4<<20) + `"}`, 413, "payload_too_large"},
		{"DELETE", "/s/" + live.LinkID, nil, 405, "method_not_allowed"},
		{"GET", answers, nil, 405, "method_not_allowed"},
		{"GET", "/s/", nil, 404, "not_found"},
		{"GET", "/i/" + token + "/answers/1", nil, 404, "not_found"},
	} {
		t.Run(c.method+" "+c.code+" "+c.path[:min(len(c.path), 12)], func(t *testing.T) {
			status, body, header := h.Call(c.method, c.path, c.body)
			if status != c.status || body["code"] != c.code || body["error"] == "" {
				t.Fatalf("answers %d %v, want %d %s", status, body, c.status, c.code)
			}
			if issues, _ := body["issues"].([]any); (len(issues) > 0) != (c.code == "invalid_answer" || c.code == "invalid_request_body") {
				t.Errorf("issues are %v", body["issues"])
			}
			if step, ok := body["step"].(object); ok != (c.code == "stale_step") {
				t.Errorf("step is %v", body["step"])
			} else if ok {
				checkKeys(t, step)
				if step["stepId"] != "s3" {
					t.Errorf("the stale answer is answered with step %v, want s3", step["stepId"])
				}
			}
			if (header.Get("Allow") != "") != (c.status == 405) {
				t.Errorf("Allow is %q", header.Get("Allow"))
			}
		})
	}
	if status, body, _ := h.Call("POST", answers, third); status != http.StatusOK || body["step"].(object)["stepId"] != "s3" {
		t.Errorf("the last step sent again answers %d %v", status, body)
	}
}

func TestOtherSitesMustNotPost(t *testing.T) {
	t.Parallel()
	h := open(t, 5*wallet.Credit)
	live := h.Launch(participanttest.FullGuide(), h.Wallet)
	for origin, want := range map[string]int{
		"":                            http.StatusCreated, // a program
		h.URL:                         http.StatusCreated,
		"https://studies.example.org": http.StatusCreated, // the public address, behind a proxy
		"https://evil.example.net":    http.StatusForbidden,
		"null":                        http.StatusForbidden,
	} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.URL+"/s/"+live.LinkID+"/interviews", nil)
		if err != nil {
			t.Fatal(err)
		}
		if origin != "" {
			request.Header.Set("Origin", origin)
		}
		reply, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		reply.Body.Close()
		if reply.StatusCode != want {
			t.Errorf("a post from %q answers %d, want %d", origin, reply.StatusCode, want)
		}
	}
}

func TestSimulatedParticipantsTakeTheSample(t *testing.T) {
	t.Parallel()
	h := open(t, 200*wallet.Credit)
	live := h.Launch(guidetest.Rich(), h.Wallet)
	ends := map[string]int{}
	for seed := range uint64(40) {
		outcome, err := simulation.New(seed).Take(t.Context(), http.DefaultClient, h.URL, live.LinkID, nil)
		if err != nil {
			t.Fatalf("participant %d: %v", seed, err)
		}
		ends[outcome.End]++
		stored, err := h.Store.View().Turns(t.Context(), participanttest.ResponseOf(t, h.Store, live.ID, int(seed)+1))
		if err != nil {
			t.Fatal(err)
		}
		answered := 0
		for _, turn := range stored {
			if turn.Kind != "probe" && turn.Kind != "decline" {
				answered++
			}
		}
		if answered != len(outcome.Given) {
			t.Errorf("participant %d was acknowledged %d answers, %d are stored", seed, len(outcome.Given), answered)
		}
	}
	for _, end := range []string{simulation.Complete, simulation.ScreenedOut, simulation.Left} {
		if ends[end] == 0 {
			t.Errorf("of forty none ended as %s: %v", end, ends)
		}
	}
	if ends[simulation.Complete] < 25 {
		t.Errorf("only %d of forty came to the end", ends[simulation.Complete])
	}
}

func TestSimulatedParticipantsFinishAnyGuide(t *testing.T) {
	t.Parallel()
	h := open(t, 0)
	rapid.Check(t, func(r *rapid.T) {
		g := guidetest.Creatable(r)
		live := h.Launch(g, "")
		p := simulation.New(rapid.Uint64().Draw(r, "seed"))
		p.LeaveAfter = 0
		outcome, err := p.Take(t.Context(), http.DefaultClient, h.URL, live.LinkID, map[string][]string{"p": {rapid.SampledFrom([]string{"", "1"}).Draw(r, "p")}})
		if err != nil {
			r.Fatal(err)
		}
		if outcome.End != simulation.Complete && outcome.End != simulation.ScreenedOut {
			r.Fatalf("ends as %q", outcome.End)
		}
		status, body, _ := h.Call("GET", "/i/"+outcome.Token, nil)
		if status != http.StatusOK || body["step"].(object)["kind"] != outcome.End {
			r.Fatalf("the current step is %v", body)
		}
	})
}

// TestLoneSurrogatesAreRefused checks that lone surrogates and invalid UTF-8 are invalid_json.
func TestLoneSurrogatesAreRefused(t *testing.T) {
	t.Parallel()
	h := open(t, wallet.Credit)
	token, step := h.Begin(h.Launch(participanttest.FollowUpGuide(), h.Wallet).LinkID, "")
	for _, text := range []string{`\ud800`, `\udead\ud800`, "\xff"} {
		status, answer, _ := h.Call("POST", "/i/"+token+"/answers", fmt.Sprintf(`{"stepId": %q, "text": "%s"}`, step["stepId"], text))
		if message, _ := answer["error"].(string); status != 400 || answer["code"] != "invalid_json" || !strings.Contains(message, "line 1, column") {
			t.Errorf("%q answers %d %v", text, status, answer)
		}
	}
}
