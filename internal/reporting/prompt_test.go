package reporting

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPromptsNeverChange: reports name the prompts that their themes were found by. A better prompt is a new file with a row here.
func TestPromptsNeverChange(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"assign-1.md": "d50d5f255124961d",
		"themes-1.md": "751543b231218ff3",
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
