package guide

import (
	"slices"

	"verbatim/internal/domain/strictjson"
)

// Voice makes spoken interviews conversations: questions are read aloud, and listening begins and ends by itself. It is an extension of
// the contract by this program: the object voice of config.verbatim. The zero value switches it off.
type Voice struct {
	HandsFree    bool    // offered to participants, who may leave it at any time
	PauseSeconds float64 // silence after which the participant is asked whether there is more; 0: DefaultPause
	LiveWords    bool    // speech is transcribed at every short pause, so that participants read their words while they speak
}

// The pauses, in seconds.
const (
	DefaultPause = 1.5
	MinPause     = 0.8
	MaxPause     = 5
)

// Pause returns the silence, in seconds, after which a participant is asked whether there is more.
func (v Voice) Pause() float64 {
	if v.PauseSeconds == 0 {
		return DefaultPause
	}
	return v.PauseSeconds
}

// voice reads config.verbatim.voice.
func (d *decoder) voice(o *strictjson.Object) Voice {
	return Voice{
		HandsFree:    o.Bool("handsFree", strictjson.Required),
		PauseSeconds: o.Number("pauseSeconds", strictjson.Optional, MinPause, MaxPause),
		LiveWords:    o.Bool("liveWords", strictjson.Optional),
	}
}

// RecordsVoice reports whether participants may speak their answers.
func (g *Guide) RecordsVoice() bool {
	return g.Config.InterviewMode != "" && g.Config.InterviewMode != ModeText
}

// RecordsScreen reports whether the study records the screen.
func (g *Guide) RecordsScreen() bool {
	return g.Config.InterviewMode == ModeAudioScreen || g.Config.InterviewMode == ModeVideoScreen
}

// KeepsFromSpeech reports whether the words about an item may not be sent to a service that reads them aloud: the author sends nothing of
// the study to services, or names the item in neverSend, or its options are carried forward from such an item.
func (g *Guide) KeepsFromSpeech(itemID string) bool {
	use := &g.Config.Model
	if use.SendNothing || slices.Contains(use.NeverSend, itemID) {
		return true
	}
	kept := map[string]bool{}
	for _, id := range use.NeverSend {
		kept[id] = true
	}
	for _, item := range g.Items() {
		if kept[item.CarryForwardFrom] {
			kept[item.ID] = true
		}
	}
	return kept[itemID]
}

// handsFreeNeedsVoice checks that a hands-free study is a spoken one, and that its participants have no screen to show.
func handsFreeNeedsVoice(r *rules) {
	if !r.guide.Config.Voice.HandsFree {
		return
	}
	const place = "config.verbatim.voice.handsFree"
	switch {
	case !r.guide.RecordsVoice():
		r.report(place, "interviewMode is text; a conversation by voice needs audio, audio_text or video")
	case r.guide.RecordsScreen():
		r.report(place, "interviewMode is %s; who shows a screen uses the buttons: use audio, audio_text or video", r.guide.Config.InterviewMode)
	}
}
