package transcript_test

import (
	"math"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/transcript"
)

const ms = time.Millisecond

// said makes the words of a text, one every half second from the given time.
func said(text string, from time.Duration) (words []transcript.Word) {
	for word := range strings.FieldsSeq(text) {
		words = append(words, transcript.Word{Text: strings.Trim(word, ".,!?¿"), Start: from, End: from + 400*ms, Confidence: 0.9})
		from += 500 * ms
	}
	return words
}

func texts(words []transcript.Word) string {
	var all []string
	for _, w := range words {
		all = append(all, w.Text)
	}
	return strings.Join(all, " ")
}

// Words entirely outside of speech are removed, from the text too.
func TestKeepWithin(t *testing.T) {
	t.Parallel()
	spoken := []transcript.Span{{Start: 0, End: 2 * time.Second}, {Start: 10 * time.Second, End: 12 * time.Second}}
	for _, tt := range []struct {
		name  string
		text  string
		words []transcript.Word
		want  string
		kept  string
	}{
		{"all is spoken", "I like it. Really!", said("I like it. Really!", 0), "I like it. Really!", "I like it Really"},
		{"thanks at the end", "I like it. Thank you for watching.", append(said("I like it.", 0), said("Thank you for watching.", 3*time.Second)...), "I like it.", "I like it"},
		{"thanks in between", "I like it. Thank you. A lot.", append(append(said("I like it.", 0), said("Thank you.", 5*time.Second)...), said("A lot.", 10*time.Second)...), "I like it. A lot.", "I like it A lot"},
		{"all is invented", "Thank you.", said("Thank you.", 5*time.Second), "", ""},
		{"the text has other words", "3 apples", append(said("three apples", 0), said("Thanks", 5*time.Second)...), "three apples", "three apples"},
		{"no words to judge by", "I like it.", nil, "I like it.", ""},
		{"half a word is in", "so", []transcript.Word{{Text: "so", Start: 1900 * ms, End: 2500 * ms}}, "so", "so"},
		{"a word without length", "so", []transcript.Word{{Text: "so", Start: 0, End: 0}}, "so", "so"},
	} {
		h := transcript.Recognized{Text: tt.text, Words: tt.words}
		h.KeepWithin(spoken)
		if h.Text != tt.want || texts(h.Words) != tt.kept {
			t.Errorf("%s: %q, words %q; want %q, %q", tt.name, h.Text, texts(h.Words), tt.want, tt.kept)
		}
	}
	nothing := transcript.Recognized{Text: "Thank you.", Words: said("Thank you.", 0)}
	if nothing.KeepWithin(nil); nothing.Text != "" || len(nothing.Words) > 0 {
		t.Errorf("without speech: %+v", nothing)
	}
}

func TestClean(t *testing.T) {
	t.Parallel()
	h := transcript.Recognized{
		Language: "EN", Text: " I\x00 like\n\n<b>apples</b>\u202e\x1b[31m. \xff",
		Words: []transcript.Word{
			{Text: "apples ", Start: 2 * time.Second, End: time.Second, Confidence: 7},
			{Text: " I", Start: -time.Second, End: 100 * ms, Confidence: 1},
			{Text: "\x07", Start: 0, End: 0},
			{Text: "late", Start: time.Hour, End: 2 * time.Hour, Confidence: math.NaN()},
		},
	}
	h.Clean(3 * time.Second)
	want := transcript.Recognized{
		Language: "en", Text: "I like <b>apples</b>[31m.",
		Words: []transcript.Word{
			{Text: "I", Start: 0, End: 100 * ms, Confidence: 1},
			{Text: "apples", Start: 2 * time.Second, End: 2 * time.Second, Confidence: transcript.Unknown},
			{Text: "late", Start: 3 * time.Second, End: 3 * time.Second, Confidence: transcript.Unknown},
		},
	}
	if diff := cmp.Diff(want, h); diff != "" {
		t.Error(diff)
	}
	for given, want := range map[string]string{"english": "", "de": "de", "yue": "yue", "<b": "", "": ""} {
		h := transcript.Recognized{Language: given}
		if h.Clean(0); h.Language != want {
			t.Errorf("language %q: %q", given, h.Language)
		}
	}
	h = transcript.Recognized{Words: said("only words", 0)}
	if h.Clean(time.Second); h.Text != "only words" {
		t.Errorf("without a text: %q", h.Text)
	}
}

// Whatever a provider returns, the result can be shown, stored and used as an answer.
func TestCleanKeepsWhatCanBeShown(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		long := time.Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(r, "duration"))
		h := transcript.Recognized{Language: rapid.String().Draw(r, "language"), Text: string(rapid.SliceOf(rapid.Byte()).Draw(r, "text"))}
		h.Text = strings.Repeat(h.Text, rapid.SampledFrom([]int{1, 1, 5000}).Draw(r, "times"))
		for range rapid.IntRange(0, 9).Draw(r, "words") {
			h.Words = append(h.Words, transcript.Word{
				Text: rapid.String().Draw(r, "word"), Confidence: rapid.Float64().Draw(r, "confidence"),
				Start: time.Duration(rapid.Int64().Draw(r, "start")), End: time.Duration(rapid.Int64().Draw(r, "end")),
			})
		}
		h.Clean(long)
		h.KeepWithin([]transcript.Span{{Start: long / 4, End: long / 2}})
		if !utf8.ValidString(h.Text) || utf8.RuneCountInString(h.Text) > interview.MaxText || strings.ContainsFunc(h.Text, unicode.IsControl) {
			r.Fatalf("text %q", h.Text)
		}
		before := time.Duration(0)
		for _, w := range h.Words {
			if w.Text == "" || w.Start < before || w.End < w.Start || w.End > long || w.Confidence != transcript.Unknown && (w.Confidence < 0 || w.Confidence > 1) {
				r.Fatalf("word %+v of %v", w, long)
			}
			before = w.Start
		}
	})
}

func TestAppend(t *testing.T) {
	t.Parallel()
	var h transcript.Recognized
	h.Append(transcript.Recognized{Language: "en", Text: "One.", Words: said("One.", 0)}, 0)
	h.Append(transcript.Recognized{}, time.Minute)
	h.Append(transcript.Recognized{Language: "de", Text: "Two.", Words: said("Two.", time.Second)}, 2*time.Minute)
	want := transcript.Recognized{Language: "en", Text: "One. Two.", Words: append(said("One.", 0), said("Two.", 121*time.Second)...)}
	if diff := cmp.Diff(want, h); diff != "" {
		t.Error(diff)
	}
}

func TestLow(t *testing.T) {
	t.Parallel()
	for confidence, want := range map[float64]bool{0: true, 0.59: true, transcript.LowConfidence: false, 1: false, transcript.Unknown: false} {
		if got := (transcript.Word{Confidence: confidence}).IsLow(); got != want {
			t.Errorf("confidence %v: low is %t", confidence, got)
		}
	}
}
