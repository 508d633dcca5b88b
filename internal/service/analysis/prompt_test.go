package analysis

import (
	"testing"

	"verbatim/internal/platform/llm/llmtest"
)

func TestPromptsNeverChange(t *testing.T) {
	t.Parallel()
	llmtest.PromptsNeverChange(t, prompts, map[string]string{
		"analysis-1": "5fe24290d6e15b471f124b2f699732be646c46a6fd097793342b05963880dcca",
		"merge-1":    "fabaad71c8f115dd234ceacbe9d8bf686bbd9db61d349527e6de73a855e58664",
	})
}
