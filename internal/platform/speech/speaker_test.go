package speech_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/platform/speech"
	"verbatim/internal/platform/speech/speechtest"
)

func speaker(t *testing.T, p *speechtest.Provider) *speech.Speaker {
	t.Helper()
	s, err := speech.NewSpeaker(speech.SpeakerConfig{URL: "https://speech.example.com/v1/", Key: secret}, p)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The request follows the protocol, and the sound comes back as it is, over a real connection.
func TestSpeak(t *testing.T) {
	t.Parallel()
	p := speechtest.New(speechtest.Sounds("ID3 sound"))
	s, err := speech.NewSpeaker(speech.SpeakerConfig{URL: p.Serve(t), Key: secret, Model: "large", Voice: "nova"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	sound, contentType, err := s.Speak(t.Context(), `What did you "cook"?`)
	if string(sound) != "ID3 sound" || contentType != "audio/mpeg" || err != nil {
		t.Errorf("%q, %s, %v", sound, contentType, err)
	}
	asked := p.Asked()[0]
	var body map[string]string
	if err := json.Unmarshal(asked.File, &body); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"model": "large", "voice": "nova", "input": `What did you "cook"?`, "response_format": "mp3"}
	if diff := cmp.Diff(want, body); diff != "" || asked.Path != "/v1/audio/speech" || asked.Authorization != "Bearer "+secret {
		t.Errorf("%s %s (-want +got):\n%s", asked.Path, asked.Authorization, diff)
	}
	if s.Provider() != "127.0.0.1" || s.Voice() != "127.0.0.1 large nova" {
		t.Errorf("%s, %s", s.Provider(), s.Voice())
	}
}

// Each failure ends with the right error after the right number of attempts; what is no sound is no answer, whatever it is called.
func TestSpeakFailures(t *testing.T) {
	t.Parallel()
	good := speechtest.Sounds("ID3")
	for _, tt := range []struct {
		name   string
		script []http.HandlerFunc
		asked  int
		kind   string // of the sound, if there is one
		want   error
	}{
		{"busy once", []http.HandlerFunc{speechtest.Fails(429, ""), good}, 2, "audio/mpeg", nil},
		{"down", []http.HandlerFunc{speechtest.Fails(503, "")}, 2, "", speech.ErrBusy},
		{"slow once", []http.HandlerFunc{speechtest.Hangs, good}, 2, "audio/mpeg", nil},
		{"the wrong key", []http.HandlerFunc{speechtest.Fails(401, "")}, 1, "", speech.ErrRefused},
		{"no such address", []http.HandlerFunc{speechtest.Fails(404, "")}, 1, "", speech.ErrRefused},
		{"a page", []http.HandlerFunc{speechtest.Sounds("<!doctype html><title>Log in</title>")}, 1, "", speech.ErrRefused},
		{"JSON", []http.HandlerFunc{speechtest.Body(200, `{"audio": "abc"}`)}, 1, "", speech.ErrRefused},
		{"nothing", []http.HandlerFunc{speechtest.Sounds("")}, 1, "", speech.ErrRefused},
		{"a flood", []http.HandlerFunc{speechtest.Sounds("ID3" + strings.Repeat("x", 9<<20))}, 1, "", speech.ErrRefused},
		{"a WAV", []http.HandlerFunc{speechtest.Sounds("RIFF....WAVE")}, 1, "audio/wav", nil},
		{"MPEG without a tag", []http.HandlerFunc{speechtest.Sounds("\xff\xfb\x90")}, 1, "audio/mpeg", nil},
		{"AAC", []http.HandlerFunc{speechtest.Sounds("\xff\xf1\x50")}, 1, "audio/aac", nil},
		{"Opus", []http.HandlerFunc{speechtest.Sounds("OggS")}, 1, "audio/ogg", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p := speechtest.New(tt.script...)
				sound, kind, err := speaker(t, p).Speak(t.Context(), "Why?")
				if !errors.Is(err, tt.want) || kind != tt.kind || (err == nil) != (len(sound) > 0) {
					t.Errorf("%d bytes of %q, %v; want %q, %v", len(sound), kind, err, tt.kind, tt.want)
				}
				if n := len(p.Asked()); n != tt.asked {
					t.Errorf("asked %d times, want %d", n, tt.asked)
				}
				if err != nil && (strings.Contains(err.Error(), secret) || len(err.Error()) > 200) {
					t.Errorf("the error says too much: %v", err)
				}
			})
		})
	}
}
