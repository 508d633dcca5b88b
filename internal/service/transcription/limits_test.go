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
	"verbatim/internal/domain/usage"
	"verbatim/internal/platform/speech/speechtest"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/jobs"
	"verbatim/internal/service/transcription"
)

// patient is how long a participant waits for a long recording, which a busy machine decodes for more than a minute.
const patient = time.Hour

// repeatSound returns a recording that repeats a sound several times.
func repeatSound(t *testing.T, sound []byte, times string) []byte {
	t.Helper()
	name := filepath.Join(t.TempDir(), "take.webm")
	if err := os.WriteFile(name, sound, 0o600); err != nil {
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

// TestLongRecording: a long recording is sent in chunks, and the times of its words count from the start of the recording.
func TestLongRecording(t *testing.T) {
	t.Parallel()
	b := newFixture(t, speechtest.Says("First.", time.Second/2), speechtest.Says("Second.", time.Second/2))
	b.service.Within = patient
	status, recognized := b.transcribe(b.upload(recording.Audio, "s0", repeatSound(t, recorderFile(t, voice), "69"), 0)) // 350 seconds
	if status != transcription.Transcribed || recognized.Text != "First. Second." || len(recognized.Words) != 2 {
		t.Fatalf("%s %+v", status, recognized)
	}
	if at := recognized.Words[1].Start; at < 280*time.Second || at > 310*time.Second {
		t.Errorf("the second chunk begins at %v", at)
	}
	if n := len(b.provider.Asked()); n != 2 {
		t.Errorf("sent in %d chunks", n)
	}
}

// TestSpeechCeilings: the speech sent to the provider is bounded by interview, study and day, however often it is asked for, so
// that abuse cannot spend the operator's money without limit.
func TestSpeechCeilings(t *testing.T) {
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
			b := newFixture(t, speechtest.Says("Apples.", time.Second/2))
			b.service.Limits = tt.limits
			var reached []string
			b.service.OnCeiling = func(of usage.Scope, ceiling *usage.CeilingError) {
				if of.StudyID != b.sc.Study.ID || of.ResponseID != b.r.ID {
					t.Errorf("the ceiling is for %+v", of)
				}
				reached = append(reached, ceiling.Of)
			}
			storetest.Write(t, b.sc.Store, func(tx *store.Tx) error {
				_, err := tx.CountSpeech(t.Context(), usage.Scope{StudyID: b.sc.Study.ID, ResponseID: b.r.ID}, 4*time.Hour-time.Second, tt.limits)
				return err
			})
			u := b.upload(recording.Audio, "s0", recorderFile(t, voice), 0) // two seconds of speech
			for range 3 {
				if status, recognized := b.transcribe(u); status != transcription.None || recognized.Text != "" {
					t.Errorf("%s %+v", status, recognized)
				}
			}
			if len(b.provider.Asked()) > 0 || !slices.Equal(reached, []string{tt.of, tt.of, tt.of}) {
				t.Errorf("asked %d times, reached %q", len(b.provider.Asked()), reached)
			}
		})
	}
}

var refusal = speechtest.Body(http.StatusForbidden, `{"error":{"message":"no"}}`)

// TestSpeechOfFailuresCounts: a provider that fails half-way is paid for the first half each time. That speech counts, so that
// a recording that can never be transcribed is not sent forever; speech that was not transcribed is returned.
func TestSpeechOfFailuresCounts(t *testing.T) {
	t.Parallel()
	b := newFixture(t, speechtest.Says("First.", time.Second/2), refusal, speechtest.Says("First.", time.Second/2), refusal)
	b.service.Within = patient
	b.service.Limits = usage.SpeechLimits{Interview: 390 * time.Second} // enough for two halves and one complete recording
	u := b.upload(recording.Audio, "s0", repeatSound(t, recorderFile(t, voice), "69"), 0)
	asked := []int{}
	for range 4 {
		if status, _ := b.transcribe(u); status != transcription.None {
			t.Fatalf("a sound that cannot be transcribed completely is %s", status)
		}
		asked = append(asked, len(b.provider.Asked()))
	}
	if want := []int{2, 4, 4, 4}; !slices.Equal(asked, want) {
		t.Errorf("the provider was asked %v times after each try, want %v", asked, want)
	}
}

// TestDayCeilingPostpones: a spoken answer refused by the day's ceiling is transcribed the next day.
func TestDayCeilingPostpones(t *testing.T) {
	t.Parallel()
	b := newFixture(t, speechtest.Says("Apples.", time.Second/2))
	b.service.Limits = usage.SpeechLimits{Day: time.Second}
	job := b.answer("", b.upload(recording.Audio, "s0", recorderFile(t, voice), 0))
	before, err := b.sc.Store.View().JobCounts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := b.service.Run(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	after, err := b.sc.Store.View().JobCounts(t.Context())
	if due := b.jobs(jobs.KindTranscribe); err != nil || len(due) > 0 || after["ready"] != before["ready"]+1 {
		t.Errorf("%d jobs are due today, %v waited and %v wait (%v)", len(due), before, after, err)
	}
}
