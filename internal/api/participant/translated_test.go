package participant_test

import (
	"net/url"
	"strings"
	"testing"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/translation"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// fruitGuide returns a guide with each kind of text that participants read.
func fruitGuide() *guide.Guide {
	return &guide.Guide{
		Title: "Fruit box", Welcome: guide.Welcome{Title: "Hello there", Message: "About fruit."}, ClosingMessage: "See you",
		Config: guide.Config{QuestionLanguage: "en", AvailableLanguages: []string{"de", "fr"}},
		Blocks: []guide.Block{
			{ID: "one", Type: guide.BlockFlat, Items: []guide.Item{
				{ID: "read", Type: guide.Statement, Text: "Now fruit.", ContinueButtonText: "Go on"},
				{ID: "pick", Type: guide.MultipleChoice, Text: "Which one?", Options: []guide.Option{{ID: "a", Text: "Apples"}, {ID: "b", Text: "Pears"}}},
			}},
			{ID: "two", Type: guide.BlockConcept, Sampling: &guide.Sampling{Concepts: []guide.Concept{{ID: "k", Nickname: "box", Title: "A box", Description: "At your door."}}}, Items: []guide.Item{
				{ID: "why", Type: guide.OpenEnded, Text: "Why so?", FollowUp: guide.FollowUpNone},
			}},
		},
	}
}

// translated approves a German translation of a guide in which every text is the source's with the prefix "De:".
func (h *testAPI) translated(live study.Study, g *guide.Guide) {
	h.t.Helper()
	storetest.Write(h.t, h.store, func(tx *store.Tx) error {
		translated := translation.New(g, live.ID, live.PublishedRevision, "de")
		for i := range translated.Entries {
			translated.Entries[i].Text, translated.Entries[i].State = "De:"+translated.Entries[i].Source, translation.Edited
		}
		if err := translated.Approve(); err != nil {
			return err
		}
		return tx.SaveTranslation(h.t.Context(), translated)
	})
}

// TestPagesAreTranslated checks that pages without JavaScript show every text in the chosen language and set its lang attribute.
func TestPagesAreTranslated(t *testing.T) {
	t.Parallel()
	g := fruitGuide()
	h := open(t, wallet.Credit)
	live := h.launch(g, h.wallet)
	h.translated(live, g)
	b := h.browser()
	b.visit("/s/" + live.LinkID + "?_language=de")
	b.shows(`<h1 lang="de" dir="auto">De:Hello there</h1>`, "De:About fruit.", "De:Fruit box")
	b.submit("/interviews", nil)
	b.shows(`<div class="statement" lang="de" dir="auto"><p>De:Now fruit.</p>`, ">De:Go on</button>")
	b.submit("/answers", nil)
	b.shows(`<legend lang="de" dir="auto"><h1>De:Which one?</h1></legend>`, "De:Apples", "De:Pears")
	b.submit("/answers", url.Values{"selected": {"b"}})
	b.shows("De:A box", "De:At your door.", "De:Why so?")
	b.submit("/answers", url.Values{"text": {"Darum"}})
	b.shows("De:See you")
}

// TestProtocolIsTranslated checks that programs receive the same texts as pages.
func TestProtocolIsTranslated(t *testing.T) {
	t.Parallel()
	g := fruitGuide()
	h := open(t, 3*wallet.Credit)
	live := h.launch(g, h.wallet)
	h.translated(live, g)
	for query, want := range map[string]string{"": "Fruit box", "?_language=de": "De:Fruit box", "?_language=fr": "Fruit box", "?_language=xx": "Fruit box"} {
		_, landing, _ := h.call("GET", "/s/"+live.LinkID+query, nil)
		if landing["title"] != want {
			t.Errorf("%s: the title is %v, want %v", query, landing["title"], want)
		}
	}
	_, german, _ := h.call("GET", "/s/"+live.LinkID+"?_language=de", nil)
	if welcome := german["welcomeMessage"].(object); welcome["message"] != "De:About fruit." || !strings.Contains(german["disclosure"].(string), "künstliche") {
		t.Errorf("the landing page is %v", german)
	}
	for language, mark := range map[string]string{"de": "De:", "fr": "", "en": ""} {
		_, started, _ := h.call("POST", "/s/"+live.LinkID+"/interviews", object{"language": language})
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
			status, next, _ := h.call("POST", "/i/"+token+"/answers", body)
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

// TestBootstrapHasTheLanguageOfTheTexts checks that the app knows the language of the texts, also where they are not translated, so that
// screen readers pronounce them correctly.
func TestBootstrapHasTheLanguageOfTheTexts(t *testing.T) {
	t.Parallel()
	g := fruitGuide()
	h := open(t, 3*wallet.Credit, withApp)
	live := h.launch(g, h.wallet)
	h.translated(live, g)
	for language, content := range map[string]string{"de": "de", "fr": "en", "en": "en"} {
		b := h.browser()
		b.visit("/s/" + live.LinkID + "?_language=" + language)
		landing := b.bootstrap()
		b.submit("/interviews", nil)
		step := b.bootstrap()
		for _, bootstrap := range []object{landing, step} {
			if tags := bootstrap["tags"].(object); tags["content"] != content || tags["page"] != language {
				t.Errorf("%s: the tags are %v", language, tags)
			}
		}
	}
}
