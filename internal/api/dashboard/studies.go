package dashboard

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/study"
	"verbatim/internal/service/review"
)

type studyJSON struct {
	ID         string       `json:"id"`
	LinkID     string       `json:"linkId"`
	Title      string       `json:"title"`
	State      study.Status `json:"state"`
	Folder     []string     `json:"folder"`
	Creator    string       `json:"creator"`
	Own        bool         `json:"own"`
	Complete   int          `json:"complete"`
	CreatedAt  timestamp    `json:"createdAt"`
	UpdatedAt  timestamp    `json:"updatedAt"`
	LaunchedAt *timestamp   `json:"launchedAt"`
}

// studyOf encodes a study as a user sees it.
func studyOf(s study.Listed, userID string) studyJSON {
	creator := ""
	if s.Creator != nil {
		creator = cmp.Or(s.Creator.Name, s.Creator.Email)
	}
	return studyJSON{
		s.ID, s.LinkID, s.Title, s.Status, append([]string{}, s.FolderPath...), creator, s.CreatorID == userID, s.CompletedCount,
		timestamp(s.CreatedAt), timestamp(s.UpdatedAt), optional(s.LaunchedAt),
	}
}

// The longest texts that are searched for, in bytes.
const maxSearch = 800

func (a *API) listStudies(c *call) error {
	query := httpx.Query(c.r)
	title, _ := query.Text("q")
	if len(title) > maxSearch {
		query.Refuse("q is too long.")
	}
	state, given := query.Text("state")
	if given && !slices.Contains([]study.Status{study.Draft, study.Live, study.Closed}, study.Status(state)) {
		query.Refuse("state must be draft, live or closed.")
	}
	folder := folderAsked(query)
	after, _ := query.Text("after")
	if err := query.Err(); err != nil {
		return err
	}
	page, err := a.Review.Studies(c.r.Context(), c.caller, review.StudyFilter{Title: title, Status: study.Status(state), Folder: folder}, after)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, struct {
		Studies []studyJSON `json:"studies"`
		Next    *string     `json:"next"`
	}{list(page.List, func(s study.Listed) studyJSON { return studyOf(s, c.session.UserID) }), orNull(page.Next)})
}

type countsJSON struct {
	Complete    int `json:"complete"`
	InProgress  int `json:"inProgress"`
	Abandoned   int `json:"abandoned"`
	ScreenedOut int `json:"screenedOut"`
	Hidden      int `json:"hidden"`
}

func (a *API) getStudy(c *call) error {
	counts, err := a.Review.Counts(c.r.Context(), c.study)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, struct {
		Study           studyJSON      `json:"study"`
		Organization    membershipJSON `json:"organization"`
		ParticipantLink string         `json:"participantLink"`
		Counts          countsJSON     `json:"counts"`
		MayChange       bool           `json:"mayChange"`
	}{
		studyOf(c.study.Listed, c.session.UserID), membershipOf(c.study.Membership), a.BaseURL + "/s/" + url.PathEscape(c.study.LinkID),
		countsJSON(counts), c.study.MayChange,
	})
}
