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

// ErrNone reports that the upload has no transcript yet.
var ErrNone = errors.New("the upload has not been transcribed yet")

const (
	// Unknown is the confidence of a word for which the provider gives none.
	Unknown = -1
	// LowConfidence is the confidence below which a word is marked for the participant to check. About nine of ten words that
	// providers rate lower than this are nevertheless correct, so it is a hint, not a verdict.
	LowConfidence = 0.6
	// MaxWords is the maximum number of words stored of one transcript.
	MaxWords = 20_000
)

// Transcript is the transcript of one upload.
type Transcript struct {
	Language string // a code of guide.Languages; empty if unknown
	Text     string // empty: nobody spoke, or nothing was understood
	Words    []Word // empty if the provider gives no times
	Provider string // the host that transcribed; empty: none was asked, because nobody speaks
	Model    string
	Duration time.Duration // of the recording
	Speech   time.Duration // how much of it is speech, according to VoiceDetector
}

// Word is one word, or a whole segment of words if the provider gives no times for single words.
type Word struct {
	Text       string
	Start, End time.Duration // from the beginning of the upload
	Confidence float64       // 0 to 1, or Unknown
}

// IsLow reports whether the provider is unsure of the word. A word of unknown confidence is not low.
func (w Word) IsLow() bool { return w.Confidence != Unknown && w.Confidence < LowConfidence }

// Recognized is a provider's answer for one recording.
type Recognized struct {
	Language string
	Text     string
	Words    []Word
}

// Clean makes a provider's answer safe to store and show: text without invisible characters, times that lie within the
// recording and do not run backwards, confidences from 0 to 1 or Unknown. Nothing is trusted, and nothing is made up.
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
		if !(w.Confidence >= 0 && w.Confidence <= 1) { // also true for NaN
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

// isCode reports whether s is the code of a language, not its name.
func isCode(s string) bool {
	return (len(s) == 2 || len(s) == 3) && !strings.ContainsFunc(s, func(r rune) bool { return r < 'a' || r > 'z' })
}

// cleanText removes invisible characters, replaces white space between words by single spaces, and truncates what is longer
// than an answer may be.
func cleanText(s string) string {
	const enough = 4 * utf8.UTFMax * interview.MaxText // bytes; much may have to be removed
	s = strings.ToValidUTF8(s[:min(len(s), enough)], "")
	s = strings.Join(strings.FieldsFunc(s, unicode.IsSpace), " ")
	s = strings.Map(func(r rune) rune {
		if unicode.IsGraphic(r) || r == '\u200c' || r == '\u200d' { // joiners, which some scripts need for spelling
			return r
		}
		return -1
	}, s)
	if utf8.RuneCountInString(s) > interview.MaxText {
		s = string([]rune(s)[:interview.MaxText])
	}
	return strings.TrimSpace(s)
}

// KeepWithin drops the words that lie entirely outside of speech: providers are known to invent phrases such as "thanks for
// watching" for silence. The words are removed from the text, too. If the answer has no words with times, the text is kept
// as it is.
func (h *Recognized) KeepWithin(speech []Span) {
	h.Drop(func(w Word) bool {
		return !slices.ContainsFunc(speech, func(s Span) bool { return w.Start < s.End && (w.End > s.Start || w.Start >= s.Start) })
	})
}

// Drop removes words, from the text as well: each with what stands between it and the next word, such as a full stop.
func (h *Recognized) Drop(bad func(Word) bool) {
	var kept []Word
	var text strings.Builder
	offsets := h.wordOffsets()
	for i, w := range h.Words {
		if bad(w) {
			continue
		}
		kept = append(kept, w)
		if offsets != nil {
			text.WriteString(h.Text[offsets[i]:offsets[i+1]])
		}
	}
	switch {
	case len(kept) == len(h.Words):
		return
	case offsets == nil:
		text.WriteString(joinWords(kept))
	}
	h.Words, h.Text = kept, strings.TrimSpace(text.String())
}

// wordOffsets returns the offsets at which each word begins in the text, and the text's end; nil if the text does not
// consist of the words. What precedes the first word belongs to it.
func (h *Recognized) wordOffsets() []int {
	offsets := make([]int, 0, len(h.Words)+1)
	at := 0
	for i, w := range h.Words {
		next := strings.Index(h.Text[at:], w.Text)
		if next < 0 {
			return nil
		}
		if i == 0 {
			offsets = append(offsets, 0)
		} else {
			offsets = append(offsets, at+next)
		}
		at += next + len(w.Text)
	}
	return append(offsets, len(h.Text))
}

func joinWords(words []Word) string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.Text
	}
	return strings.Join(texts, " ")
}

// Append adds the answer for a later part of the same recording, which begins at the given time.
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
