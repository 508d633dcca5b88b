package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"verbatim/internal/platform/llm/llmtest"
)

// answeringModel repeats the first sentence of each of three passages, and adds sentences that nothing proves.
func answeringModel(a llmtest.Asked) string {
	var told struct {
		Passages []struct{ Said string }
	}
	if err := json.Unmarshal([]byte(a.Last()), &told); err != nil {
		return err.Error()
	}
	type sentence struct {
		Text   string   `json:"text"`
		Quotes []string `json:"quotes"`
	}
	sentences := []sentence{
		{"90 % love their coffee.", []string{told.Passages[0].Said}},
		{"Everyone drinks coffee in a submarine.", []string{told.Passages[0].Said}},
	}
	for _, p := range told.Passages[:min(3, len(told.Passages))] {
		first, _, _ := strings.Cut(p.Said, ".")
		sentences = append(sentences, sentence{first + ".", []string{first}})
	}
	text, _ := json.Marshal(map[string]any{"supported": true, "sentences": sentences})
	return string(text)
}

// TestStudyAsk asks the demo's study with and without a model: every sentence has a quote that stands in its passage, and what
// nobody speaks of is declined.
func TestStudyAsk(t *testing.T) {
	t.Parallel()
	link, place := simulated(t, 20)
	server := llmtest.New(llmtest.By(map[string]func(llmtest.Asked) string{"answer_from_passages": answeringModel}, nil))
	model := []string{"--llm-url", server.Serve(t), "--llm-model", "tiny"}
	ask := func(question string, more ...string) []string {
		return slices.Concat([]string{"study", "ask", link, question}, more, place)
	}
	const question = "How do people make the first coffee of the day?"

	answer := object(t, ask(question, append(model, "--passages", "50")...)...)
	sentences, _ := answer["sentences"].([]any)
	if answer["status"] != "answered" || len(sentences) == 0 || answer["unverifiedDropped"].(float64) < 2 || answer["searchedResponses"] != answer["responses"] {
		t.Fatalf("the answer is %v", answer)
	}
	stands := func(quote map[string]any) bool {
		return slices.ContainsFunc(answer["passages"].([]any), func(p any) bool {
			passage := p.(map[string]any)
			return passage["responseId"] == quote["responseId"] && passage["row"] == quote["row"] && strings.Contains(passage["text"].(string), quote["text"].(string))
		})
	}
	for _, s := range sentences {
		sentence := s.(map[string]any)
		quotes := sentence["quotes"].([]any)
		if len(quotes) == 0 || sentence["responses"].(float64) < 1 || strings.Contains(sentence["text"].(string), "90") {
			t.Errorf("sentence %v", sentence)
		}
		for _, q := range quotes {
			if !stands(q.(map[string]any)) {
				t.Errorf("the quote %v stands in no passage", q)
			}
		}
	}
	text, _ := command(t, 0, ask(question, model...)...)
	if strings.Count(text, "\n") < 4 || !strings.Contains(text, "(1 response)\n    "+link) || !strings.Contains(text, link+" #") || strings.Contains(text, "90 %") {
		t.Errorf("printed:\n%s", text)
	}
	for _, more := range [][]string{model, {"--no-model"}, {"--all-studies"}} {
		if text, _ := command(t, 0, ask("What do they think about submarines and volcanoes?", more...)...); !strings.HasPrefix(text, "Not answered: no answer speaks of what the question names.") {
			t.Errorf("an unsupported question with %v:\n%s", more, text)
		}
	}
	if text, _ := command(t, 0, ask(question, "--all-studies", "--passages", "2")...); strings.Count(text, link+" #") != 2 || !strings.Contains(text, "No language model is used") {
		t.Errorf("the passages of all studies:\n%s", text)
	}
	command(t, exitUsage, ask(question, "--passages", "51")...)
	command(t, exitUsage, ask(" ")...)
}
