package transcription

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"verbatim/internal/domain/recording"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/transcript"
	"verbatim/internal/domain/usage"
	"verbatim/internal/platform/ffmpeg"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/speech"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/interviewlog"
)

// Provider turns speech into text; *speech.Client implements it.
type Provider interface {
	Transcribe(ctx context.Context, s speech.Sound) (transcript.Recognized, error)
	Provider() string
	Model() string
}

// Objects reads the bytes of uploads; see blob.Store.
type Objects interface {
	Get(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error)
}

// Service transcribes uploads. Set the exported fields and share one value.
type Service struct {
	Store            *store.Store
	Interviews       *interviewlog.Loader // nil: keeps no guides
	Objects          Objects
	Find             func(context.Context) (*ffmpeg.Tool, error) // of ffmpeg.Finder; if it returns ffmpeg.ErrMissing nothing is transcribed
	Provider         Provider                                    // nil: nothing is transcribed
	TranslateAnswers bool                                        // translate transcripts into the study's language if the interview was held in another
	TempDir          string                                      // for sound while it is transcribed; empty: the system's
	Within           time.Duration                               // timeout for a participant who waits; 0: a minute
	Limits           usage.SpeechLimits                          // of the speech sent to Provider
	OnCeiling        func(usage.Scope, *usage.CeilingError)      // called when a ceiling refuses speech; may be nil
	Log              *slog.Logger

	initSlots sync.Once
	slots     chan struct{}
	found     atomic.Pointer[ffmpeg.Tool] // cached: probing ffmpeg takes longer than decoding a short answer
}

const (
	maxParallel = 4                // uploads decoded at once by one process
	jobTimeout  = 30 * time.Minute // for one upload in a job
	maxDuration = time.Hour        // of one upload: a microphone left on must not spend the operator's money
	maxChunk    = 5 * time.Minute  // of speech in one request: far below any provider's limit
	// leaseMargin is the time that the lease on an upload lasts beyond the timeout of its transcription.
	leaseMargin = 30 * time.Second
	// pollEvery is the interval between checks whether another process has transcribed an upload.
	pollEvery = 250 * time.Millisecond
)

// Default ceilings, so that abuse cannot spend the operator's money.
const (
	DefaultInterview = 4 * time.Hour
	DefaultStudy     = 500 * time.Hour
	DefaultDay       = 100 * time.Hour
)

// Status is the outcome of a transcription.
type Status string

// The statuses.
const (
	Transcribed Status = "heard"
	Silent      Status = "silent" // nobody speaks, or nothing was understood
	None        Status = "none"   // no transcript, at least now: the participant is asked to type
)

// Reasons why an upload is not transcribed, beside errors of the provider.
var (
	errUnavailable = errors.New("transcription is unavailable: no speech-to-text provider is configured, or ffmpeg is missing")
	errTooLong     = fmt.Errorf("the recording is longer than %v", maxDuration)
)

// Transcribe returns the transcript of an upload of a response. An upload is transcribed once, however many requests ask for
// it.
//
// Errors: recording.ErrNotFound, also for a kind without sound; recording.ErrGone, recording.ErrIncomplete, response.ErrGone.
func (s *Service) Transcribe(ctx context.Context, responseID, uploadID string) (_ Status, _ transcript.Transcript, err error) {
	defer operation.Wrap(&err, "transcription.Transcribe")
	u, err := s.Store.View().Upload(ctx, responseID, uploadID)
	switch {
	case err != nil:
		return None, transcript.Transcript{}, err
	case u.Kind != recording.Audio && u.Kind != recording.Video:
		return None, transcript.Transcript{}, recording.ErrNotFound
	case u.State == recording.Ended || u.State == recording.Open && !s.Store.Now().Before(u.ExpiresAt):
		return None, transcript.Transcript{}, recording.ErrGone
	case u.State == recording.Open:
		return None, transcript.Transcript{}, recording.ErrIncomplete
	}
	within := s.Within
	if within == 0 {
		within = time.Minute
	}
	t, err := s.transcribe(ctx, u, within)
	switch {
	case errors.Is(err, response.ErrGone):
		return None, transcript.Transcript{}, err
	case err != nil:
		if !errors.Is(err, errUnavailable) && !errors.Is(err, usage.ErrCeiling) { // ceilings are reported to OnCeiling
			s.Log.WarnContext(ctx, "an upload could not be transcribed", "error", err)
		}
		return None, transcript.Transcript{}, nil
	case t.Text == "":
		return Silent, t, nil
	}
	return Transcribed, t, nil
}

