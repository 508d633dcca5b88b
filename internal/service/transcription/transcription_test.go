package transcription_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/recording"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/transcript"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/blob/blobtest"
	"verbatim/internal/platform/ffmpeg"
	"verbatim/internal/platform/speech"
	"verbatim/internal/platform/speech/speechtest"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/transcription"
)

// fixture is a response with a service that transcribes its uploads.
type fixture struct {
	t        *testing.T
	sc       storetest.Scene
	r        response.Response
	objects  blob.Store
	provider *speechtest.Provider
	service  *transcription.Service
}

func newFixture(t *testing.T, script ...http.HandlerFunc) *fixture {
	t.Helper()
	sc := storetest.NewScene(t, storetest.New(t))
	b := &fixture{t: t, sc: sc, r: storetest.Response(t, sc.Store, sc.Study, nil), objects: blobtest.Folder(t), provider: speechtest.New(script...)}
	b.service = b.node()
	return b
}

// node returns another server on the same store.
func (b *fixture) node() *transcription.Service {
	b.t.Helper()
	client, err := speech.New(speech.Config{URL: "https://speech.example.com/v1", Model: "large"}, b.provider)
	if err != nil {
		b.t.Fatal(err)
	}
	return &transcription.Service{
		Store: b.sc.Store, Objects: b.objects, Find: ffmpeg.Finder(""), Provider: client, TempDir: b.t.TempDir(),
		Log: slog.New(slog.DiscardHandler),
	}
}

// Sounds of recorders: five seconds with a voice from the first to the third second, and five without one.
const (
	voice   = `aevalsrc=exprs=between(t\,1\,3)*0.3*pow(sin(PI*4*t)\,2)*(sin(2*PI*140*t)+sin(2*PI*280*t)/2+sin(2*PI*560*t)/3):d=5:s=48000`
	silence = "anoisesrc=a=0.0005:d=5:r=48000"
)

func recorderFile(t *testing.T, source string) []byte {
	t.Helper()
	soundsMu.Lock()
	defer soundsMu.Unlock()
	if sounds[source] != nil {
		return sounds[source]
	}
	out, err := exec.CommandContext(t.Context(), "ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", source, "-c:a", "libopus", "-b:a", "32k", "-f", "webm", "-live", "1", "pipe:1").Output()
	if err != nil {
		t.Fatalf("ffmpeg: %v", err)
	}
	sounds[source] = out
	return out
}

var (
	soundsMu sync.Mutex
	sounds   = map[string][]byte{} // generated once for all tests
)

// upload uploads a session in parts; rest is the number of bytes still to come.
func (b *fixture) upload(kind recording.Kind, stepID string, content []byte, rest int64) recording.Upload {
	b.t.Helper()
	ctx := b.t.Context()
	var u recording.Upload
	storetest.Write(b.t, b.sc.Store, func(tx *store.Tx) (err error) {
		u, err = tx.CreateUpload(ctx, recording.Upload{ResponseID: b.r.ID, Kind: kind, StepID: stepID, Size: int64(len(content)) + rest}, recording.Defaults)
		return err
	})
	for part := range slices.Chunk(content, 5000) {
		name := store.NewID()
		if err := b.objects.Put(ctx, u.Object(name), bytes.NewReader(part), int64(len(part)), "application/octet-stream"); err != nil {
			b.t.Fatal(err)
		}
		is := u
		is.MediaType, is.Parts, is.Received = "audio/webm", u.Parts+1, u.Received+int64(len(part))
		if is.Received == is.Size {
			is.State = recording.Complete
		}
		storetest.Write(b.t, b.sc.Store, func(tx *store.Tx) error {
			return tx.AppendUpload(ctx, u, is, recording.Part{Name: name, Size: int64(len(part))}, recording.Defaults)
		})
		u = is
	}
	return u
}

func (b *fixture) transcribe(u recording.Upload) (transcription.Status, transcript.Transcript) {
	b.t.Helper()
	status, recognized, err := b.service.Transcribe(b.t.Context(), b.r.ID, u.ID)
	if err != nil {
		b.t.Fatal(err)
	}
	if left, err := os.ReadDir(b.service.TempDir); err != nil || len(left) > 0 {
		b.t.Errorf("left in the temporary folder: %v, %v", left, err)
	}
	return status, recognized
}

func texts(words []transcript.Word) string {
	var all []string
	for _, w := range words {
		all = append(all, w.Text)
	}
	return strings.Join(all, " ")
}

