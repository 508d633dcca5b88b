package main

import (
	"context"
	"log/slog"
	"time"

	"verbatim/internal/domain/usage"
	"verbatim/internal/platform/speech"
	"verbatim/internal/service/maintenance"
	"verbatim/internal/service/transcription"
)

// speechFlags select the speech-to-text provider. The key is in a variable or a file, so that process lists do not show it.
type speechFlags struct {
	SpeechURL     string `help:"Base URL of an OpenAI-compatible speech-to-text API, such as https://api.openai.com/v1; the key is in VERBATIM_SPEECH_KEY. Default: none; participants are asked to type." env:"VERBATIM_SPEECH_URL" placeholder:"URL"`
	SpeechKeyFile string `help:"File with the key of the speech-to-text API, instead of VERBATIM_SPEECH_KEY." env:"VERBATIM_SPEECH_KEY_FILE" type:"path" placeholder:"FILE"`
	SpeechModel   string `help:"Name of the speech-to-text model." default:"whisper-1" env:"VERBATIM_SPEECH_MODEL" placeholder:"NAME"`

	SpeechMaxInterview time.Duration `help:"Maximum duration of speech to transcribe for one interview. 0: no limit." default:"4h" env:"VERBATIM_SPEECH_MAX_INTERVIEW" placeholder:"DURATION"`
	SpeechMaxStudy     time.Duration `help:"Maximum duration of speech to transcribe for one study. 0: no limit." default:"500h" env:"VERBATIM_SPEECH_MAX_STUDY" placeholder:"DURATION"`
	SpeechMaxDay       time.Duration `help:"Maximum duration of speech to transcribe per day (UTC) on all servers together. 0: no limit." default:"100h" env:"VERBATIM_SPEECH_MAX_DAY" placeholder:"DURATION"`
}

// limits returns the ceilings that the flags set.
func (f speechFlags) limits() (usage.SpeechLimits, error) {
	l := usage.SpeechLimits{Interview: f.SpeechMaxInterview, Study: f.SpeechMaxStudy, Day: f.SpeechMaxDay}
	if min(l.Interview, l.Study, l.Day) < 0 {
		return l, usageError("--speech-max-interview, --speech-max-study and --speech-max-day must not be negative")
	}
	return l, nil
}

// client returns a client of the speech-to-text provider, or nil if none is configured.
func (f speechFlags) client() (*speech.Client, error) {
	if f.SpeechURL == "" {
		return nil, nil
	}
	key, err := readLine("VERBATIM_SPEECH_KEY", "--speech-key-file", f.SpeechKeyFile)
	if err != nil {
		return nil, err
	}
	client, err := speech.New(speech.Config{URL: f.SpeechURL, Model: f.SpeechModel, Key: key}, nil)
	if err != nil {
		return nil, usageError("--speech-url or the key (VERBATIM_SPEECH_KEY, --speech-key-file): " + err.Error())
	}
	return client, nil
}

// provider returns the speech-to-text provider, or nil if none is configured. It logs which.
func (f speechFlags) provider(log *slog.Logger) (transcription.Provider, error) {
	client, err := f.client()
	if err != nil {
		return nil, err
	}
	if client == nil {
		log.Info("no speech-to-text provider is configured: participants are asked to type")
		return nil, nil
	}
	log.Info("speech is turned into text", "provider", client.Provider(), "model", client.Model())
	return client, nil
}

// speechFinding checks whether the configured speech-to-text provider, if any, can be reached and accepts the key.
func (f speechFlags) speechFinding(ctx context.Context) maintenance.Finding {
	client, err := f.client()
	var reach func(context.Context) error
	if client != nil {
		reach = client.Reach
	}
	return maintenance.SpeechFinding(ctx, reach, err)
}