// transcribe returns the stored transcript of an upload, or makes and stores it. If another request is doing so, it waits.
func (s *Service) transcribe(ctx context.Context, u recording.Upload, within time.Duration) (transcript.Transcript, error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	leaseHolder := store.NewID()
	for {
		t, err := s.Store.View().Transcript(ctx, u.ResponseID, u.ID)
		if !errors.Is(err, transcript.ErrNone) {
			return t, err
		}
		if s.Provider == nil {
			return t, errUnavailable
		}
		leased := false
		err = s.Store.Write(ctx, func(tx *store.Tx) (err error) {
			leased, err = tx.Listen(ctx, u.ResponseID, u.ID, leaseHolder, tx.Now().Add(within+leaseMargin))
			return err
		})
		if err != nil {
			return t, err
		}
		if leased {
			break
		}
		timer := time.NewTimer(pollEvery)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return t, context.Cause(ctx)
		}
	}
	t, err := s.transcribeUpload(ctx, u)
	after := context.WithoutCancel(ctx) // a transcript that was paid for is stored
	if err != nil {
		stop := s.Store.Write(after, func(tx *store.Tx) error { return tx.StopListening(after, u.ID, leaseHolder) })
		return t, errors.Join(err, stop)
	}
	err = s.Store.Write(after, func(tx *store.Tx) error { return tx.SaveTranscript(after, u.ResponseID, u.ID, t) })
	return t, err
}

// transcribeUpload transcribes an upload. The caller holds its lease.
func (s *Service) transcribeUpload(ctx context.Context, u recording.Upload) (t transcript.Transcript, err error) {
	view := s.Store.View()
	r, err := view.AnyResponse(ctx, u.ResponseID)
	if errors.Is(err, response.ErrNotFound) {
		err = response.ErrGone
	}
	if err != nil {
		return t, err
	}
	tool, err := s.tool(ctx)
	if err != nil {
		return t, err
	}
	dir, removeDir, err := ffmpeg.WorkFolder(s.TempDir)
	if err != nil {
		return t, err
	}
	defer removeDir()
	pcm, err := os.OpenFile(filepath.Join(dir, "pcm"), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return t, err
	}
	defer pcm.Close()
	voice := &detectingWriter{to: pcm}
	switch err := s.decode(ctx, tool, u, filepath.Join(dir, "recorded"), voice); {
	case errors.Is(err, ffmpeg.ErrUnreadable), errors.Is(err, ffmpeg.ErrExcess): // a camera without a microphone, or not a recording
		return t, nil
	case err != nil:
		return t, err
	}
	spans := voice.Speech()
	t.Duration, t.Speech = voice.Duration(), transcript.Total(spans)
	if len(spans) == 0 {
		return t, nil
	}
	if voice.full {
		return t, errTooLong
	}
	receipt, err := s.countSpeech(ctx, usage.Scope{OrgID: r.OrgID, StudyID: r.StudyID, ResponseID: r.ID}, t.Speech)
	if err != nil {
		return t, err
	}
	t.Provider, t.Model = s.Provider.Provider(), s.Provider.Model()
	recognized, untranscribed, err := s.transcribeSpeech(ctx, pcm, spans, r.Language)
	if untranscribed > 0 { // only the speech that was transcribed counts
		after := context.WithoutCancel(ctx)
		err = errors.Join(err, s.Store.Write(after, func(tx *store.Tx) error { return tx.ReturnSpeech(after, receipt, untranscribed) }))
	}
	recognized.Clean(t.Duration)
	t.Language, t.Text, t.Words = recognized.Language, recognized.Text, recognized.Words
	return t, err
}

