package hearing_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"verbatim/internal/hearing"
	"verbatim/internal/recording"
	"verbatim/internal/speech/speechtest"
	"verbatim/internal/store"
	"verbatim/internal/store/storetest"
	"verbatim/internal/transcript"
)

// again is a take over and over, as one recording.
func again(t *testing.T, take []byte, times string) []byte {
	t.Helper()
	name := filepath.Join(t.TempDir(), "take.webm")
	if err := os.WriteFile(name, take, 0o600); err != nil {
		t.Fatal(err)
	}
	var complaints bytes.Buffer
	cmd := exec.CommandContext(t.Context(), "ffmpeg", "-nostdin", "-v", "fatal", "-stream_loop", times, "-i", name, "-c", "copy", "-f", "webm", "-live", "1", "pipe:1")
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("ffmpeg: %v: %s", err, complaints.Bytes())
	}
	return out
}

// A long recording is sent in pieces, and its words have the times at which they were said in the whole.
func TestLongRecording(t *testing.T) {
	t.Parallel()
	b := newBooth(t, speechtest.Says("First.", time.Second/2), speechtest.Says("Second.", time.Second/2))
	status, heard := b.hear(b.upload(recording.Audio, "s0", again(t, recorded(t, voice), "69"), 0)) // 350 seconds
	if status != hearing.Heard || heard.Text != "First. Second." || len(heard.Words) != 2 {
		t.Fatalf("%s %+v", status, heard)
	}
	if at := heard.Words[1].Start; at < 280*time.Second || at > 310*time.Second {
		t.Errorf("the second piece begins at %v", at)
	}
	if n := len(b.provider.Asked()); n != 2 {
		t.Errorf("sent in %d pieces", n)
	}
}

// An interview with hours of speech is not heard further: who means harm cannot spend the operator's money without end.
func TestMostSpeech(t *testing.T) {
	t.Parallel()
	b := newBooth(t, speechtest.Says("Apples.", time.Second/2))
	before := b.upload(recording.Audio, "s0", []byte("heard before"), 0)
	storetest.Write(t, b.sc.Store, func(tx *store.Tx) error {
		return tx.SaveTranscript(t.Context(), b.r.ID, before.ID, transcript.Transcript{Text: "Much.", Speech: 4 * time.Hour})
	})
	if status, heard := b.hear(b.upload(recording.Audio, "s0", recorded(t, voice), 0)); status != hearing.None || heard.Text != "" || len(b.provider.Asked()) > 0 {
		t.Errorf("%s %+v, asked %d times", status, heard, len(b.provider.Asked()))
	}
}
