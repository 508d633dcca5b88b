package main

import (
	"context"
	"log/slog"
	"time"

	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/speech"
	"verbatim/internal/service/maintenance"
	"verbatim/internal/service/speaking"
)

// speakFlags select the service that reads questions aloud. The key is in a variable or a file, so that process lists do not show it.
type speakFlags struct {
	SpeakURL     string `help:"Base URL of an OpenAI-compatible text-to-speech API, such as https://api.openai.com/v1, that reads questions aloud in hands-free interviews; the key is in VERBATIM_SPEAK_KEY. Default: none; the voices of participants' browsers are used." env:"VERBATIM_SPEAK_URL" placeholder:"URL"`
	SpeakKeyFile string `help:"File with the key of the text-to-speech API, instead of VERBATIM_SPEAK_KEY." env:"VERBATIM_SPEAK_KEY_FILE" type:"path" placeholder:"FILE"`
	SpeakModel   string `help:"Name of the text-to-speech model." default:"tts-1" env:"VERBATIM_SPEAK_MODEL" placeholder:"NAME"`
	SpeakVoice   string `help:"Name of the voice." default:"alloy" env:"VERBATIM_SPEAK_VOICE" placeholder:"NAME"`
	SpeakMaxKept size   `help:"Maximum size of the sounds of questions that are kept beside the recordings; the oldest ones make room." default:"256MiB" env:"VERBATIM_SPEAK_MAX_KEPT" placeholder:"SIZE"`
	SpeakMaxDay  int    `help:"Maximum number of characters that one server may have read aloud per day (UTC). 0: no limit." default:"2000000" env:"VERBATIM_SPEAK_MAX_DAY" placeholder:"N"`
}

// check returns a usage error for values that no service can run with.
func (f speakFlags) check() error {
	if f.SpeakMaxDay < 0 {
		return usageError("--speak-max-day must not be negative")
	}
	return nil
}

// speaker returns a client of the text-to-speech service, or nil if none is configured.
func (f speakFlags) speaker() (*speech.Speaker, error) {
	if f.SpeakURL == "" {
		return nil, nil
	}
	key, err := readLine("VERBATIM_SPEAK_KEY", "--speak-key-file", f.SpeakKeyFile)
	if err != nil {
		return nil, err
	}
	speaker, err := speech.NewSpeaker(speech.SpeakerConfig{URL: f.SpeakURL, Model: f.SpeakModel, Voice: f.SpeakVoice, Key: key}, nil)
	if err != nil {
		return nil, usageError("--speak-url or the key (VERBATIM_SPEAK_KEY, --speak-key-file): " + err.Error())
	}
	return speaker, nil
}

// service returns the service that reads questions aloud; without a text-to-speech service it refuses all of them. It logs which is used.
func (f speakFlags) service(objects blob.Store, log *slog.Logger) (*speaking.Service, error) {
	s := &speaking.Service{Objects: objects, MaxKept: int64(f.SpeakMaxKept), MaxDay: f.SpeakMaxDay, Now: time.Now, Log: log}
	speaker, err := f.speaker()
	if err != nil || speaker == nil {
		return s, err
	}
	log.Info("questions of hands-free interviews are read aloud", "provider", speaker.Provider(), "voice", speaker.Voice())
	s.Speaker = speaker
	return s, nil
}

// speakFinding checks whether the configured text-to-speech service, if any, can be reached and accepts the key.
func (f speakFlags) speakFinding(ctx context.Context) maintenance.Finding {
	speaker, err := f.speaker()
	var reach func(context.Context) error
	if speaker != nil {
		reach = speaker.Reach
	}
	return maintenance.VoiceFinding(ctx, reach, err)
}