// TestHear: an upload is transcribed once; its transcript is stored with the provider's data and returned at once the next
// time.
func TestHear(t *testing.T) {
	t.Parallel()
	// Chunks begin at the start of speech: the provider's time 0.2 s is at 1 s in the recording.
	b := newFixture(t, speechtest.Says("I like apples.", 200*time.Millisecond), speechtest.Fails(500, ""))
	u := b.upload(recording.Audio, "s0", recorderFile(t, voice), 0)
	status, first := b.transcribe(u)
	if status != transcription.Transcribed || first.Text != "I like apples." || first.Provider != "speech.example.com" || first.Model != "large" || first.Language != "en" {
		t.Fatalf("%s %+v", status, first)
	}
	if texts(first.Words) != "I like apples" || first.Words[0].Start < 900*time.Millisecond || first.Words[2].End > 3*time.Second || first.Words[1].Confidence != 0.9 {
		t.Errorf("words %+v", first.Words)
	}
	if first.Duration.Round(time.Second) != 5*time.Second || first.Speech < 2*time.Second || first.Speech > 3*time.Second {
		t.Errorf("%v of %v are speech", first.Speech, first.Duration)
	}
	status, again := b.transcribe(u)
	stored, err := b.sc.Store.View().Transcript(t.Context(), b.r.ID, u.ID)
	if diff := cmp.Diff(again, stored); diff != "" || err != nil || status != transcription.Transcribed || again.Text != first.Text || len(b.provider.Asked()) != 1 {
		t.Errorf("again: %s, asked %d times, %v: %s", status, len(b.provider.Asked()), err, diff)
	}
	if sent := len(b.provider.Asked()[0].File); sent > 44+3*32_000 {
		t.Errorf("%d bytes were sent: the silence around the voice is among them", sent)
	}
}

// TestNothingIsInvented: silence is never sent, and words that a provider returns for silence are dropped.
func TestNothingIsInvented(t *testing.T) {
	t.Parallel()
	b := newFixture(t, speechtest.Says("Thank you for watching.", time.Second))
	for name, content := range map[string][]byte{
		"silence": recorderFile(t, silence), "no recording": []byte(strings.Repeat("no sound ", 900)),
	} {
		if status, recognized := b.transcribe(b.upload(recording.Audio, "s0", content, 0)); status != transcription.Silent || recognized.Text != "" || recognized.Provider != "" {
			t.Errorf("%s: %s %+v", name, status, recognized)
		}
	}
	if n := len(b.provider.Asked()); n > 0 {
		t.Errorf("silence was sent %d times", n)
	}
	b.provider.Then(speechtest.Says("Thank you for watching.", 20*time.Second))
	if status, recognized := b.transcribe(b.upload(recording.Video, "s0", recorderFile(t, voice), 0)); status != transcription.Silent || recognized.Text != "" {
		t.Errorf("words from beyond the end: %s %+v", status, recognized)
	}
	b.provider.Then(speechtest.Body(200, `{"text": "Apples. Thank you.", "words": [{"word": "Apples", "start": 0.5, "end": 1}]}`))
	if status, recognized := b.transcribe(b.upload(recording.Audio, "s0", recorderFile(t, voice), 0)); status != transcription.Transcribed || recognized.Text != "Apples. Thank you." {
		t.Errorf("%s %+v", status, recognized)
	}
	b.provider.Then(speechtest.Body(200, `{"text": ""}`))
	if status, recognized := b.transcribe(b.upload(recording.Audio, "s0", recorderFile(t, voice), 0)); status != transcription.Silent || recognized.Provider == "" {
		t.Errorf("a hum: %s %+v", status, recognized)
	}
}

// TestNobodyHears: whatever prevents a transcription, the participant is asked to type, and may ask for the transcript again
// later.
func TestNobodyHears(t *testing.T) {
	t.Parallel()
	good := speechtest.Says("Apples.", time.Second/2)
	for name, breaks := range map[string]func(b *fixture){
		"no provider": func(b *fixture) { b.service.Provider = nil },
		"no ffmpeg": func(b *fixture) {
			b.service.Find = func(context.Context) (*ffmpeg.Tool, error) { return nil, ffmpeg.ErrMissing }
		},
		"ffmpeg fails": func(b *fixture) {
			b.service.Find = func(context.Context) (*ffmpeg.Tool, error) { return nil, errors.New("broken") }
		},
		"no room":         func(b *fixture) { b.service.TempDir += "/gone" },
		"a wrong key":     func(b *fixture) { b.provider.Then(speechtest.Fails(401, "")) },
		"a busy provider": func(b *fixture) { b.provider.Then(speechtest.Fails(429, "3600")) },
		"a slow provider": func(b *fixture) { b.provider.Then(speechtest.Hangs); b.service.Within = time.Second },
		"a hostile one":   func(b *fixture) { b.provider.Then(speechtest.Floods(9 << 20)) },
		"a page":          func(b *fixture) { b.provider.Then(speechtest.Body(200, "<html>")) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newFixture(t, good)
			u := b.upload(recording.Audio, "s0", recorderFile(t, voice), 0)
			breaks(b)
			status, recognized, err := b.service.Transcribe(t.Context(), b.r.ID, u.ID)
			if status != transcription.None || recognized.Text != "" || err != nil {
				t.Errorf("%s %+v, %v", status, recognized, err)
			}
			b.service = b.node()
			b.provider.Then(good)
			if status, recognized := b.transcribe(u); status != transcription.Transcribed || recognized.Text != "Apples." {
				t.Errorf("later: %s %+v", status, recognized)
			}
		})
	}
}

