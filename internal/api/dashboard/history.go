package dashboard

import (
	"net/http"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/workingcopy"
	"verbatim/internal/service/authoring"
)

type versionCounts struct {
	Added   int `json:"added"`
	Removed int `json:"removed"`
	Moved   int `json:"moved"`
	Changed int `json:"changed"`
}

type versionJSON struct {
	Version         int                `json:"version"`
	At              timestamp          `json:"at"`
	UserName        string             `json:"userName"`
	Origin          workingcopy.Origin `json:"origin"`
	RestoredVersion *int               `json:"restoredVersion"`
	Valid           bool               `json:"valid"`
	Published       bool               `json:"published"`
	Counts          versionCounts      `json:"counts"`
	Labels          []string           `json:"labels"`
}

func pastOf(v authoring.PastVersion) versionJSON {
	s := &v.Summary
	return versionJSON{
		v.Number, timestamp(v.At), v.UserName, v.Origin, orNull(v.Restored), v.Valid, v.Published,
		versionCounts{s.Added, s.Removed, s.Moved, s.Changed},
		append([]string{}, s.Labels...),
	}
}

func (a *API) listVersions(c *call) error {
	query := httpx.Query(c.r)
	before := query.Int("before", 0, 1, 0)
	if err := query.Err(); err != nil {
		return err
	}
	page, err := a.Authoring.Versions(c.r.Context(), c.study.Study, before)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, struct {
		Versions []versionJSON `json:"versions"`
		Next     *int          `json:"next"`
	}{list(page.List, pastOf), orNull(page.Next)})
}

func (a *API) getVersion(c *call) error {
	number, err := c.version()
	if err != nil {
		return err
	}
	v, err := a.Authoring.Version(c.r.Context(), c.study.Study, number)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, struct {
		Version versionJSON `json:"version"`
		Guide   rawGuide    `json:"guide"`
	}{pastOf(v), v.Guide})
}

type changedField struct {
	Name   string  `json:"name"`
	Before *string `json:"before"`
	After  *string `json:"after"`
}

type changeJSON struct {
	Change  workingcopy.ChangeKind `json:"change"`
	Part    workingcopy.Part       `json:"part"`
	ID      string                 `json:"id"`
	ItemID  *string                `json:"itemId"`
	Label   string                 `json:"label"`
	Fields  []changedField         `json:"fields"`
	Answers *int                   `json:"answers"`
}

func changeOf(c authoring.Consequence) changeJSON {
	made := changeJSON{
		c.Kind, c.Part, c.ID, orNull(c.ItemID), c.Label,
		list(c.Fields, func(f workingcopy.Field) changedField { return changedField{f.Name, f.Before, f.After} }), nil,
	}
	if c.Answers >= 0 {
		made.Answers = &c.Answers
	}
	return made
}

// published names what participants get, in place of a version.
const published = "published"

func (a *API) listChanges(c *call) error {
	query := httpx.Query(c.r)
	from, to := authoring.Published, query.Int("to", 0, 1, 0)
	given, found := query.Text("from")
	if !found {
		query.Refuse("from is missing.")
	} else if given != published {
		number, err := versionOf(given)
		if err != nil {
			query.Refuse("from must be the number of a version, or published.")
		}
		from = number
	}
	if err := query.Err(); err != nil {
		return err
	}
	changes, more, err := a.Authoring.Changes(c.r.Context(), c.study.Study, from, to)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, struct {
		Changes []changeJSON `json:"changes"`
		More    int          `json:"more"`
	}{list(changes, changeOf), more})
}
