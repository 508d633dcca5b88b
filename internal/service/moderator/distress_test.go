package moderator

import (
	"testing"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/platform/llm/llmtest"
)

func TestSpeaksOfDistress(t *testing.T) {
	t.Parallel()
	item := &guide.Item{Type: guide.OpenEnded, Text: "Who did you cook with last year?"}
	for _, c := range []struct {
		language, answer string
		speaks           bool
	}{
		{"en", "With my husband. He died in March, and I have hardly cooked since.", true},
		{"de", "Mit meinem Mann. Im März ist mein Mann gestorben.", true},
		{"fr", "J’ai perdu mon père en mars.", true},
		{"de", "My wife died in spring.", true}, // English counts in every language
		{"sw", "My wife died in spring.", true}, // a language without phrases of its own
		{"en", "With my husband, every Sunday. He makes the sauce.", false},
		{"en", "My phone died while I was cooking.", false},
		{"en", "", false},
	} {
		in := interview.Ask{Guide: &guide.Guide{Title: "Cooking"}, Item: item, Language: c.language, Answer: c.answer}
		if got := SpeaksOfDistress(in); got != c.speaks {
			t.Errorf("%s: %q: %t", c.language, c.answer, got)
		}
	}
	if SpeaksOfDistress(interview.Ask{Answer: "My wife died."}) {
		t.Error("an answer to nothing")
	}
}

// TestSensitiveTopics: where the author prepared for them, no model is asked for a follow-up after an answer in distress.
func TestSensitiveTopics(t *testing.T) {
	t.Parallel()
	for _, message := range []string{"", "Call 116 123, day and night."} {
		server := llmtest.New(llmtest.Gives(good))
		in := checkout()
		in.Guide.Config.SensitiveTopics.Message = message
		in.Answer = "I gave up. My husband had died the day before."
		got, _ := decide(t, in, server)
		if asked := len(server.Asked()); (asked == 0) != (message != "") {
			t.Errorf("with the message %q the model is asked %d times", message, asked)
		}
		if message != "" && (got.Words != "" || got.Reason != grieves.name || got.Provider != interview.BuiltIn) {
			t.Errorf("the decision is %+v", got)
		}
	}
}
