package results

import (
	"context"
	"strings"

	"verbatim/internal/blob"
	"verbatim/internal/document"
	"verbatim/internal/recording"
	"verbatim/internal/store"
)

// withMedia is the single document of an item with links in the rows where something was recorded that can be played.
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
			s.link(&detail.Transcript[c.Row], c)
		}
	}
	return detail.Encode(), nil
}

// link fills a field of a row, unless an earlier recording has it: a question of several screens may have one of each.
func (s *Service) link(row *document.Row, c *recording.Recording) {
	object := s.Links.Object(c.Object, blob.Lifetime)
	if strings.HasPrefix(c.MediaType, "audio/") { // also a camera's that gave no picture
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
	case c.Kind == recording.Audio && row.Audio == "": // as it came, in a container of films
		row.Audio = object
	case c.Kind == recording.Video && row.Video == nil:
		row.Video = stream
	case c.Kind == recording.ScreenVideo && row.ScreenVideo == nil:
		row.ScreenVideo = stream
	}
}
