package reporting

import (
	"testing"

	"verbatim/internal/platform/llm/llmtest"
)

func TestPromptsNeverChange(t *testing.T) {
	t.Parallel()
	llmtest.PromptsNeverChange(t, prompts, map[string]string{
		"assign-1": "d50d5f255124961d282a5d362031547fe99e2abe16e7ed2dedd4169c16ef0249",
		"themes-1": "751543b231218ff3c39205df65f32dd12b07c430556a01201defbf76bd4da142",
	})
}