// TestTwoAtOnce: two concurrent requests on two nodes pay once.
func TestTwoAtOnce(t *testing.T) {
	t.Parallel()
	asked, answer := make(chan struct{}, 2), make(chan struct{})
	b := newFixture(t, func(w http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		<-answer
		speechtest.Says("Apples.", time.Second/2)(w, r)
	})
	u := b.upload(recording.Audio, "s0", recorderFile(t, voice), 0)
	var both sync.WaitGroup
	for _, node := range []*transcription.Service{b.service, b.node()} {
		both.Go(func() {
			if status, recognized, err := node.Transcribe(t.Context(), b.r.ID, u.ID); status != transcription.Transcribed || recognized.Text != "Apples." || err != nil {
				t.Errorf("%s %+v, %v", status, recognized, err)
			}
		})
	}
	<-asked
	close(answer)
	both.Wait()
	if n := len(b.provider.Asked()); n != 1 {
		t.Errorf("asked %d times", n)
	}
}

// TestLeaseOfDeadNodeExpires: if a node dies during a transcription, another one takes over when the lease has expired.
func TestLeaseOfDeadNodeExpires(t *testing.T) {
	t.Parallel()
	b := newFixture(t, speechtest.Says("Apples.", time.Second/2))
	u := b.upload(recording.Audio, "s0", recorderFile(t, voice), 0)
	for _, tt := range []struct {
		since time.Duration
		want  transcription.Status
	}{{-time.Second, transcription.Transcribed}, {time.Hour, transcription.None}} {
		if tt.want == transcription.None {
			b.service.Within = time.Second / 2
			u = b.upload(recording.Audio, "s0", recorderFile(t, voice), 0)
		}
		storetest.Write(t, b.sc.Store, func(tx *store.Tx) error {
			own, err := tx.Listen(t.Context(), b.r.ID, u.ID, "somebody", tx.Now().Add(tt.since))
			if !own {
				t.Error("the upload is leased already")
			}
			return err
		})
		if status, _ := b.transcribe(u); status != tt.want {
			t.Errorf("%v after: %s, want %s", tt.since, status, tt.want)
		}
	}
}

func TestUploadsThatCannotBeTranscribed(t *testing.T) {
	t.Parallel()
	b := newFixture(t)
	open := b.upload(recording.Audio, "s0", []byte("begun"), 10)
	file, screen := b.upload(recording.File, "s0", []byte("a file"), 0), b.upload(recording.ScreenVideo, "s0", []byte("a screen"), 0)
	ended := b.upload(recording.Audio, "s0", []byte("taken back"), 0)
	storetest.Write(t, b.sc.Store, func(tx *store.Tx) error { return tx.EndUpload(t.Context(), b.r.ID, ended.ID) })
	another := storetest.Response(t, b.sc.Store, b.sc.Study, nil)
	for name, tt := range map[string]struct {
		responseID, id string
		want           error
	}{
		"not complete": {b.r.ID, open.ID, recording.ErrIncomplete}, "a file": {b.r.ID, file.ID, recording.ErrNotFound},
		"a screen": {b.r.ID, screen.ID, recording.ErrNotFound}, "ended": {b.r.ID, ended.ID, recording.ErrGone},
		"unknown": {b.r.ID, store.NewID(), recording.ErrNotFound}, "somebody else's": {another.ID, open.ID, recording.ErrNotFound},
	} {
		if status, _, err := b.service.Transcribe(t.Context(), tt.responseID, tt.id); !errors.Is(err, tt.want) || status != transcription.None {
			t.Errorf("%s: %s, %v, want %v", name, status, err, tt.want)
		}
	}
}

// TestDeletedMeanwhile: a response that is deleted during its transcription leaves nothing.
func TestDeletedMeanwhile(t *testing.T) {
	t.Parallel()
	var b *fixture
	b = newFixture(t, func(w http.ResponseWriter, r *http.Request) {
		err := b.sc.Store.Write(context.WithoutCancel(r.Context()), func(tx *store.Tx) error { _, err := tx.CreateDeletion(r.Context(), b.r); return err })
		if err != nil {
			t.Error(err)
		}
		speechtest.Says("Apples.", time.Second/2)(w, r)
	})
	u := b.upload(recording.Audio, "s0", recorderFile(t, voice), 0)
	if status, recognized, err := b.service.Transcribe(t.Context(), b.r.ID, u.ID); !errors.Is(err, response.ErrGone) || recognized.Text != "" {
		t.Errorf("%s %+v, %v", status, recognized, err)
	}
	if recognized, err := b.sc.Store.View().Transcript(t.Context(), b.r.ID, u.ID); !errors.Is(err, transcript.ErrNone) {
		t.Errorf("left: %+v, %v", recognized, err)
	}
}

// brokenObjects is an object store that cannot be reached.
type brokenObjects struct{}

func (brokenObjects) Get(context.Context, string, int64, int64) (io.ReadCloser, error) {
	return nil, errors.New("the objects cannot be reached")
}
