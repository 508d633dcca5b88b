package annotation_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"verbatim/internal/domain/annotation"
)

const said = "Ach 🍏, \u200fשלום\u200e they taste well, they do"

func TestMark(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		from, to int
		words    string
		start    int // -1: refused
	}{
		"ascii":                       {0, 3, "Ach", 0},
		"an astral character":         {4, 6, "🍏", 4},
		"half of it":                  {4, 5, "🍏", -1},
		"the other half":              {5, 6, "🍏", -1},
		"with marks of direction":     {8, 14, "\u200fשלום\u200e", 10},
		"other words than meant":      {0, 3, "ach", -1},
		"backwards":                   {3, 0, "Ach", -1},
		"nothing":                     {3, 3, "", -1},
		"a space":                     {3, 4, " ", -1},
		"beyond the end":              {0, 4000, said, -1},
		"before the beginning":        {-1, 3, "Ach", -1},
		"an offset that overflows":    {0, 1 << 30, said, -1},
		"all of it, letter by letter": {0, 39, said, 0},
	} {
		var a annotation.Annotation
		err := a.Mark(3, said, tt.from, tt.to, tt.words)
		if tt.start < 0 {
			if !errors.Is(err, annotation.ErrMoved) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || a.Row != 3 || a.Start != tt.start || said[a.Start:a.End] != tt.words {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
	}
}

func TestFollow(t *testing.T) {
	t.Parallel()
	a := annotation.Annotation{Row: 1, Start: 30, End: 34, Words: "they"}
	if changed := a.Follow("Well, they taste, and I said they"); !changed || a.Start != 29 || a.Lost {
		t.Errorf("the nearest: %+v", a)
	}
	if changed := a.Follow("nothing of it"); !changed || !a.Lost || a.Words != "they" {
		t.Errorf("lost: %+v", a)
	}
	if changed := a.Follow("nothing of it"); changed {
		t.Error("it is lost once")
	}
	if a.Follow("and they are back"); a.Lost || a.Start != 4 || a.End != 8 {
		t.Errorf("found again: %+v", a)
	}
}

func TestCleanName(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		" Price  and\nvalue ": "Price and value", "#price": "price", "\u202eprice\u0007": "price", "": "", "\u200d": "", "\u0301": "", "🍏": "🍏",
		strings.Repeat("ä", 60): strings.Repeat("ä", 60), strings.Repeat("ä", 61): "", "<script>": "<script>",
	} {
		if got, err := annotation.CleanName(given); got != want || (err != nil) != (want == "") {
			t.Errorf("%q: %q, %v", given, got, err)
		}
	}
	if annotation.Key("#Prix d’ami") != annotation.Key("prix d'AMI") || annotation.Key("price") == annotation.Key("prize") {
		t.Error("keys")
	}
}

// TestMarkNeverCuts: whatever offsets come, what is marked are whole characters of the text.
func TestMarkNeverCuts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		text := rapid.String().Draw(r, "text")
		from, to := rapid.IntRange(-2, 40).Draw(r, "from"), rapid.IntRange(-2, 40).Draw(r, "to")
		words := text
		if runes := []rune(text); len(runes) > 1 {
			words = string(runes[rapid.IntRange(0, len(runes)-1).Draw(r, "cut"):])
		}
		var a annotation.Annotation
		if a.Mark(0, text, from, to, words) == nil && (text[a.Start:a.End] != words || !utf8.ValidString(words)) {
			r.Fatalf("%q of %q", text[a.Start:a.End], text)
		}
	})
}
