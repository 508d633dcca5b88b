package transcript

import (
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/domain/interview"
)

// ErrNone means that nobody has heard the upload yet.
var ErrNone = errors.New("the upload was not heard yet")

// JobHear is the kind of the jobs that hear recordings which answers were given by alone. Their argument is the
// recording's id.
const JobTranscribe = "hear"

const (
	// Unknown is the confidence of a word of which the provider does not say how sure it is.
	Unknown = -1
	// Low is the confidence below which a word is marked for the participant to look at. Recognisers are right about nine of
	// ten words that they give less than this, so it is a hint, not a verdict.
	Low = 0.6
	// MostWords bounds what is kept of one transcript.
	MaxWords = 20_000
)

// Transcript is what was heard in one upload.
type Transcript struct {
	Language string // a code, as the guide's; empty where nobody said it
	Text     string // empty: nobody spoke, or nothing was understood
	Words    []Word // empty where the provider gives no times
	Provider string // the host that heard; empty: none was asked, because nobody speaks
	Model    string
	Duration time.Duration // of the sound
	Speech   time.Duration // of it with speech, by Meter
}

// Word is one word, or where the provider times nothing finer the words of one breath.
type Word struct {
	Text       string
	Start, End time.Duration // from the beginning of the upload
	Confidence float64       // 0 to 1, or Unknown
}

// IsLow tells whether the provider doubts the word. One that does not say is not taken to doubt.
func (w Word) IsLow() bool { return w.Confidence != Unknown && w.Confidence < Low }

// Heard is what a provider says of a sound.
type Recognized struct {
	Language string
	Text     string
	Words    []Word
}

// Clean makes what a provider says fit to be kept and shown: text without what cannot be seen, times that lie within the
// sound and run forward, confidences that are one. Nothing is trusted, and nothing is made up.
func (h *Recognized) Clean(duration time.Duration) {
	h.Language = strings.ToLower(h.Language)
	if !isCode(h.Language) {
		h.Language = ""
	}
	h.Text = cleanText(h.Text)
	words := make([]Word, 0, min(len(h.Words), MaxWords))
	for _, w := range h.Words[:min(len(h.Words), MaxWords)] {
		w.Text = cleanText(w.Text)
		w.Start = min(max(w.Start, 0), duration)
		w.End = min(max(w.End, w.Start), duration)
		if !(w.Confidence >= 0 && w.Confidence <= 1) { // nor NaN
			w.Confidence = Unknown
		}
		if w.Text != "" {
			words = append(words, w)
		}
	}
	slices.SortStableFunc(words, func(a, b Word) int { return int(a.Start - b.Start) })
	h.Words = words
	if h.Text == "" {
		h.Text = cleanText(joinWords(words))
	}
}

// isCode tells a code of a language from its name.
func isCode(s string) bool {
	return (len(s) == 2 || len(s) == 3) && !strings.ContainsFunc(s, func(r rune) bool { return r < 'a' || r > 'z' })
}

// cleanText takes out what cannot be seen and whatever else than single spaces parts words, and cuts what is longer than an
// answer may be.
func cleanText(s string) string {
	const enough = 4 * utf8.UTFMax * interview.MaxText // bytes; there may be much to take out
	s = strings.ToValidUTF8(s[:min(len(s), enough)], "")
	s = strings.Join(strings.FieldsFunc(s, unicode.IsSpace), " ")
	s = strings.Map(func(r rune) rune {
		if unicode.IsGraphic(r) || r == '\u200c' || r == '\u200d' { // joiners, which some scripts are spelt with
			return r
		}
		return -1
	}, s)
	if utf8.RuneCountInString(s) > interview.MaxText {
		s = string([]rune(s)[:interview.MaxText])
	}
	return strings.TrimSpace(s)
}

// KeepWithin drops the words that lie wholly outside of speech: recognisers that are given silence are known to invent
// thanks for watching. The text loses them too. Where there are no words, nothing can be said about the text.
func (h *Recognized) KeepWithin(speech []Span) {
	h.Drop(func(w Word) bool {
		return !slices.ContainsFunc(speech, func(s Span) bool { return w.Start < s.End && (w.End > s.Start || w.Start >= s.Start) })
	})
}

// Drop takes words out, of the text too: each with what stands between it and the next, such as a full stop.
func (h *Recognized) Drop(bad func(Word) bool) {
	var kept []Word
	var text strings.Builder
	places := h.places()
	for i, w := range h.Words {
		if bad(w) {
			continue
		}
		kept = append(kept, w)
		if places != nil {
			text.WriteString(h.Text[places[i]:places[i+1]])
		}
	}
	switch {
	case len(kept) == len(h.Words):
		return
	case places == nil:
		text.WriteString(joinWords(kept))
	}
	h.Words, h.Text = kept, strings.TrimSpace(text.String())
}

// places are where each word begins in the text, and the text's end; nil where the text is not made of the words. What
// stands before the first word is its own.
func (h *Recognized) places() []int {
	places := make([]int, 0, len(h.Words)+1)
	at := 0
	for i, w := range h.Words {
		next := strings.Index(h.Text[at:], w.Text)
		if next < 0 {
			return nil
		}
		if i == 0 {
			places = append(places, 0)
		} else {
			places = append(places, at+next)
		}
		at += next + len(w.Text)
	}
	return append(places, len(h.Text))
}

func joinWords(words []Word) string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.Text
	}
	return strings.Join(texts, " ")
}

// Append adds what was heard in a later piece of the same sound, which begins at a time.
func (h *Recognized) Append(later Recognized, at time.Duration) {
	if h.Language == "" {
		h.Language = later.Language
	}
	h.Text = strings.TrimSpace(h.Text + " " + later.Text)
	for _, w := range later.Words {
		w.Start, w.End = w.Start+at, w.End+at
		h.Words = append(h.Words, w)
	}
}
