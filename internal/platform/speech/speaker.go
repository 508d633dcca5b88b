package speech

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"

	"verbatim/internal/platform/httpclient"
)

// SpeakerConfig is the configuration of a speaker.
type SpeakerConfig struct {
	URL   string // /audio/speech is appended to it; for example https://api.openai.com/v1
	Key   string // sent as a bearer token; empty: none is sent
	Model string
	Voice string
}

// Speaker asks one service to read texts aloud. Make it with NewSpeaker; it may be used concurrently.
type Speaker struct {
	config  SpeakerConfig
	service *httpclient.Service
	slots   httpclient.Slots
	within  time.Duration // timeout of one attempt
}

const (
	// MaxSpoken is the number of characters that a service reads at once.
	MaxSpoken = 4096

	maxSpeakAttempts    = 2               // of one call: a participant is waiting
	speakAttemptTimeout = 8 * time.Second // for one attempt
	maxSound            = 8 << 20         // bytes
)

// Sound types by the first bytes of a file.
var soundTypes = []struct{ magic, contentType string }{
	{"ID3", "audio/mpeg"},
	{"RIFF", "audio/wav"},
	{"OggS", "audio/ogg"},
	{"fLaC", "audio/flac"},
}

// NewSpeaker checks the configuration and returns a speaker. transport may be nil.
func NewSpeaker(config SpeakerConfig, transport http.RoundTripper) (*Speaker, error) {
	u, err := httpclient.Check(config.URL, config.Key)
	if err != nil {
		return nil, err
	}
	if config.Model == "" {
		config.Model = "tts-1"
	}
	if config.Voice == "" {
		config.Voice = "alloy"
	}
	return &Speaker{
		config: config, service: httpclient.New(u, config.Key, transport), slots: httpclient.NewSlots(maxParallel), within: speakAttemptTimeout,
	}, nil
}

// Provider returns the host of the service.
func (s *Speaker) Provider() string { return s.service.Host() }

// Voice returns what decides how a text sounds: the service, its model and its voice.
func (s *Speaker) Voice() string {
	return s.service.Host() + " " + s.config.Model + " " + s.config.Voice
}

// Speak returns a text as sound, and its content type. The errors are those of Transcribe.
func (s *Speaker) Speak(ctx context.Context, text string) (sound []byte, contentType string, err error) {
	release, err := s.slots.Acquire(ctx, false, nil)
	if err != nil {
		return nil, "", err
	}
	defer release()
	failures := 0
	err = httpclient.Retry(ctx, pauses, func() error {
		sound, contentType, err = s.ask(ctx, text)
		failed, ok := errors.AsType[*failure](err)
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return httpclient.Final(context.Cause(ctx))
		case !ok:
			return httpclient.Final(err)
		}
		failures++
		if failed.Kind != ErrBusy || failures == maxSpeakAttempts {
			return httpclient.Final(err)
		}
		return err
	})
	return sound, contentType, err
}

// ask makes one attempt.
func (s *Speaker) ask(ctx context.Context, text string) ([]byte, string, error) {
	ctx, cancel := context.WithTimeout(ctx, s.within)
	defer cancel()
	body, err := json.Marshal(map[string]string{"model": s.config.Model, "voice": s.config.Voice, "input": text, "response_format": "mp3"})
	if err != nil {
		return nil, "", err
	}
	request, err := s.service.Request(ctx, http.MethodPost, "/audio/speech", bytes.NewReader(body))
	if err != nil {
		return nil, "", err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "audio/*")
	answer, err := s.service.Do(request)
	if err != nil {
		return nil, "", newFailure("asking the service that reads aloud", ErrBusy, httpclient.Reason(err))
	}
	defer answer.Body.Close()
	sound, err := io.ReadAll(io.LimitReader(answer.Body, maxSound+1))
	switch {
	case answer.StatusCode != http.StatusOK:
		return nil, "", refusal("the service that reads aloud", answer, sound)
	case err != nil:
		return nil, "", newFailure("the sound broke off", ErrBusy, httpclient.Reason(err))
	case len(sound) > maxSound:
		return nil, "", newFailure("the sound is too long", ErrRefused, nil)
	}
	contentType := soundType(sound)
	if contentType == "" {
		return nil, "", newFailure("the answer of the service that reads aloud is no sound", ErrRefused, nil)
	}
	return sound, contentType, nil
}

// soundType returns the content type of a sound by its bytes, whatever the service calls it; "" for anything else, such as a page.
func soundType(sound []byte) string {
	for _, t := range soundTypes {
		if bytes.HasPrefix(sound, []byte(t.magic)) {
			return t.contentType
		}
	}
	if len(sound) > 2 && sound[0] == 0xff && sound[1]&0xe0 == 0xe0 { // a frame of MPEG audio
		if sound[1]&0xf6 == 0xf0 {
			return "audio/aac"
		}
		return "audio/mpeg"
	}
	return ""
}

// Reach returns an error unless the service answers and accepts the key. It does not speak anything.
func (s *Speaker) Reach(ctx context.Context) error {
	return reach(ctx, s.service)
}
