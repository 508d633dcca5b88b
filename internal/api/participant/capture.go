package participant

import (
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/recording"
)

// The input that is offered first.
const (
	voiceFirst = "voice"
	textFirst  = "text"
)

// capture lists what is recorded of an answer, and which input is offered first. Typing is always possible: nobody has to be
// recorded.
type capture struct {
	Microphone bool     `json:"microphone"`
	Camera     bool     `json:"camera"`
	Screen     bool     `json:"screen"`
	First      string   `json:"first"`
	MaxBytes   maxBytes `json:"maxBytes"`
}

// maxBytes limits one run of a recorder, by kind.
type maxBytes struct {
	Audio       int64 `json:"audio"`
	Video       int64 `json:"video"`
	ScreenVideo int64 `json:"screenVideo"`
}

var captureLimits = maxBytes{recording.Defaults.Audio, recording.Defaults.Video, recording.Defaults.ScreenVideo}

// captureOf returns what is recorded at a step; nil where nothing is. Only the answers to open questions and follow-ups are
// recorded. The mode of the interview sets what may be recorded at all, and the question's preferredInput what of that it needs:
//
//   - none, or "none": as the mode sets; speaking is offered first, except in mode audio_text, which offers typing first;
//   - "voice": speaking is offered first, and the screen is not recorded;
//   - "screenRecording": speaking is offered first, and the screen is recorded where the mode has one;
//   - "text": typing is offered first, and the screen is not recorded.
//
// screenObservationEnabled changes nothing here: a screen is recorded during an answer, and not between answers.
func captureOf(mode guide.InterviewMode, at interview.Step) *capture {
	open := at.Kind == interview.StepFollowUp || at.Kind == interview.StepQuestion && at.Item != nil && at.Item.Type == guide.OpenEnded
	if !open {
		return nil
	}
	c := &capture{Microphone: true, First: voiceFirst, MaxBytes: captureLimits}
	switch mode {
	case guide.ModeAudio:
	case guide.ModeAudioText:
		c.First = textFirst
	case guide.ModeAudioScreen:
		c.Screen = true
	case guide.ModeVideo:
		c.Camera = true
	case guide.ModeVideoScreen:
		c.Camera, c.Screen = true, true
	default:
		return nil
	}
	switch at.Item.PreferredInput {
	case "voice":
		c.First, c.Screen = voiceFirst, false
	case "text":
		c.First, c.Screen = textFirst, false
	case "screenRecording":
		c.First = voiceFirst
	}
	return c
}

// acceptsUpload reports whether an upload of a kind may be created for a step: a file where the step asks for files, and a recording
// where its answer is recorded that way.
func acceptsUpload(mode guide.InterviewMode, at interview.Step, kind recording.Kind) bool {
	if kind == recording.File {
		return at.Kind == interview.StepQuestion && at.Item != nil && at.Item.Type == guide.FileUpload
	}
	c := captureOf(mode, at)
	if c == nil {
		return false
	}
	switch kind {
	case recording.Audio:
		return c.Microphone
	case recording.Video:
		return c.Camera
	case recording.ScreenVideo:
		return c.Screen
	}
	return false
}
