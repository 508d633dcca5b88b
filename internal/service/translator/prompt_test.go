package translator

import (
	"testing"

	"verbatim/internal/platform/llm/llmtest"
)

func TestPromptsNeverChange(t *testing.T) {
	t.Parallel()
	llmtest.PromptsNeverChange(t, prompts, map[string]string{
		"answers-1": "cf926e7f57faa9f38679e119b20e8c2f5b057fdbd0da187df82baf982476acfe",
		"guide-1":   "3b17e15115ef3b29a89c90a58ccb9fe6a635b679dc357abfa156437b3e5266b7",
	})
}
