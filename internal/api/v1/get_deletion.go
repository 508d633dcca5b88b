package v1

import (
	"net/http"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/study"
	"verbatim/internal/service/access"
)

type deletionRecord struct {
	deletionReceipt
	RequestedAt timestamp  `json:"requestedAt"`
	CompletedAt *timestamp `json:"completedAt"`
}

func (a *API) getDeletion(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("deletionId")
	if !study.IsUUID(id) {
		return httpx.BadRequest("The deletion id must be a UUID.")
	}
	deletion, err := a.Erasure.Status(r.Context(), access.CallerOf(r.Context()), id)
	if err != nil {
		return err
	}
	record := deletionRecord{
		deletionReceipt: deletionReceipt{deletion.ID, deletion.ResponseID, deletion.Status},
		RequestedAt:     timestamp(deletion.RequestedAt),
	}
	if !deletion.CompletedAt.IsZero() {
		completed := timestamp(deletion.CompletedAt)
		record.CompletedAt = &completed
	}
	return httpx.WriteJSON(w, r, http.StatusOK, record)
}
