package participant

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
)

func TestCaptureOf(t *testing.T) {
	t.Parallel()
	const mic, camera, screen = 1, 2, 4
	open := func(input string) *guide.Item {
		return &guide.Item{Type: guide.OpenEnded, PreferredInput: input, ScreenObservationEnabled: input == "screenRecording"}
	}
	for _, tt := range []struct {
		mode     guide.InterviewMode
		input    string
		recorded int
		first    string // empty: nothing is recorded
	}{
		{"", "", 0, ""},
		{guide.ModeText, "", 0, ""},
		{guide.ModeText, "voice", 0, ""},
		{guide.ModeText, "screenRecording", 0, ""},
		{guide.ModeAudio, "", mic, "voice"},
		{guide.ModeAudio, "none", mic, "voice"},
		{guide.ModeAudio, "text", mic, "text"},
		{guide.ModeAudio, "screenRecording", mic, "voice"},
		{guide.ModeAudioText, "", mic, "text"},
		{guide.ModeAudioText, "none", mic, "text"},
		{guide.ModeAudioText, "voice", mic, "voice"},
		{guide.ModeAudioText, "screenRecording", mic, "voice"},
		{guide.ModeAudioScreen, "", mic | screen, "voice"},
		{guide.ModeAudioScreen, "voice", mic, "voice"},
		{guide.ModeAudioScreen, "text", mic, "text"},
		{guide.ModeAudioScreen, "screenRecording", mic | screen, "voice"},
		{guide.ModeVideo, "", mic | camera, "voice"},
		{guide.ModeVideo, "text", mic | camera, "text"},
		{guide.ModeVideo, "screenRecording", mic | camera, "voice"},
		{guide.ModeVideoScreen, "", mic | camera | screen, "voice"},
		{guide.ModeVideoScreen, "voice", mic | camera, "voice"},
		{guide.ModeVideoScreen, "text", mic | camera, "text"},
		{guide.ModeVideoScreen, "screenRecording", mic | camera | screen, "voice"},
	} {
		var want *capture
		if tt.first != "" {
			want = &capture{tt.recorded&mic != 0, tt.recorded&camera != 0, tt.recorded&screen != 0, tt.first, captureLimits}
		}
		for _, kind := range []interview.StepKind{interview.StepQuestion, interview.StepFollowUp} {
			if diff := cmp.Diff(want, captureOf(tt.mode, interview.Step{Kind: kind, Item: open(tt.input)})); diff != "" {
				t.Errorf("%s, %q, %s (-want +got):\n%s", tt.mode, tt.input, kind, diff)
			}
		}
	}
	for _, item := range []guide.ItemType{
		guide.MultipleChoice, guide.Ranking, guide.Matrix, guide.MaxDiff, guide.FileUpload,
	} {
		if got := captureOf(guide.ModeVideoScreen, interview.Step{Kind: interview.StepQuestion, Item: &guide.Item{Type: item}}); got != nil {
			t.Errorf("%s: %+v, want nothing", item, got)
		}
	}
	for _, kind := range []interview.StepKind{interview.StepStatement, interview.StepComplete, interview.StepScreenedOut} {
		if got := captureOf(guide.ModeAudio, interview.Step{Kind: kind}); got != nil {
			t.Errorf("%s: %+v, want nothing", kind, got)
		}
	}
}
