package participant

import (
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/recording"
)

// What is offered first to answer by.
const (
	firstVoice = "voice"
	firstText  = "text"
)

// asked is what is recorded of an answer, and what is offered first to give it by. The other way is always open, too: nobody
// has to be recorded.
type asked struct {
	Microphone bool     `json:"microphone"`
	Camera     bool     `json:"camera"`
	Screen     bool     `json:"screen"`
	First      string   `json:"first"`
	MaxBytes   maxBytes `json:"maxBytes"`
}

// maxBytes bound one session of a recorder.
type maxBytes struct {
	Audio       int64 `json:"audio"`
	Video       int64 `json:"video"`
	ScreenVideo int64 `json:"screenVideo"`
}

var longest = maxBytes{recording.Defaults.Audio, recording.Defaults.Video, recording.Defaults.ScreenVideo}

// askedOf decides what is recorded at a step; nil where nothing is. Open questions and follow-ups are answered in words of one's
// own, and only their answers are recorded. The mode of the interview says what may be recorded at all, and the question
// what of that it needs:
//
//   - one that asks for nothing (or "none") is recorded as the mode says, and spoken first, but in mode audio_text, where typing and
//     speaking are equals, typed first;
//   - "voice" is spoken first, and needs no screen;
//   - "screenRecording" is spoken first, and shows the screen where the mode has one;
//   - "text" is typed first, and needs no screen.
//
// screenObservationEnabled changes nothing here: a screen is recorded while an answer is given, and not in between.
func askedOf(mode guide.InterviewMode, at interview.Step) *asked {
	open := at.Kind == interview.StepFollowUp || at.Kind == interview.StepQuestion && at.Item != nil && at.Item.Type == guide.OpenEnded
	if !open {
		return nil
	}
	a := &asked{Microphone: true, First: firstVoice, MaxBytes: longest}
	switch mode {
	case guide.ModeAudio:
	case guide.ModeAudioText:
		a.First = firstText
	case guide.ModeAudioScreen:
		a.Screen = true
	case guide.ModeVideo:
		a.Camera = true
	case guide.ModeVideoScreen:
		a.Camera, a.Screen = true, true
	default:
		return nil
	}
	switch at.Item.PreferredInput {
	case "voice":
		a.First, a.Screen = firstVoice, false
	case "text":
		a.First, a.Screen = firstText, false
	case "screenRecording":
		a.First = firstVoice
	}
	return a
}

// takes reports whether an upload of a kind may be begun for a step: a file where the step asks for files, and a recording where
// its answer is recorded that way.
func takes(mode guide.InterviewMode, at interview.Step, kind recording.Kind) bool {
	if kind == recording.File {
		return at.Kind == interview.StepQuestion && at.Item != nil && at.Item.Type == guide.FileUpload
	}
	a := askedOf(mode, at)
	if a == nil {
		return false
	}
	switch kind {
	case recording.Audio:
		return a.Microphone
	case recording.Video:
		return a.Camera
	case recording.ScreenVideo:
		return a.Screen
	}
	return false
}
