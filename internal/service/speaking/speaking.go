package speaking

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/sync/singleflight"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/masking"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/speech"
)

// Errors of Speak.
var (
	ErrUnavailable = errors.New("the words are not spoken by a service")
	ErrFailed      = errors.New("the words could not be spoken now")
)

// Speaker turns text into sound; *speech.Speaker implements it.
type Speaker interface {
	Speak(ctx context.Context, text string) (sound []byte, contentType string, err error)
	Voice() string
}

// Objects keeps the sounds of guides; see blob.Store.
type Objects interface {
	Put(ctx context.Context, name string, r io.Reader, size int64, contentType string) error
	Get(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error)
	Stat(ctx context.Context, name string) (blob.Info, error)
	List(ctx context.Context, prefix string) iter.Seq2[string, error]
	Delete(ctx context.Context, name string) error
}

// Sound is a text that was read aloud.
type Sound struct {
	Audio []byte
	Type  string // content type
}

// Service speaks. Set the exported fields and share one value.
type Service struct {
	Speaker  Speaker // nil: nothing is spoken
	Objects  Objects // nil: the sounds of guides are kept in memory, too
	MaxKept  int64   // bytes of the sounds beside the objects
	MaxDay   int     // characters that this process may send per day (UTC); 0: no limit
	Now      func() time.Time
	Log      *slog.Logger
	speaking singleflight.Group

	recent recent
	mu     sync.Mutex
	spent  spent
	kept   kept
}

const (
	prefix     = "spoken/"        // of the names of kept sounds
	callWithin = 20 * time.Second // for one sound, whoever still waits for it
)

// Speak returns the words of a step as sound. Several requests for the same words are one call. ErrUnavailable if no service may or can
// speak them, ErrFailed if the service fails now.
func (s *Service) Speak(ctx context.Context, g *guide.Guide, at interview.Step) (_ Sound, err error) {
	defer operation.Wrap(&err, "speaking.Speak")
	if !s.speaks(g, at) {
		return Sound{}, ErrUnavailable
	}
	sum := sha256.Sum256([]byte(s.Speaker.Voice() + "\x00" + at.Words))
	name := hex.EncodeToString(sum[:])
	made := s.speaking.DoChan(name, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), callWithin) // who asked first may leave before the others
		defer cancel()
		return s.sound(ctx, name, at)
	})
	select {
	case done := <-made:
		sound, _ := done.Val.(Sound)
		return sound, done.Err
	case <-ctx.Done():
		return Sound{}, context.Cause(ctx)
	}
}

// speaks reports whether a service may speak the words of a step.
func (s *Service) speaks(g *guide.Guide, at interview.Step) bool {
	if s.Speaker == nil || !g.Config.Voice.HandsFree || at.Item == nil || at.Words == "" || utf8.RuneCountInString(at.Words) > speech.MaxSpoken {
		return false
	}
	return !g.KeepsFromSpeech(at.Item.ID) && (!ofParticipant(at) || len(masking.Spans(at.Words)) == 0)
}

// ofParticipant reports whether the words of a step were found for one participant.
func ofParticipant(at interview.Step) bool { return at.Kind == interview.StepFollowUp }

// sound returns a sound that was kept, or has it made.
func (s *Service) sound(ctx context.Context, name string, at interview.Step) (Sound, error) {
	if sound, known := s.recent.get(name); known {
		return sound, nil
	}
	keeps := s.Objects != nil && !ofParticipant(at)
	if keeps {
		if sound, known := s.read(ctx, name); known {
			s.recent.put(name, sound)
			return sound, nil
		}
	}
	if !s.spend(utf8.RuneCountInString(at.Words)) {
		return Sound{}, ErrUnavailable
	}
	audio, contentType, err := s.Speaker.Speak(ctx, at.Words)
	if err != nil {
		s.Log.WarnContext(ctx, "words could not be read aloud", "error", err)
		return Sound{}, fmt.Errorf("%w: %w", ErrFailed, err)
	}
	sound := Sound{audio, contentType}
	s.recent.put(name, sound)
	if keeps {
		if err := s.keep(ctx, name, sound); err != nil { // it is spoken all the same
			s.Log.WarnContext(ctx, "a sound could not be kept", "error", err)
		}
	}
	return sound, nil
}

// spent counts the characters that were sent on a day.
type spent struct {
	day        string
	characters int
	told       bool
}

// spend counts characters that are about to be sent, and reports whether the day's ceiling lets them pass.
func (s *Service) spend(characters int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if today := s.Now().UTC().Format(time.DateOnly); s.spent.day != today {
		s.spent = spent{day: today}
	}
	if s.MaxDay > 0 && s.spent.characters+characters > s.MaxDay {
		if !s.spent.told {
			s.spent.told = true
			s.Log.Warn("a ceiling is reached", "ceiling", "day", "of", "characters read aloud by this server", "size", s.MaxDay, "raise_with", "--speak-max-day")
		}
		return false
	}
	s.spent.characters += characters
	return true
}
