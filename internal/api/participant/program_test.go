package participant_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/guide/guidetest"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/simulation"
)

func TestLandingPage(t *testing.T) {
	t.Parallel()
	h := open(t, wallet.Credit)
	live := h.launch(guidetest.Rich(), h.wallet)
	status, body, _ := h.call("GET", "/s/"+live.LinkID, nil)
	if status != http.StatusOK {
		t.Fatalf("answers %d %v", status, body)
	}
	disclosure, _ := body["disclosure"].(string)
	if !strings.Contains(disclosure, "artificial intelligence") {
		t.Errorf("the disclosure is %q", disclosure)
	}
	want := object{
		"title": "Your coffee at home", "interviewMode": "audio_text", "languages": []any{"en", "de", "pt"}, "disclosure": disclosure,
		"welcomeMessage": object{"title": "Thank you for joining us", "message": guidetest.Rich().Welcome.Message},
		"platforms":      []any{}, "organization": object{"name": "Orchard Research", "colour": nil, "logo": nil},
	}
	if diff := cmp.Diff(want, body); diff != "" {
		t.Errorf("landing page (-want +got):\n%s", diff)
	}
}

var stepKeys = []string{"capture", "concept", "kind", "message", "moderator", "progress", "question", "stepId"}

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

// fullGuide returns a guide with an item of every type that create accepts.
func fullGuide() *guide.Guide {
	options := []guide.Option{{ID: "a", Text: "Alpha"}, {ID: "b", Text: "Beta"}, {ID: "c", Text: "Gamma"}}
	exclusive := append(slices.Clone(options), guide.Option{ID: "n", Text: "None", Exclusive: true})
	return &guide.Guide{
		Title: "Everything", ClosingMessage: "Goodbye.",
		Blocks: []guide.Block{
			{ID: "flat", Type: guide.BlockFlat, Items: []guide.Item{
				{ID: "hello", Type: guide.Statement, Text: "Hello.", ContinueButtonText: "Go on"},
				{
					ID: "why", Type: guide.OpenEnded, Text: "Why?", FollowUp: guide.FollowUpLight, PreferredInput: "text",
					Media: []guide.Media{{Type: "image", Name: "A picture", URL: "https://media.example.com/p.png", WidthPercentage: 60}},
					Embed: &guide.Embed{URL: "https://shop.example.com", ProxyURL: "https://proxy.example.com"},
				},
				{ID: "one", Type: guide.MultipleChoice, Text: "Which one?", Options: options, AllowCustomOption: true},
				{ID: "some", Type: guide.MultipleChoice, Text: "Which ones?", Options: exclusive, MultiSelect: true, MinSelect: 2, MaxSelect: 3},
				{ID: "order", Type: guide.Ranking, Text: "In which order?", Options: options},
				{ID: "grid", Type: guide.Matrix, Text: "How good?", Options: options, Rows: []guide.Row{{ID: "r1", Text: "Taste"}, {ID: "r2", Text: "Smell"}}},
				{ID: "best", Type: guide.MaxDiff, Text: "Best and worst?", Options: options, Metric: "joy", ItemsPerScreen: 3},
			}},
			{ID: "ideas", Type: guide.BlockConcept, Sampling: &guide.Sampling{Concepts: []guide.Concept{{
				ID: "tin", Nickname: "tin", Title: "The tin", Description: "It is made of tin.",
				Media: []guide.Media{{Type: "video", Name: "A film", URL: "https://media.example.com/f.mp4", ForceWatching: true}},
				Embed: &guide.Embed{URL: "https://tin.example.com", ProxyURL: "https://proxy.example.com/tin"},
			}}}, Items: []guide.Item{{ID: "like", Type: guide.OpenEnded, Text: "Do you like it?", FollowUp: guide.FollowUpNone}}},
		},
	}
}

