package recording

import (
	"errors"
	"time"

	"verbatim/internal/domain/response"
)

// ErrNoRecording reports that there is no such recording, or that its response is being deleted.
var ErrNoRecording = errors.New("recording not found")

// Stage is the processing stage of a recording.
type Stage string

// The stages.
const (
	Waiting Stage = "waiting" // for uploads that are not complete yet
	Queued  Stage = "queued"  // for transcoding
	Ready   Stage = "ready"
	Failed  Stage = "failed" // permanently: Error has the reason
)

// Recording is one kind of recording (audio, video or screen) of one step, in one or more sessions.
type Recording struct {
	ID         string // UUID, version 7
	OrgID      string
	ResponseID string
	StepID     string
	Kind       Kind
	Row        int  // the row of the transcript that it belongs to
	Transcribe bool // nothing was typed at its step, so it must be transcribed
	Stage      Stage
	Rendition
	Error     string // a sentence for a researcher
	CreatedAt time.Time
}

// Rendition holds the playable files of a recording. The name of an object that does not exist is empty.
type Rendition struct {
	MediaType string        // of Object
	Object    string        // one file, to be played or saved
	Playlist  string        // HLS; its segments are in the same folder
	Poster    string        // a picture
	Waveform  string        // JSON, see Tool.Waveform in package ffmpeg
	Duration  time.Duration // 0 if unknown
}

// Folder returns the prefix of the names of the recording's objects.
func (r *Recording) Folder() string {
	return response.Objects + r.ResponseID + "/recordings/" + r.ID + "/"
}

// Objects returns the names of the rendition's objects.
func (r *Rendition) Objects() (names []string) {
	for _, name := range []string{r.Object, r.Playlist, r.Poster, r.Waveform} {
		if name != "" {
			names = append(names, name)
		}
	}
	return names
}
