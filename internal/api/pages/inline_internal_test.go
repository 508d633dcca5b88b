package pages

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestInline holds the plain page to the same examples as the app.
func TestInline(t *testing.T) {
	t.Parallel()
	body, err := os.ReadFile("../../../web/shared/inline_examples.json")
	if err != nil {
		t.Fatal(err)
	}
	var examples []struct {
		Text  string     `json:"text"`
		Spans [][]string `json:"spans"`
	}
	if err := json.Unmarshal(body, &examples); err != nil || len(examples) < 15 {
		t.Fatal(err, len(examples))
	}
	for _, example := range examples {
		got := [][]string{}
		for _, s := range inline(example.Text) {
			parts := []string{s.Kind, s.Text}
			if s.Address != "" {
				parts = append(parts, s.Address)
			}
			got = append(got, parts)
		}
		if diff := cmp.Diff(example.Spans, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", example.Text, diff)
		}
	}
}

// TestMarksThatNeverEnd reads the longest texts that an author can write, made of marks that never end: nothing of them is lost.
func TestMarksThatNeverEnd(t *testing.T) {
	t.Parallel()
	for _, mark := range []string{"* ", "**a ", "*a ", "[a](https://", "[", "a*b*c*d"} {
		text := strings.Repeat(mark, 20_000/len(mark))
		if got := inline(text); len(got) != 1 || got[0].Text != text {
			t.Errorf("%q is divided into %d spans", mark, len(got))
		}
	}
}
