package dashboard

import (
	"net/http"
	"strconv"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/guidemedia"
	"verbatim/internal/domain/strictjson"
	"verbatim/internal/service/mediaupload"
)

type mediaJSON struct {
	ID       string           `json:"id"`
	Kind     *guidemedia.Kind `json:"kind"`
	Stage    guidemedia.Stage `json:"stage"`
	Name     string           `json:"name"`
	Size     int64            `json:"size"`
	Received int64            `json:"received"`
	URL      *string          `json:"url"`
	Width    *int             `json:"width"`
	Height   *int             `json:"height"`
	Seconds  *float64         `json:"seconds"`
	Problem  string           `json:"problem"`
}

func (a *API) mediaOf(m guidemedia.Media) mediaJSON {
	return mediaJSON{
		m.ID, orNull(m.Kind), m.Stage, m.Name, m.Size, m.Received, orNull(m.Address(a.BaseURL)), orNull(m.Width), orNull(m.Height), orNull(m.Duration.Seconds()), m.Problem,
	}
}

func (a *API) listMedia(c *call) error {
	all, used, err := a.Media.List(c.r.Context(), c.study.Study)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, struct {
		Media []mediaJSON `json:"media"`
		Used  int64       `json:"used"`
		Limit int64       `json:"limit"`
	}{list(all, a.mediaOf), used, guidemedia.MaxTotal})
}

func (a *API) beginMedia(c *call) error {
	var name string
	var size int
	if err := c.body(func(o *strictjson.Object) {
		name = o.NonEmptyUpTo("name", strictjson.Required, 1000)
		size = o.Int("size", strictjson.Required, 1, guidemedia.MaxFilm)
	}); err != nil {
		return err
	}
	m, err := a.Media.Begin(c.r.Context(), c.caller, c.study.Study, name, int64(size))
	if err != nil {
		return err
	}
	return c.answer(http.StatusCreated, a.mediaOf(m))
}

func (a *API) getMedia(c *call) error {
	m, err := a.Media.Media(c.r.Context(), c.study.Study, c.r.PathValue("mediaId"))
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, a.mediaOf(m))
}

func (a *API) appendMedia(c *call) error {
	given := c.r.Header.Get("Upload-Offset")
	offset, err := strconv.ParseUint(given, 10, 40)
	if err != nil {
		return httpx.BadRequest("Upload-Offset must be the number of bytes that have arrived.")
	}
	chunk, err := httpx.ReadChunk(c.w, c.r, mediaupload.MaxChunk)
	if err != nil {
		return err
	}
	m, err := a.Media.Append(c.r.Context(), c.caller, c.study.Study, c.r.PathValue("mediaId"), int64(offset), chunk)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, a.mediaOf(m))
}

func (a *API) cancelMedia(c *call) error {
	if err := a.Media.Cancel(c.r.Context(), c.study.Study, c.r.PathValue("mediaId")); err != nil {
		return err
	}
	return c.done()
}
