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
	"verbatim/internal/platform/speech"
	"verbatim/internal/platform/store"
)

// Recogniser turns speech into text; *speech.Client does it.
type Provider interface {
	Transcribe(ctx context.Context, s speech.Sound) (transcript.Recognized, error)
	Provider() string
	Model() string
}

// Objects is where the bytes of uploads are; blob.Store.
type Objects interface {
	Get(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error)
}

// Service hears uploads. Fill in the fields above the line and share one value.
type Service struct {
	Store            *store.Store
	Objects          Objects
	Find             func(context.Context) (*ffmpeg.Tool, error) // transcode.Find; with its ErrMissing nothing is heard
	Provider         Provider                                    // nil: nothing is heard
	AnalysisJob      string                                      // the kind of the jobs that analyse a response; empty: there are none
	TranslateAnswers bool                                        // what is heard in another language than the study's is translated into it afterwards
	TempDir          string                                      // holds what is being heard; empty: the system's
	Within           time.Duration                               // the longest that a participant waits; 0: a minute
	Limits           usage.SpeechLimits                          // of what is given to Recogniser
	OnCeiling        func(usage.Scope, *usage.CeilingError)      // is given each ceiling that something was refused for; may be nil
	Log              *slog.Logger

	initSlots sync.Once
	slots     chan struct{}
	found     atomic.Pointer[ffmpeg.Tool] // asking it what it can do takes longer than a short answer's sound
}

const (
	maxParallel = 4                // uploads that are decoded at once by one process
	jobTimeout  = 30 * time.Minute // for one upload, where nobody waits
	maxDuration = time.Hour        // is heard of one upload: who leaves a microphone on must not spend the operator's money
	maxChunk    = 5 * time.Minute  // that is sent at once: far below what any provider takes
	// lease is how much longer than its time limit who hears an upload is believed to.
	leaseMargin = 30 * time.Second
	// look is how often to look whether another process has heard an upload.
	pollEvery = 250 * time.Millisecond
)

// The ceilings that an operator has who sets none: those who mean harm must not spend the operator's money.
const (
	DefaultInterview = 4 * time.Hour
	DefaultStudy     = 500 * time.Hour
	DefaultDay       = 100 * time.Hour
)

// Status is what became of the wish to hear an upload.
type Status string

// The statuses.
const (
	Heard  Status = "heard"
	Silent Status = "silent" // nobody speaks, or nothing could be understood
	None   Status = "none"   // it cannot be heard, at least now: the participant is asked to type
)

// Reasons why an upload is not heard, beside what providers say.
var (
	errUnavailable = errors.New("nobody is there to hear: no provider is configured, or ffmpeg is missing")
	errTooLong     = fmt.Errorf("the recording is longer than %v", maxDuration)
)

// Hear gives what was said in an upload of a response. It is heard once, however often and by however many it is asked for.
//
// Errors: recording.ErrNotFound, also for a kind that has no voice; recording.ErrGone, recording.ErrIncomplete, response.ErrGone.
func (s *Service) Transcribe(ctx context.Context, responseID, uploadID string) (Status, transcript.Transcript, error) {
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
		if !errors.Is(err, errUnavailable) && !errors.Is(err, usage.ErrCeiling) { // that is told once, to Met
			s.Log.WarnContext(ctx, "an upload could not be heard", "error", err)
		}
		return None, transcript.Transcript{}, nil
	case t.Text == "":
		return Silent, t, nil
	}
	return Heard, t, nil
}

// hear gives the stored transcript of an upload, or makes and stores it. While somebody else does, it waits.
func (s *Service) transcribe(ctx context.Context, u recording.Upload, within time.Duration) (transcript.Transcript, error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	listener := store.NewID()
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
			leased, err = tx.Listen(ctx, u.ResponseID, u.ID, listener, tx.Now().Add(within+leaseMargin))
			return err
		})
		if err != nil {
			return t, err
		}
		if leased {
			break
		}
		again := time.NewTimer(pollEvery)
		select {
		case <-again.C:
		case <-ctx.Done():
			again.Stop()
			return t, context.Cause(ctx)
		}
	}
	t, err := s.transcribeUpload(ctx, u)
	after := context.WithoutCancel(ctx) // what was paid for is kept
	if err != nil {
		stop := s.Store.Write(after, func(tx *store.Tx) error { return tx.StopListening(after, u.ID, listener) })
		return t, errors.Join(err, stop)
	}
	err = s.Store.Write(after, func(tx *store.Tx) error { return tx.SaveTranscript(after, u.ResponseID, u.ID, t) })
	return t, err
}

// listen hears an upload.
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
	case errors.Is(err, ffmpeg.ErrUnreadable), errors.Is(err, ffmpeg.ErrExcess): // a camera without a microphone, or nothing that is a recording
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
	recognized, unheard, err := s.transcribeSpeech(ctx, pcm, spans, r.Language)
	if unheard > 0 { // what was paid for counts, also where the rest could not be heard
		after := context.WithoutCancel(ctx)
		err = errors.Join(err, s.Store.Write(after, func(tx *store.Tx) error { return tx.ReturnSpeech(after, receipt, unheard) }))
	}
	recognized.Clean(t.Duration)
	t.Language, t.Text, t.Words = recognized.Language, recognized.Text, recognized.Words
	return t, err
}

// count counts speech that is about to be sent; a *usage.CeilingError where it is too much.
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

// tool finds ffmpeg, once.
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

// decode writes an upload's sound to w. name is for a file that it makes.
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

// recognise has the speech of a sound turned into text, piece by piece. What is heard where nobody speaks is left out. unheard is
// the speech of the pieces that no text came of, beside an error.
func (s *Service) transcribeSpeech(ctx context.Context, pcm io.ReaderAt, spans []transcript.Span, language string) (all transcript.Recognized, unheard time.Duration, err error) {
	const bytesOf = 2 * transcript.Rate / int64(time.Second/time.Millisecond) // of a millisecond
	unheard = transcript.Total(spans)
	for _, p := range transcript.Chunks(spans, maxChunk) {
		begin, end := p.Start.Milliseconds()*bytesOf, p.End.Milliseconds()*bytesOf
		recognized, err := s.Provider.Transcribe(ctx, speech.Sound{PCM: io.NewSectionReader(pcm, begin, end-begin), Bytes: end - begin, Language: language})
		if err != nil {
			return all, unheard, err
		}
		recognized.Clean(p.End - p.Start)
		var within []transcript.Span
		for _, span := range spans {
			within = append(within, transcript.Span{Start: span.Start - p.Start, End: span.End - p.Start})
			unheard -= max(0, min(span.End, p.End)-max(span.Start, p.Start))
		}
		recognized.KeepWithin(within)
		all.Append(recognized, p.Start)
	}
	return all, 0, nil
}

// meter measures a sound and keeps it, but for what is beyond the longest that is heard.
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
