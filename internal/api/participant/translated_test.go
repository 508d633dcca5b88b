package participant_test

import (
	"strings"
	"testing"

	"verbatim/internal/api/participant/participanttest"
	"verbatim/internal/domain/wallet"
)

// TestProtocolIsTranslated checks that programs receive the same texts as pages.
func TestProtocolIsTranslated(t *testing.T) {
	t.Parallel()
	g := participanttest.FruitGuide()
	h := open(t, 3*wallet.Credit)
	live := h.Launch(g, h.Wallet)
	h.Translate(live, g)
	for query, want := range map[string]string{"": "Fruit box", "?_language=de": "De:Fruit box", "?_language=fr": "Fruit box", "?_language=xx": "Fruit box"} {
		_, landing, _ := h.Call("GET", "/s/"+live.LinkID+query, nil)
		if landing["title"] != want {
			t.Errorf("%s: the title is %v, want %v", query, landing["title"], want)
		}
	}
	_, german, _ := h.Call("GET", "/s/"+live.LinkID+"?_language=de", nil)
	if welcome := german["welcomeMessage"].(object); welcome["message"] != "De:About fruit." || !strings.Contains(german["disclosure"].(string), "künstliche") {
		t.Errorf("the landing page is %v", german)
	}
	for language, mark := range map[string]string{"de": "De:", "fr": "", "en": ""} {
		_, started, _ := h.Call("POST", "/s/"+live.LinkID+"/interviews", object{"language": language})
		token, step := started["token"].(string), started["step"].(object)
		for kind := step["kind"]; kind != "complete"; kind = step["kind"] {
			question := step["question"].(object)
			if !strings.HasPrefix(question["text"].(string), mark) || strings.HasPrefix(question["text"].(string), "De:") != (mark != "") || step["moderator"] != question["text"] {
				t.Fatalf("%s: the step is %v", language, step)
			}
			body := object{"stepId": step["stepId"]}
			switch question["type"] {
			case "multiple_choice":
				options := question["options"].([]any)
				if text := options[0].(object)["text"]; text != mark+"Apples" || options[0].(object)["id"] != "a" {
					t.Errorf("%s: the option is %v", language, options[0])
				}
				body["selected"] = []string{"a"}
			case "open_ended":
				if concept := step["concept"].(object); concept["title"] != mark+"A box" || concept["description"] != mark+"At your door." {
					t.Errorf("%s: the concept is %v", language, concept)
				}
				body["text"] = "Darum"
			default:
				if question["continueButtonText"] != mark+"Go on" {
					t.Errorf("%s: the button says %v", language, question["continueButtonText"])
				}
			}
			status, next, _ := h.Call("POST", "/i/"+token+"/answers", body)
			if status != 200 {
				t.Fatalf("%s: %d %v", language, status, next)
			}
			step = next["step"].(object)
		}
		if step["message"] != mark+"See you" {
			t.Errorf("%s: the end says %v", language, step["message"])
		}
	}
}
