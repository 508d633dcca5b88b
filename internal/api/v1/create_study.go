package v1

import (
	"net/http"

	"verbatim/internal/access"
	"verbatim/internal/httpio"
	"verbatim/internal/store"
	"verbatim/internal/study"
)

type createdStudy struct {
	ID     string       `json:"id"`
	LinkID string       `json:"linkId"`
	Status study.Status `json:"status"`
}

func (d *Door) createStudy(w http.ResponseWriter, r *http.Request) error {
	caller := access.CallerOf(r.Context())
	body, err := httpio.ReadBody(w, r)
	if err != nil {
		return err
	}
	once, err := httpio.RepeatableOf(r, caller.OrgID, body)
	if err != nil {
		return err
	}
	leave, err := d.inFlight.Enter(once)
	if err != nil {
		return err
	}
	defer leave()
	answer, replayed, err := d.Authoring.Create(r.Context(), caller, body, store.Once(once), func(s study.Study) []byte {
		return httpio.Encode(createdStudy{s.ID, s.LinkID, s.Status})
	})
	if err != nil {
		return brokenRules(err)
	}
	httpio.MarkReplayed(w, replayed)
	return httpio.WriteBody(w, r, http.StatusCreated, answer)
}
