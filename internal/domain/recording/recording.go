package recording

import (
	"errors"
	"time"

	"verbatim/internal/domain/response"
)

// JobProduce is the kind of the jobs that make recordings playable. Their argument is the recording's id.
const JobProduce = "produce"

// ErrNoRecording means that there is no such recording, or that its response is being deleted.
var ErrNoRecording = errors.New("recording not found")

// Stage is how far a recording is.
type Stage string

// The stages.
const (
	Waiting Stage = "waiting" // for uploads that are under way
	Queued  Stage = "queued"  // to be made playable
	Ready   Stage = "ready"
	Failed  Stage = "failed" // for good: Error says why
)

// Recording is what was recorded of one kind at one step, in however many sessions.
type Recording struct {
	ID         string // UUID, version 7
	OrgID      string
	ResponseID string
	StepID     string
	Kind       Kind
	Row        int  // of the transcript that it belongs to
	Transcribe bool // it is all that was said at its step, so it must be heard
	Stage      Stage
	Rendition
	Error     string // a sentence for a researcher
	CreatedAt time.Time
}

// Rendition is what a recording is played from. The names of objects are empty where there is no such object.
type Rendition struct {
	MediaType string        // of Object
	Object    string        // one file, to be played or saved
	Playlist  string        // HLS; its segments lie in the same folder
	Poster    string        // a picture
	Waveform  string        // JSON, see package transcode
	Duration  time.Duration // 0 where it is not known
}

// Folder is how the names of the recording's objects begin.
func (r *Recording) Folder() string {
	return response.Objects + r.ResponseID + "/recordings/" + r.ID + "/"
}

// Objects are those that the rendition names.
func (r *Rendition) Objects() (names []string) {
	for _, name := range []string{r.Object, r.Playlist, r.Poster, r.Waveform} {
		if name != "" {
			names = append(names, name)
		}
	}
	return names
}
