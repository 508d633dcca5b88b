package v1

import (
	"net/http"

	"verbatim/internal/api/httpx"
	"verbatim/internal/service/access"
)

type listedStudy struct {
	ID            string    `json:"id"`
	LinkID        string    `json:"linkId"`
	Title         string    `json:"title"`
	CreatedAt     timestamp `json:"createdAt"`
	ResponseCount int       `json:"responseCount"`
	Creator       *creator  `json:"creator"`
	FolderPath    []string  `json:"folderPath"` // null when the study is in no folder
}

type creator struct {
	Name  *string `json:"name"`
	Email *string `json:"email"`
}

func (a *API) listStudies(w http.ResponseWriter, r *http.Request) error {
	listed, err := a.Authoring.List(r.Context(), access.CallerOf(r.Context()))
	if err != nil {
		return err
	}
	studies := make([]listedStudy, 0, len(listed))
	for _, s := range listed {
		item := listedStudy{s.ID, s.LinkID, s.Title, timestamp(s.CreatedAt), s.CompletedCount, nil, s.FolderPath}
		if s.Creator != nil {
			item.Creator = &creator{Name: orNull(s.Creator.Name), Email: orNull(s.Creator.Email)}
		}
		studies = append(studies, item)
	}
	return httpx.WriteJSON(w, r, http.StatusOK, studies)
}

// orNull returns a pointer to s, or nil where s is empty.
func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