func TestStepOfEveryKind(t *testing.T) {
	t.Parallel()
	h := open(t, wallet.Credit)
	token, step := h.begin(h.launch(fullGuide(), h.wallet).LinkID, "")
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
			"media": []any{object{"type": "image", "name": "A picture", "url": "https://media.example.com/p.png", "widthPercentage": 60.0, "forceWatching": false}},
		})
	}
	tin := object{
		"id": "tin", "title": "The tin", "description": "It is made of tin.", "embedUrl": "https://proxy.example.com/tin",
		"media": []any{object{"type": "video", "name": "A film", "url": "https://media.example.com/f.mp4", "widthPercentage": nil, "forceWatching": true}},
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
		want := object{
			"stepId": step["stepId"], "kind": c.kind, "moderator": c.moderator, "question": c.question, "concept": c.concept,
			"capture": nil, "message": c.message, "progress": step["progress"],
		}
		if diff := cmp.Diff(want, step); diff != "" {
			t.Fatalf("step %d (-want +got):\n%s", i, diff)
		}
		if c.answer == nil {
			break
		}
		c.answer["stepId"] = step["stepId"]
		status, body, _ := h.call("POST", "/i/"+token+"/answers", c.answer)
		if status != http.StatusOK {
			t.Fatalf("step %d is answered %d %v", i, status, body)
		}
		step = body["step"].(object)
		if _, again, _ := h.call("GET", "/i/"+token, nil); !cmp.Equal(again["step"], any(step)) {
			t.Errorf("GET returns another step:\n%s", cmp.Diff(any(step), again["step"]))
		}
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	h := open(t, 3*wallet.Credit)
	live := h.launch(fullGuide(), h.wallet)
	draft := storetest.Draft(t, h.store, h.org, "")
	token, first := h.begin(live.LinkID, "")
	_, body, _ := h.call("POST", "/i/"+token+"/answers", object{"stepId": first["stepId"]})
	second := body["step"].(object)
	third := object{"stepId": second["stepId"], "text": "Because."}
	if status, _, _ := h.call("POST", "/i/"+token+"/answers", third); status != http.StatusOK {
		t.Fatal("the second answer is refused")
	}
	taken, _ := h.begin(live.LinkID, "")
	if status, _, _ := h.call("POST", "/i/"+taken+"/withdraw", nil); status != http.StatusNoContent {
		t.Fatalf("withdrawing answers %d", status)
	}
	for range 2 {
		h.begin(live.LinkID, "") // the wallet is empty now
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
			status, body, header := h.call(c.method, c.path, c.body)
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
	if status, body, _ := h.call("POST", answers, third); status != http.StatusOK || body["step"].(object)["stepId"] != "s3" {
		t.Errorf("the last step sent again answers %d %v", status, body)
	}
}

func TestOtherSitesMustNotPost(t *testing.T) {
	t.Parallel()
	h := open(t, 5*wallet.Credit)
	live := h.launch(fullGuide(), h.wallet)
	for origin, want := range map[string]int{
		"":                            http.StatusCreated, // a program
		h.url:                         http.StatusCreated,
		"https://studies.example.org": http.StatusCreated, // the public address, behind a proxy
		"https://evil.example.net":    http.StatusForbidden,
		"null":                        http.StatusForbidden,
	} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.url+"/s/"+live.LinkID+"/interviews", nil)
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
	live := h.launch(guidetest.Rich(), h.wallet)
	ends := map[string]int{}
	for seed := range uint64(40) {
		outcome, err := simulation.New(seed).Take(t.Context(), http.DefaultClient, h.url, live.LinkID, nil)
		if err != nil {
			t.Fatalf("participant %d: %v", seed, err)
		}
		ends[outcome.End]++
		stored, err := h.store.View().Turns(t.Context(), responseOf(t, h.store, live.ID, int(seed)+1))
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

func responseOf(t testing.TB, s *store.Store, studyID string, readableID int) string {
	t.Helper()
	item, err := s.View().ItemByReadableID(t.Context(), studyID, readableID)
	if err != nil {
		t.Fatal(err)
	}
	return item.ResponseID
}

func TestSimulatedParticipantsFinishAnyGuide(t *testing.T) {
	t.Parallel()
	h := open(t, 0)
	rapid.Check(t, func(r *rapid.T) {
		g := guidetest.Creatable(r)
		live := h.launch(g, "")
		p := simulation.New(rapid.Uint64().Draw(r, "seed"))
		p.LeaveAfter = 0
		outcome, err := p.Take(t.Context(), http.DefaultClient, h.url, live.LinkID, map[string][]string{"p": {rapid.SampledFrom([]string{"", "1"}).Draw(r, "p")}})
		if err != nil {
			r.Fatal(err)
		}
		if outcome.End != simulation.Complete && outcome.End != simulation.ScreenedOut {
			r.Fatalf("ends as %q", outcome.End)
		}
		status, body, _ := h.call("GET", "/i/"+outcome.Token, nil)
		if status != http.StatusOK || body["step"].(object)["kind"] != outcome.End {
			r.Fatalf("the current step is %v", body)
		}
	})
}
