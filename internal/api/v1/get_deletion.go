package v1

import (
	"net/http"

	"verbatim/internal/access"
	"verbatim/internal/httpio"
	"verbatim/internal/study"
)

type deletionRecord struct {
	deletionReceipt
	RequestedAt timestamp  `json:"requestedAt"`
	CompletedAt *timestamp `json:"completedAt"`
}

func (d *Door) getDeletion(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("deletionId")
	if !study.IsUUID(id) {
		return httpio.BadRequest("The deletion id must be a UUID.")
	}
	deletion, err := d.Erasure.Status(r.Context(), access.CallerOf(r.Context()), id)
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
	return httpio.WriteJSON(w, r, http.StatusOK, record)
}
