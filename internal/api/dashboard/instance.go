package dashboard

import (
	"net/http"

	"verbatim/internal/service/instance"
)

type factJSON struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type partOfInstanceJSON struct {
	Name       string     `json:"name"`
	Configured bool       `json:"configured"`
	CanTry     bool       `json:"canTry"`
	Facts      []factJSON `json:"facts"`
	Problem    string     `json:"problem"`
}

func (a *API) getInstance(c *call) error {
	parts, err := a.Instance.Overview(c.r.Context())
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, struct {
		Version string               `json:"version"`
		Parts   []partOfInstanceJSON `json:"parts"`
	}{a.Instance.Version, list(parts, func(p instance.Seen) partOfInstanceJSON {
		return partOfInstanceJSON{p.Name, p.Configured, p.CanTry, list(p.Facts, func(f instance.Fact) factJSON { return factJSON(f) }), p.Problem}
	})})
}

func (a *API) tryPart(c *call) error {
	r, err := a.Instance.Try(c.r.Context(), c.r.PathValue("part"))
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, struct {
		Works   bool    `json:"works"`
		Seconds float64 `json:"seconds"`
		Note    string  `json:"note"`
		Problem string  `json:"problem"`
	}{r.Problem == "", r.Took.Seconds(), r.Note, r.Problem})
}
