package participant

import (
	"net/http"

	"verbatim/internal/service/fieldwork"
)

// startKeyField is the form's field with the idempotency key of a start. Programs send it in the header Idempotency-Key.
const startKeyField = "beginKey"

// beginRequest returns the interview that a request asks to start.
func beginRequest(r *http.Request, language, key string) fieldwork.StartRequest {
	return fieldwork.StartRequest{
		LinkID: r.PathValue("linkId"), Query: r.URL.RawQuery, Language: language, Key: key, From: networksOf(r.Context()),
	}
}
