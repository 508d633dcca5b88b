package evidence_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/evidence"
)

var interview = []evidence.Turn{
	{Row: 1, Text: "I swapped the oat milk for almond milk.\n\nThe substitutes  are the worst part — I never “trust” the picker’s choice…"},
	{Row: 2, Text: "Unhappy with it at all times. Straße, STRASSE."},
	{Row: 4, Text: "商品検索が使いにくいです。先週、オートミルクを探しました。"},
	{Row: 5, Text: "Re\u0301sume\u0301 sent at 8:15, no answer."},
	{Row: 6, Text: "ok"},
	{Row: 7, Text: "I read half of it, and I think I can’t go on. A non-smoker for ten years, and I smoke 1.5 packs a day; at -4 degrees outside—the window was open."},
}

func TestFind(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ quote, words string }{
		"letter for letter":              {"swapped the oat milk", "swapped the oat milk"},
		"upper and lower case":           {"SWAPPED the Oat Milk", "swapped the oat milk"},
		"spaces and line ends":           {" almond milk. The\tsubstitutes are ", "almond milk.\n\nThe substitutes  are"},
		"typography":                     {`worst part - I never "trust" the picker's choice...`, "worst part — I never “trust” the picker’s choice…"},
		"a script without spaces":        {"使いにくい", "使いにくい"},
		"composed letters":               {"résumé sent", "Re\u0301sume\u0301 sent"},
		"a complete turn":                {interview[1].Text, interview[1].Text},
		"folding keeps ß and ss apart":   {"straße, strasse", "Straße, STRASSE"},
		"a word that is torn":            {"happy with it at all", ""},
		"torn at its end":                {"swapped the oat mil", ""},
		"a mark is part of its letter":   {"resume sent at", ""},
		"an accent is not typography":    {"Unhäppy with it", ""},
		"a negation that is cut off":     {"half of it, and I think I can", ""},
		"a word that is negated":         {"smoker for ten years", ""},
		"a fraction that is cut off":     {"and I smoke 1", ""},
		"a fraction's end":               {"5 packs a day", ""},
		"a minus":                        {"4 degrees outside", ""},
		"after a dash":                   {"the window was open", "the window was open"},
		"two turns stitched":             {"the picker’s choice… Unhappy with it", ""},
		"two places of a turn":           {"I swapped the oat milk. The substitutes are the worst part", ""},
		"joined by an ellipsis":          {"I swapped the oat milk … the worst part", ""},
		"a cut in square brackets":       {"I swapped [...] for almond milk", ""},
		"a word left out":                {"swapped oat milk for almond", ""},
		"a word put in":                  {"swapped the fresh oat milk", ""},
		"order":                          {"for almond milk swapped", ""},
		"spaces where there are none":    {"商品 検索が使いにくい", ""},
		"no spaces where there are some": {"swappedthe oat milk", ""},
		"another figure":                 {"sent at 8:16, no", ""},
		"too short":                      {"ok", ""},
		"short of letters":               {"milk. !!!!!!!", ""},
		"only signs":                     {"— … “” !!!", ""},
		"empty":                          {"", ""},
	} {
		span, ok := evidence.Read(interview).Find(tt.quote)
		got := evidence.Read(interview).Text(span)
		if ok != (tt.words != "") || ok && got != tt.words {
			t.Errorf("%s: %q found %t as %q, want %q", name, tt.quote, ok, got, tt.words)
		}
	}
}

func TestSpan(t *testing.T) {
	t.Parallel()
	span, _ := evidence.Read(interview).Find("almond MILK. the")
	if diff := cmp.Diff(evidence.Span{Row: 1, Start: 27, End: 44}, span); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	r := evidence.Read(interview)
	for _, foreign := range []evidence.Span{{Row: 3}, {Row: 1, Start: -1, End: 2}, {Row: 1, Start: 3, End: 2}, {Row: 6, Start: 0, End: 3}} {
		if got := r.Text(foreign); got != "" {
			t.Errorf("%+v covers %q", foreign, got)
		}
	}
	if span, ok := r.Locate("OK"); !ok || span.Row != 6 {
		t.Errorf("a known word is at %+v, %t", span, ok)
	}
}

// FuzzFind: what is found says the same as the quote, in an existing turn.
func FuzzFind(f *testing.F) {
	for _, turn := range interview {
		f.Add(turn.Text, "The Substitutes are")
		f.Add(turn.Text, turn.Text)
	}
	f.Add("e\u0301clair au cafe\u0301\u0327", "éclair au cafe")
	f.Add("\xff\xfe broken bytes here", "broken bytes here")
	f.Add("각\u1161 한글이 있습니다 여기", "한글이 있습니다")
	f.Fuzz(func(t *testing.T, text, quote string) {
		turns := []evidence.Turn{{Row: 0, Text: "I swapped the oat milk"}, {Row: 9, Text: text}}
		span, ok := evidence.Read(turns).Find(quote)
		if !ok {
			return
		}
		words := evidence.Read(turns).Text(span)
		if evidence.Fold(words) != strings.TrimSpace(evidence.Fold(quote)) {
			t.Errorf("%q was found as %q", quote, words)
		}
		if utf8.ValidString(text) && !utf8.ValidString(words) {
			t.Errorf("%q tears a character of %q", words, text)
		}
	})
}
