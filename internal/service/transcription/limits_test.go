package transcription_test

import (
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"verbatim/internal/domain/recording"
	"verbatim/internal/domain/transcript"
	"verbatim/internal/domain/usage"
	"verbatim/internal/platform/speech/speechtest"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/transcription"
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
	status, recognized := b.hear(b.upload(recording.Audio, "s0", again(t, recorded(t, voice), "69"), 0)) // 350 seconds
	if status != transcription.Heard || recognized.Text != "First. Second." || len(recognized.Words) != 2 {
		t.Fatalf("%s %+v", status, recognized)
	}
	if at := recognized.Words[1].Start; at < 280*time.Second || at > 310*time.Second {
		t.Errorf("the second piece begins at %v", at)
	}
	if n := len(b.provider.Asked()); n != 2 {
		t.Errorf("sent in %d pieces", n)
	}
}

// What is given to the provider is bounded by interview, study and day, whoever asks and how often: those who mean harm cannot
// spend the operator's money without end.
func TestMostSpeech(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		of     string
		limits usage.SpeechLimits
	}{
		{"interview", usage.SpeechLimits{Interview: 4 * time.Hour}},
		{"study", usage.SpeechLimits{Interview: 5 * time.Hour, Study: 4 * time.Hour}},
		{"day", usage.SpeechLimits{Study: 5 * time.Hour, Day: 4 * time.Hour}},
	} {
		t.Run(tt.of, func(t *testing.T) {
			t.Parallel()
			b := newBooth(t, speechtest.Says("Apples.", time.Second/2))
			b.ears.Limits = tt.limits
			var met []string
			b.ears.OnCeiling = func(of usage.Scope, full *usage.CeilingError) {
				if of.StudyID != b.sc.Study.ID || of.ResponseID != b.r.ID {
					t.Errorf("the ceiling is of %+v", of)
				}
				met = append(met, full.Of)
			}
			storetest.Write(t, b.sc.Store, func(tx *store.Tx) error {
				_, err := tx.CountSpeech(t.Context(), usage.Scope{StudyID: b.sc.Study.ID, ResponseID: b.r.ID}, 4*time.Hour-time.Second, tt.limits)
				return err
			})
			u := b.upload(recording.Audio, "s0", recorded(t, voice), 0) // two seconds of speech
			for range 3 {
				if status, recognized := b.hear(u); status != transcription.None || recognized.Text != "" {
					t.Errorf("%s %+v", status, recognized)
				}
			}
			if len(b.provider.Asked()) > 0 || !slices.Equal(met, []string{tt.of, tt.of, tt.of}) {
				t.Errorf("asked %d times, met %q", len(b.provider.Asked()), met)
			}
		})
	}
}

var refuses = speechtest.Body(http.StatusForbidden, `{"error":{"message":"no"}}`)

// A provider that fails half-way is paid for the first half each time. That counts, too, so that a recording which it can never
// read to its end is not sent over and over; what was not heard is given back.
func TestSpeechOfFailuresCounts(t *testing.T) {
	t.Parallel()
	b := newBooth(t, speechtest.Says("First.", time.Second/2), refuses, speechtest.Says("First.", time.Second/2), refuses)
	b.ears.Limits = usage.SpeechLimits{Interview: 390 * time.Second} // enough for two halves and one whole
	u := b.upload(recording.Audio, "s0", again(t, recorded(t, voice), "69"), 0)
	asked := []int{}
	for range 4 {
		if status, _ := b.hear(u); status != transcription.None {
			t.Fatalf("a sound that cannot be read to its end is %s", status)
		}
		asked = append(asked, len(b.provider.Asked()))
	}
	if want := []int{2, 4, 4, 4}; !slices.Equal(asked, want) {
		t.Errorf("the provider was asked %v times after each try, want %v", asked, want)
	}
}

// An answer by voice alone that the day's ceiling leaves unheard is heard the next day.
func TestDayCeilingPutsOff(t *testing.T) {
	t.Parallel()
	b := newBooth(t, speechtest.Says("Apples.", time.Second/2))
	b.ears.Limits = usage.SpeechLimits{Day: time.Second}
	job := b.answer("", b.upload(recording.Audio, "s0", recorded(t, voice), 0))
	before, err := b.sc.Store.View().JobCounts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := b.ears.Run(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	after, err := b.sc.Store.View().JobCounts(t.Context())
	if due := b.jobs(store.Queue{Only: transcript.JobTranscribe}); err != nil || len(due) > 0 || after["ready"] != before["ready"]+1 {
		t.Errorf("%d jobs are due today, %v waited and %v wait (%v)", len(due), before, after, err)
	}
}
