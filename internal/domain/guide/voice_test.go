package guide_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/guide"
)

// spokenGuide returns a payload of an interview mode, with config.verbatim.
func spokenGuide(mode, verbatim string) []byte {
	return []byte(`{"title": "T", "config": {"interviewMode": "` + mode + `", "verbatim": ` + verbatim + `}, "studyGuide": [{"type": "flat", "title": "", "externalId": "b", "items": [
		{"type": "multiple_choice", "externalId": "ill", "text": "What do you have?", "multiSelect": true, "options": [{"text": "A", "externalId": "a"}, {"text": "B", "externalId": "b"}]},
		{"type": "ranking", "externalId": "worst", "text": "Which is worse?", "carryForwardFrom": "ill"},
		{"type": "open_ended", "externalId": "why", "text": "Why?"}]}]}`)
}

func TestVoice(t *testing.T) {
	t.Parallel()
	g, err := guide.Decode(spokenGuide("audio", `{"voice": {"handsFree": true, "pauseSeconds": 2.5, "liveWords": true}}`), guide.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(guide.Voice{HandsFree: true, PauseSeconds: 2.5, LiveWords: true}, g.Config.Voice); diff != "" || g.Config.Voice.Pause() != 2.5 {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if pause := (guide.Voice{}).Pause(); pause != guide.DefaultPause {
		t.Errorf("without a setting the pause is %v", pause)
	}
	for payload, want := range map[string]string{
		string(spokenGuide("audio", `{"voice": {}}`)):                                          "config.verbatim.voice.handsFree",
		string(spokenGuide("audio", `{"voice": {"handsFree": true, "pauseSeconds": 0.1}}`)):    "config.verbatim.voice.pauseSeconds too_small",
		string(spokenGuide("audio", `{"voice": {"handsFree": true, "pauseSeconds": 60}}`)):     "config.verbatim.voice.pauseSeconds too_big",
		string(spokenGuide("audio", `{"voice": {"handsFree": true, "speed": 2}}`)):             "unrecognized_keys",
		string(spokenGuide("text", `{"voice": {"handsFree": true}}`)):                          "interviewMode is text",
		string(spokenGuide("audio_screen", `{"voice": {"handsFree": true}}`)):                  "who shows a screen",
		string(spokenGuide("video_screen", `{"voice": {"handsFree": false}}`)):                 "",
		string(spokenGuide("video", `{"voice": {"handsFree": true}}`)):                         "",
		string(spokenGuide("audio_text", `{"voice": {"handsFree": true, "pauseSeconds": 5}}`)): "",
	} {
		if got := refusal([]byte(payload)); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s is refused with %q, want %q", payload, got, want)
		}
	}
}

// Words about an item that the author keeps from services are read aloud by none.
func TestKeepsFromSpeech(t *testing.T) {
	t.Parallel()
	for model, want := range map[string][]string{
		`{}`:                       {},
		`{"neverSend": ["ill"]}`:   {"ill", "worst"},
		`{"neverSend": ["why"]}`:   {"why"},
		`{"sendAnything": false}`:  {"ill", "worst", "why"},
		`{"sendScreening": false}`: {},
	} {
		g, err := guide.Decode(spokenGuide("audio", `{"model": `+model+`}`), guide.Options{})
		if err != nil {
			t.Fatal(err)
		}
		kept := []string{}
		for _, item := range g.Items() {
			if g.KeepsFromSpeech(item.ID) {
				kept = append(kept, item.ID)
			}
		}
		if diff := cmp.Diff(want, kept); diff != "" {
			t.Errorf("%s (-want +got):\n%s", model, diff)
		}
	}
}

// A spoken study says before its launch what is lost without services of speech, and who cannot take part.
func TestLintSpeech(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		mode, verbatim string
		has            guide.Services
		want           []string // a part of each advice
	}{
		{"text", `{}`, guide.Services{}, nil},
		{"audio", `{}`, guide.Services{Transcribes: true}, nil},
		{"audio", `{}`, guide.Services{Speaks: true}, []string{"missing in transcripts"}},
		{"audio", `{"voice": {"handsFree": true}}`, guide.Services{}, []string{"no words at all", "a voice of their browser"}},
		{"audio", `{"voice": {"handsFree": true}}`, guide.Services{Transcribes: true, Speaks: true}, nil},
		{"video_screen", `{}`, guide.Services{Transcribes: true}, []string{"a link to open on a computer"}},
	} {
		g, err := guide.Decode(spokenGuide(tt.mode, tt.verbatim), guide.Options{})
		if err != nil {
			t.Fatal(err)
		}
		all := guide.LintSpeech(g, tt.has)
		if len(all) != len(tt.want) {
			t.Errorf("%s %s: %v", tt.mode, tt.verbatim, all)
			continue
		}
		for i, part := range tt.want {
			if !strings.Contains(all[i].Text, part) {
				t.Errorf("%s %s: %q, want %q", tt.mode, tt.verbatim, all[i].Text, part)
			}
		}
	}
}
