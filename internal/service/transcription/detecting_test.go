package transcription

import (
	"bytes"
	"testing"
)

// TestDetectingWriterIsFull: sound beyond the limit is neither stored nor measured, and full is set.
func TestDetectingWriterIsFull(t *testing.T) {
	t.Parallel()
	var kept bytes.Buffer
	m := &detectingWriter{to: &kept, started: true, left: 10}
	for i, want := range []struct {
		kept int
		full bool
	}{{6, false}, {10, true}, {10, true}} {
		n, err := m.Write(make([]byte, 6))
		if n != 6 || err != nil || kept.Len() != want.kept || m.full != want.full {
			t.Errorf("%d: %d, %v; kept %d, full %t", i, n, err, kept.Len(), m.full)
		}
	}
	if m.Duration() != 312500 { // five samples
		t.Errorf("measured %v", m.Duration())
	}
}
