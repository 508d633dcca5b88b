package v1

import (
	"net/http"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/study"
	"verbatim/internal/service/access"
)

type createdStudy struct {
	ID     string       `json:"id"`
	LinkID string       `json:"linkId"`
	Status study.Status `json:"status"`
}

func (a *API) createStudy(w http.ResponseWriter, r *http.Request) error {
	caller := access.CallerOf(r.Context())
	body, err := httpx.ReadBody(w, r)
	if err != nil {
		return err
	}
	key, leave, err := a.inFlight.EnterRequest(r, caller.OrgID, body)
	if err != nil {
		return err
	}
	defer leave()
	answer, replayed, err := a.Authoring.Create(r.Context(), caller, body, org.IdempotencyKey(key), func(s study.Study) []byte {
		return httpx.Encode(createdStudy{s.ID, s.LinkID, s.Status})
	})
	if err != nil {
		return brokenRules(err)
	}
	httpx.MarkReplayed(w, replayed)
	return httpx.WriteBody(w, r, http.StatusCreated, answer)
}
