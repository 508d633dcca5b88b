package v1

import (
	"errors"
	"net/http"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/service/access"
)

type deletionReceipt struct {
	DeletionID string                  `json:"deletionId"`
	ResponseID string                  `json:"responseId"`
	Status     response.DeletionStatus `json:"status"`
}

func (a *API) deleteResponse(w http.ResponseWriter, r *http.Request) error {
	query := httpx.Query(r)
	studyID, _ := query.Text("studyId")
	responseID, _ := query.Text("responseId")
	if !study.IsUUID(studyID) {
		query.Refuse("studyId must be the UUID of a study.")
	}
	if !study.IsUUID(responseID) {
		query.Refuse("responseId must be the UUID of a response.")
	}
	if err := query.Err(); err != nil {
		return err
	}
	deletion, err := a.Erasure.Request(r.Context(), access.CallerOf(r.Context()), studyID, responseID)
	if errors.Is(err, study.ErrNotFound) || errors.Is(err, response.ErrNotFound) { // one code for both
		return httpx.Errorf(http.StatusNotFound, "not_found", "There is no such response of this study in your organization.")
	}
	if err != nil {
		return err
	}
	status := http.StatusOK
	if deletion.Status == response.DeletionQueued || deletion.Status == response.DeletionRunning {
		status = http.StatusAccepted
	}
	return httpx.WriteJSON(w, r, status, deletionReceipt{deletion.ID, deletion.ResponseID, deletion.Status})
}
