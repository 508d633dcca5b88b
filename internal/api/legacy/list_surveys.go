package legacy

import (
	"fmt"
	"net/http"

	"verbatim/internal/api/httpx"
	"verbatim/internal/service/access"
)

type survey struct {
	ID        string    `json:"id"`
	LinkID    string    `json:"link_id"`
	Title     string    `json:"title"`
	CreatedAt timestamp `json:"created_at"`
	Desc      string    `json:"desc"`
}

func (a *API) listSurveys(w http.ResponseWriter, r *http.Request) error {
	listed, err := a.Authoring.List(r.Context(), access.CallerOf(r.Context()))
	if err != nil {
		return err
	}
	surveys := make([]survey, 0, len(listed))
	for _, s := range listed {
		surveys = append(surveys, survey{s.ID, s.LinkID, s.Title, timestamp(s.CreatedAt), describe(s.Title, s.CompletedCount)})
	}
	return httpx.WriteJSON(w, r, http.StatusOK, surveys)
}

// describe returns the description of a study: its title and how many responses it has.
func describe(title string, responses int) string {
	if responses == 1 {
		return title + " (1 response)"
	}
	return fmt.Sprintf("%s (%d responses)", title, responses)
}
