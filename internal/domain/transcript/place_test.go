package transcript_test

import (
	"testing"
	"time"

	"verbatim/internal/domain/evidence"
	"verbatim/internal/domain/transcript"
)

// TestPlace: places count UTF-16 code units, also after characters that take two.
func TestPlace(t *testing.T) {
	t.Parallel()
	said := transcript.Transcript{Text: "Ja 🍏, die Äpfel, die", Duration: 2 * time.Second, Words: []transcript.Word{{Text: "Ja"}, {Text: "die"}, {Text: "fehlt"}, {Text: "Äpfel"}, {Text: "die"}}}
	want := [][2]int{{0, 2}, {7, 10}, {10, 10}, {11, 16}, {18, 21}}
	for i, w := range said.Place() {
		if w.From != want[i][0] || w.To != want[i][1] {
			t.Errorf("%s is at %d to %d, want %v", w.Text, w.From, w.To, want[i])
		}
	}
	said.Join(transcript.Transcript{Text: "und mehr", Duration: time.Second, Words: []transcript.Word{{Text: "und", Start: time.Second}}})
	if last := said.Words[5]; said.Text != "Ja 🍏, die Äpfel, die und mehr" || last.Start != 3*time.Second || said.Duration != 3*time.Second {
		t.Errorf("joined: %+v", said)
	}
}

func TestUTF16(t *testing.T) {
	t.Parallel()
	for offset, want := range map[int]int{0: 0, 1: 1, 2: 1, 3: 1, 5: 3, 6: 4, 99: 4} { // a🍏b is 1, 4 and 1 bytes
		if got := evidence.UTF16Offset("a🍏b", offset); got != want {
			t.Errorf("byte %d is unit %d, want %d", offset, got, want)
		}
	}
}
