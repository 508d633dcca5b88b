package llmtest

import (
	"embed"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/masking"
	"verbatim/internal/platform/llm"
)

// PromptsNeverChange compares a package's prompts with the hashes of the released ones, by name. A new prompt is a new file
// and a new line. Masking, which every request passes, must leave them as they are.
func PromptsNeverChange(t *testing.T, files embed.FS, released map[string]string) {
	t.Helper()
	entries, err := files.ReadDir("prompts")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, entry := range entries {
		name := strings.TrimSuffix(entry.Name(), ".md")
		prompt := llm.ReadPrompt(files, name)
		found[name] = prompt.Hash
		if masked := masking.New().Mask(prompt.Text); masked != prompt.Text {
			t.Errorf("prompt %s leaves as\n%s", name, cmp.Diff(prompt.Text, masked))
		}
	}
	if diff := cmp.Diff(released, found); diff != "" {
		t.Errorf("the prompts (-released +found):\n%s", diff)
	}
}
