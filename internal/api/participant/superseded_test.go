package participant_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/api/participant/participanttest"
	"verbatim/internal/domain/wallet"
)

// TestSupersededAnswers checks that whoever answers a step that another device has answered is told whose answer stands, and that a
// repeated request is not.
func TestSupersededAnswers(t *testing.T) {
	t.Parallel()
	h := open(t, wallet.Credit)
	token, _ := h.Begin(h.Launch(participanttest.FullGuide(), h.Wallet).LinkID, "")
	answers := "/i/" + token + "/answers"
	h.Call("POST", answers, object{"stepId": "s0"})
	stands := object{"stepId": "s1", "kind": "question", "type": "open_ended", "concept": nil, "moderator": "Why?", "said": []any{"From the phone.", "Truly."}, "recorded": false}
	for _, c := range []struct {
		name     string
		body     any
		status   int
		accepted any
		answered any
	}{
		{"the first", object{"stepId": "s1", "text": "From the phone.\nTruly."}, http.StatusOK, true, stands},
		{"again", object{"stepId": "s1", "text": "From the phone.\nTruly.", "telemetry": object{"typed": 3}}, http.StatusOK, true, stands},
		{"another", object{"stepId": "s1", "text": "From the laptop."}, http.StatusOK, false, stands},
		{"none", object{"stepId": "s1", "text": ""}, http.StatusOK, false, stands},
		{"an older one", object{"stepId": "s0"}, http.StatusConflict, nil, object{
			"stepId": "s0", "kind": "statement", "type": "statement", "concept": nil, "moderator": "Hello.", "said": []any{}, "recorded": false,
		}},
		{"an unknown one", object{"stepId": "s9"}, http.StatusConflict, nil, nil},
	} {
		status, body, _ := h.Call("POST", answers, c.body)
		if status != c.status || body["accepted"] != c.accepted {
			t.Errorf("%s is answered %d, accepted %v", c.name, status, body["accepted"])
		}
		if diff := cmp.Diff(c.answered, body["answered"]); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.name, diff)
		}
		if step := body["step"].(object); step["stepId"] != "s3" {
			t.Errorf("%s leads to %v", c.name, step["stepId"])
		}
	}
	_, body, _ := h.Call("GET", "/i/"+token, nil)
	if diff := cmp.Diff(any(stands), body["answered"]); diff != "" || body["accepting"] != true {
		t.Errorf("resuming, accepting %v (-want +got)\n%s", body["accepting"], diff)
	}
	if diff := cmp.Diff(any([]any{stands}), body["step"].(object)["conversation"]); diff != "" {
		t.Errorf("the conversation of the follow-up (-want +got)\n%s", diff)
	}
}

// TestAnsweredStepsInWords checks the words of the answers to every type of question.
func TestAnsweredStepsInWords(t *testing.T) {
	t.Parallel()
	h := open(t, wallet.Credit)
	token, step := h.Begin(h.Launch(participanttest.FullGuide(), h.Wallet).LinkID, "")
	said := map[string]any{}
	for _, answer := range []object{
		{},
		{"text": "Because."},
		{"text": "So."},
		{"customText": "Delta"},
		{"selected": []string{"c", "a"}},
		{"ranking": []string{"c", "a", "b"}},
		{"cells": object{"r1": "a", "r2": "c"}},
		{"best": "a", "worst": "b"},
		{"text": "Yes."},
	} {
		answer["stepId"] = step["stepId"]
		status, body, _ := h.Call("POST", "/i/"+token+"/answers", answer)
		if status != http.StatusOK {
			t.Fatalf("%v is answered %d %v", answer, status, body)
		}
		answered := body["answered"].(object)
		if about := answered["concept"]; (about == "The tin") != (answered["moderator"] == "Do you like it?") {
			t.Errorf("%v is about %v", answered["moderator"], about)
		}
		said[answered["kind"].(string)+" "+answered["moderator"].(string)] = answered["said"]
		if answered["kind"] == "follow_up" {
			delete(said, "follow_up "+answered["moderator"].(string))
		}
		step = body["step"].(object)
	}
	want := map[string]any{
		"statement Hello.": []any{}, "question Why?": []any{"Because."}, "question Which one?": []any{"Delta"}, "question Which ones?": []any{"Alpha", "Gamma"},
		"question In which order?": []any{"1. Gamma", "2. Alpha", "3. Beta"}, "question How good?": []any{"Taste: Alpha", "Smell: Gamma"},
		"question Best and worst?": []any{"Most: Alpha", "Least: Beta"}, "question Do you like it?": []any{"Yes."},
	}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Error(diff)
	}
	_, body, _ := h.Call("GET", "/i/"+token, nil)
	if progress := body["step"].(object)["progress"].(object); progress["share"] != 1.0 {
		t.Errorf("the end is at %v", progress)
	}
}