// countSpeech counts speech that is about to be sent; *usage.CeilingError if a ceiling is reached.
func (s *Service) countSpeech(ctx context.Context, scope usage.Scope, speech time.Duration) (receipt store.SpeechReceipt, err error) {
	err = s.Store.Write(ctx, func(tx *store.Tx) (err error) {
		receipt, err = tx.CountSpeech(ctx, scope, speech, s.Limits)
		return err
	})
	if ceiling, ok := errors.AsType[*usage.CeilingError](err); ok && s.OnCeiling != nil {
		s.OnCeiling(scope, ceiling)
	}
	return receipt, err
}

// tool finds ffmpeg and remembers it.
func (s *Service) tool(ctx context.Context) (*ffmpeg.Tool, error) {
	if tool := s.found.Load(); tool != nil {
		return tool, nil
	}
	tool, err := s.Find(ctx)
	if errors.Is(err, ffmpeg.ErrMissing) {
		err = errUnavailable
	}
	if err == nil {
		s.found.Store(tool)
	}
	return tool, err
}

// decode writes an upload's sound to w. It creates the file name for the upload's bytes.
func (s *Service) decode(ctx context.Context, tool *ffmpeg.Tool, u recording.Upload, name string, w io.Writer) error {
	s.initSlots.Do(func() { s.slots = make(chan struct{}, maxParallel) })
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	parts, err := s.Store.View().UploadParts(ctx, u.ID)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	for _, part := range parts {
		if err == nil {
			err = s.copy(ctx, file, u.Object(part.Name), part.Size)
		}
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	return tool.PCM(ctx, name, w)
}

func (s *Service) copy(ctx context.Context, w io.Writer, object string, size int64) error {
	content, err := s.Objects.Get(ctx, object, 0, size)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, content)
	return errors.Join(err, content.Close())
}

// transcribeSpeech sends the speech in pcm to the provider, chunk by chunk. Words returned for silence are dropped.
// untranscribed is the duration of the speech for which no text came back, beside an error.
func (s *Service) transcribeSpeech(ctx context.Context, pcm io.ReaderAt, spans []transcript.Span, language string) (all transcript.Recognized, untranscribed time.Duration, err error) {
	const bytesPerMilli = 2 * transcript.Rate / int64(time.Second/time.Millisecond)
	untranscribed = transcript.Total(spans)
	for _, p := range transcript.Chunks(spans, maxChunk) {
		begin, end := p.Start.Milliseconds()*bytesPerMilli, p.End.Milliseconds()*bytesPerMilli
		recognized, err := s.Provider.Transcribe(ctx, speech.Sound{PCM: io.NewSectionReader(pcm, begin, end-begin), Bytes: end - begin, Language: language})
		if err != nil {
			return all, untranscribed, err
		}
		recognized.Clean(p.End - p.Start)
		var within []transcript.Span
		for _, span := range spans {
			within = append(within, transcript.Span{Start: span.Start - p.Start, End: span.End - p.Start})
			untranscribed -= max(0, min(span.End, p.End)-max(span.Start, p.Start))
		}
		recognized.KeepWithin(within)
		all.Append(recognized, p.Start)
	}
	return all, 0, nil
}

// detectingWriter detects speech in a sound and stores the sound, up to maxDuration.
type detectingWriter struct {
	transcript.VoiceDetector
	to      io.Writer
	left    int64
	full    bool
	started bool
}

// Write implements io.Writer.
func (d *detectingWriter) Write(p []byte) (int, error) {
	if !d.started {
		d.started, d.left = true, int64(maxDuration/time.Second)*transcript.Rate*2
	}
	kept := p[:min(int64(len(p)), d.left)]
	d.left -= int64(len(kept))
	d.full = d.full || len(kept) < len(p)
	_, _ = d.VoiceDetector.Write(kept) // never fails
	if _, err := d.to.Write(kept); err != nil {
		return 0, err
	}
	return len(p), nil
}
