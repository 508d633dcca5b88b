package dashboard

import (
	"verbatim/internal/domain/recording"
	"verbatim/internal/domain/strictjson"
)

// notePlay notes that a recording is played.
func (a *API) notePlay(c *call) error {
	n, err := c.number()
	if err != nil {
		return err
	}
	var row int
	var kind recording.Kind
	if err := c.body(func(o *strictjson.Object) {
		row = o.Int("row", strictjson.Required, 0, 1<<31-1)
		kind = recording.Kind(o.Enum("kind", strictjson.Required, words(recording.Audio, recording.Video, recording.ScreenVideo)))
	}); err != nil {
		return err
	}
	if err := a.Review.Play(c.r.Context(), c.study, n, row, kind, c.session.ID); err != nil {
		return err
	}
	return c.done()
}
