package outline_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/outline"
)

// shown writes a guide as lines: its title, blocks, and items with their types and options.
func shown(g *guide.Guide) string {
	var text strings.Builder
	fmt.Fprintf(&text, "= %s\n", g.Title)
	for _, b := range g.Blocks {
		fmt.Fprintf(&text, "# %s\n", b.Title)
		for _, it := range b.Items {
			var options []string
			for _, o := range it.Options {
				options = append(options, o.Text)
			}
			kind := string(it.Type)
			if it.MultiSelect {
				kind += "+"
			}
			fmt.Fprintf(&text, "%s: %s %v\n", kind, it.Text, options)
		}
	}
	return text.String()
}

func TestGuide(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ text, want string }{
		"marked": {
			"# Coffee\n## Habits\n1. How often do you drink coffee?\n- Daily\n- Less often\nWhat makes a good cup?\n## Shops\nQ3. Where do you buy it?\n* [ ] Online\n* [ ] In a shop\n",
			"= Coffee\n# Habits\nmultiple_choice: How often do you drink coffee? [Daily Less often]\nopen_ended: What makes a good cup? []\n" +
				"# Shops\nmultiple_choice+: Where do you buy it? [Online In a shop]\n",
		},
		"plain": {
			"Coffee\r\n\r\nHabits\r\n\r\nHow often?\r\n  • Daily\r\n\r\nTell me about your last cup.\r\n\r\nShops\r\n\r\nWhere?",
			"= Coffee\n# Habits\nmultiple_choice: How often? [Daily]\nopen_ended: Tell me about your last cup. []\n# Shops\nopen_ended: Where? []\n",
		},
		"one level of headings": {"# Habits\nHow?\n# Shops\nWhere?", "= \n# Habits\nopen_ended: How? []\n# Shops\nopen_ended: Where? []\n"},
		"questions alone":       {"How?\nWhy?", "= \n# \nopen_ended: How? []\nopen_ended: Why? []\n"},
		"a heading alone":       {"# Shops", "= \n# Shops\nopen_ended:  []\n"},
		"nothing":               {" \n ", "= \n# \nopen_ended:  []\n"},
		"a list alone":          {"- How?\n- Tea", "= \n# \nmultiple_choice: How? [Tea]\n"},
		"a question without a mark before its list": {
			"Favourite drink\n\n- Tea\n- Coffee", "= \n# \nmultiple_choice: Favourite drink [Tea Coffee]\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := 0
			g := outline.Guide(test.text, func() string { n++; return fmt.Sprint("id", n) })
			if diff := cmp.Diff(test.want, shown(g)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
