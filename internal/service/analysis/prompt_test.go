package analysis

import (
	"testing"

	"verbatim/internal/platform/llm/llmtest"
)

func TestPromptsNeverChange(t *testing.T) {
	t.Parallel()
	llmtest.PromptsNeverChange(t, prompts, map[string]string{
		"analysis-1": "5fe24290d6e15b471f124b2f699732be646c46a6fd097793342b05963880dcca",
		"analysis-2": "519c808d337620c17eae11732bc269e82aa9dab12f1a891b906d1f7e8f3c8fb0",
		"merge-1":    "fabaad71c8f115dd234ceacbe9d8bf686bbd9db61d349527e6de73a855e58664",
		"merge-2":    "c20ebebaebf4e59526e326bfca986df8af4ab73c2e433ca457e5f89233ba0f00",
	})
}
