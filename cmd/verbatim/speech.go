package main

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"verbatim/internal/domain/usage"
	"verbatim/internal/platform/speech"
	"verbatim/internal/service/maintenance"
	"verbatim/internal/service/transcription"
)

// speechFlags say who turns speech into text. The key is in a variable or a file, so that no list of processes shows it.
type speechFlags struct {
	SpeechURL     string `help:"Address of a service that turns speech into text, as OpenAI's does, such as https://api.openai.com/v1; its key is VERBATIM_SPEECH_KEY. Default: none, and participants are asked to type." env:"VERBATIM_SPEECH_URL" placeholder:"URL"`
	SpeechKeyFile string `help:"File with the key of the service that turns speech into text, instead of VERBATIM_SPEECH_KEY." env:"VERBATIM_SPEECH_KEY_FILE" type:"path" placeholder:"FILE"`
	SpeechModel   string `help:"The model that it is asked for." default:"whisper-1" env:"VERBATIM_SPEECH_MODEL" placeholder:"NAME"`

	SpeechMaxInterview time.Duration `help:"Most speech of one interview that it is given; 0: no bound." default:"4h" env:"VERBATIM_SPEECH_MAX_INTERVIEW" placeholder:"DURATION"`
	SpeechMaxStudy     time.Duration `help:"The same for one study." default:"500h" env:"VERBATIM_SPEECH_MAX_STUDY" placeholder:"DURATION"`
	SpeechMaxDay       time.Duration `help:"The same for a day (UTC) of the whole installation, on all servers together." default:"100h" env:"VERBATIM_SPEECH_MAX_DAY" placeholder:"DURATION"`
}

// limits are the ceilings of the flags.
func (f speechFlags) limits() (usage.SpeechLimits, error) {
	l := usage.SpeechLimits{Interview: f.SpeechMaxInterview, Study: f.SpeechMaxStudy, Day: f.SpeechMaxDay}
	if min(l.Interview, l.Study, l.Day) < 0 {
		return l, usageError("--speech-max-interview, --speech-max-study and --speech-max-day must not be negative")
	}
	return l, nil
}

// client is nil where no service is configured.
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

// recogniser is nil where no service is configured. It says so in the log.
func (f speechFlags) provider(log *slog.Logger) (transcription.Provider, error) {
	client, err := f.client()
	if err != nil {
		return nil, err
	}
	if client == nil {
		log.Info("no service turns speech into text: participants are asked to type")
		return nil, nil
	}
	log.Info("speech is turned into text", "provider", client.Provider(), "model", client.Model())
	return client, nil
}

// finding tells whether the service that is configured, if any is, can be reached and takes the key.
func (f speechFlags) speechFinding(ctx context.Context) maintenance.Finding {
	found := maintenance.Finding{Check: "speech", Advice: true, Mend: "see docs/providers.md"}
	client, err := f.client()
	if client != nil {
		ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		if err = client.Reach(ctx); errors.Is(err, context.DeadlineExceeded) {
			err = speech.ErrBusy
		}
	}
	if err != nil {
		found.Violations = []string{err.Error() + ": participants are asked to type, and what was only spoken is heard later"}
	}
	return found
}
