package analysis

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPromptsNeverChange: analyses name the prompts that they were written by. A better prompt is a new file with a row here.
func TestPromptsNeverChange(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"analysis-1.md": "5fe24290d6e15b47",
		"merge-1.md":    "fabaad71c8f115dd",
	}
	got := map[string]string{}
	entries, err := fs.ReadDir(prompts, "prompts")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		text, err := fs.ReadFile(prompts, "prompts/"+entry.Name())
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(text)
		got[entry.Name()] = hex.EncodeToString(sum[:8])
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-was +is)\n%s", diff)
	}
}
