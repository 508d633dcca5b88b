package transcript

import (
	"strings"

	"verbatim/internal/domain/evidence"
)

// PlacedWord is a word with its place in the text, in UTF-16 code units, by which browsers count.
type PlacedWord struct {
	Word
	From, To int
}

// Place returns the words of a transcript with their places in its text. A word that does not stand in the text has the empty place
// where it would be.
func (t *Transcript) Place() []PlacedWord {
	placed := make([]PlacedWord, len(t.Words))
	bytes, units := 0, 0 // the same place
	for i, w := range t.Words {
		placed[i] = PlacedWord{w, units, units}
		at := strings.Index(t.Text[bytes:], w.Text)
		if at < 0 || w.Text == "" {
			continue
		}
		before := t.Text[bytes : bytes+at]
		units += evidence.UTF16Offset(before, len(before))
		placed[i].From = units
		units += evidence.UTF16Offset(w.Text, len(w.Text))
		placed[i].To = units
		bytes += at + len(w.Text)
	}
	return placed
}

// Join appends the transcript of a later part of the same recording.
func (t *Transcript) Join(later Transcript) {
	for _, w := range later.Words {
		w.Start, w.End = w.Start+t.Duration, w.End+t.Duration
		t.Words = append(t.Words, w)
	}
	t.Text = strings.TrimSpace(t.Text + " " + later.Text)
	t.Duration += later.Duration
}
