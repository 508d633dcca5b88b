package transcript_test

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"verbatim/internal/domain/transcript"
)

// startOf returns when a word of a text is said.
func startOf(t *testing.T, words []transcript.PlacedWord, text string) time.Duration {
	t.Helper()
	for _, w := range words {
		if w.Text == text {
			return w.Start
		}
	}
	t.Fatalf("%q is not placed", text)
	return 0
}

func TestAlign(t *testing.T) {
	t.Parallel()
	spoken := said("I always luke at the prize before any thing else", 0)
	words := transcript.Align("I always look at the price 🍏 before anything else.", spoken)
	for word, want := range map[string]time.Duration{"I": 0, "always": 500 * ms, "at": 1500 * ms, "the": 2000 * ms, "before": 3000 * ms, "else": 4500 * ms} {
		if got := startOf(t, words, word); got != want {
			t.Errorf("%s at %v, want %v", word, got, want)
		}
	}
	if look := startOf(t, words, "look"); look < 900*ms || look > 1500*ms {
		t.Errorf("the corrected word is at %v", look)
	}
	if anything := startOf(t, words, "anything"); anything < 3400*ms || anything > 4500*ms {
		t.Errorf("two words that became one are at %v", anything)
	}
	last := words[len(words)-1]
	if last.Text != "else" || last.From != 46 || last.To != 50 {
		t.Errorf("after a character of two units: %+v", last)
	}
	if begins, ends, ok := transcript.Times(words, 21, 27); !ok || begins < 2400*ms || ends > 3000*ms {
		t.Errorf("price is said from %v to %v, %t", begins, ends, ok)
	}
	if _, _, ok := transcript.Times(words, 9000, 9001); ok {
		t.Error("nothing is said beyond the end")
	}
	if words := transcript.Align("Something entirely different was typed here", spoken); words != nil {
		t.Errorf("typed words got times: %v", words)
	}
	if words := transcript.Align("x", nil); words != nil {
		t.Errorf("nothing was spoken: %v", words)
	}
	unspaced := []transcript.Word{{Text: "商品検索", Start: 0, End: 4 * time.Second}, {Text: "が使いにくい", Start: 4 * time.Second, End: 10 * time.Second}}
	if got := startOf(t, transcript.Align("商品の検索が使いにくい", unspaced), "使"); got != 5*time.Second {
		t.Errorf("without spaces: %v", got)
	}
}

// TestAlignKeepsOrder: whatever a person types, places and times do not run backwards and lie within the text and the recording. A long
// answer is aligned in bounded time.
func TestAlignKeepsOrder(t *testing.T) {
	t.Parallel()
	check := func(r interface{ Fatalf(string, ...any) }, text string, spoken []transcript.Word) {
		place, at := 0, time.Duration(0)
		for _, w := range transcript.Align(text, spoken) {
			if w.From < place || w.To <= w.From || w.Start < at || w.End < w.Start || w.End > spoken[len(spoken)-1].End {
				r.Fatalf("%+v after %d, %v", w, place, at)
			}
			place, at = w.To, w.Start
		}
	}
	rapid.Check(t, func(r *rapid.T) {
		vocabulary := []string{"a", "b", "c", "🍏", "don't", "検索", "Äpfel,", "a-b"}
		draw := func(name string) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(vocabulary), 1, 12).Draw(r, name), " ")
		}
		check(r, draw("text"), said(draw("spoken"), 0))
	})
	long := strings.Repeat("one two three four five ", 700)
	check(t, strings.Replace(long, "three", "tree", 300)+"end", said("begin "+long, 0))
}
