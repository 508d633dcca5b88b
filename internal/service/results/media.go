package results

import (
	"context"
	"strings"
	"time"

	"verbatim/internal/domain/document"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/recording"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// Recording describes the recording of one kind that belongs to one answer. It is shown beside the transcript's rows, whose keys the contract
// fixes. Links are valid for blob.Lifetime or slightly longer, and empty if there is nothing to link to.
type Recording struct {
	Row      int // of the transcript
	StepID   string
	Kind     recording.Kind
	Stage    recording.Stage
	Failure  string        // a sentence for a researcher, if it failed
	Duration time.Duration // 0 if it is not known

	MediaType string // of Object
	Object    string // one file to play or save
	Stream    string // HLS
	Poster    string // image/jpeg
	Waveform  string // JSON, see ffmpeg.Tool.Waveform
}

// Recordings returns what was recorded in a response, in the order of the transcript's rows, including what cannot be played
// yet or ever; study.ErrNotFound, response.ErrNotFound.
func (s *Service) Recordings(ctx context.Context, caller org.Caller, studyRef string, ref Ref) (_ []Recording, err error) {
	defer operation.Wrap(&err, "results.Recordings")
	view := s.Store.View()
	single, err := find(ctx, view, caller, studyRef, ref)
	if err != nil {
		return nil, err
	}
	recorded, err := view.Recordings(ctx, single.Item.ResponseID)
	if err != nil {
		return nil, err
	}
	object := func(name string) string {
		if name == "" {
			return ""
		}
		return s.Links.Object(name, blob.Lifetime)
	}
	all := make([]Recording, len(recorded))
	for i, c := range recorded {
		all[i] = Recording{
			Row: c.Row, StepID: c.StepID, Kind: c.Kind, Stage: c.Stage, Failure: c.Error, Duration: c.Duration,
			MediaType: c.MediaType, Object: object(c.Object), Poster: object(c.Poster), Waveform: object(c.Waveform),
		}
		if c.Playlist != "" {
			all[i].Stream = s.Links.Folder(c.Playlist, blob.Lifetime)
		}
	}
	return all, nil
}

// withMedia returns the single document of an item with links in the rows that have a playable recording.
func (s *Service) withMedia(ctx context.Context, view *store.View, item store.Item) ([]byte, error) {
	recorded, err := view.Recordings(ctx, item.ResponseID)
	if err != nil {
		return nil, err
	}
	detail, err := document.DecodeSingle(item.Single)
	if err != nil {
		return nil, err
	}
	for i := range recorded {
		if c := &recorded[i]; c.Stage == recording.Ready && c.Row < len(detail.Transcript) {
			s.addLink(&detail.Transcript[c.Row], c)
		}
	}
	return detail.Encode(), nil
}

// addLink sets the field of a row that a recording belongs to, unless an earlier recording has set it: a question of several
// screens may have one recording each.
func (s *Service) addLink(row *document.Row, c *recording.Recording) {
	object := s.Links.Object(c.Object, blob.Lifetime)
	if strings.HasPrefix(c.MediaType, "audio/") { // also a camera recording without pictures
		if row.Audio == "" {
			row.Audio = object
		}
		return
	}
	stream := &document.Stream{MP4URL: object}
	if c.Playlist != "" {
		stream.StreamURL = s.Links.Folder(c.Playlist, blob.Lifetime)
	}
	switch {
	case c.Kind == recording.Audio && row.Audio == "": // the browser's own file, in a video container
		row.Audio = object
	case c.Kind == recording.Video && row.Video == nil:
		row.Video = stream
	case c.Kind == recording.ScreenVideo && row.ScreenVideo == nil:
		row.ScreenVideo = stream
	}
}
