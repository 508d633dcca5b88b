package participant

import (
	"net/http"

	"verbatim/internal/service/fieldwork"
)

// beginKeyField is the form's field with the key of the begin. Programs send it in the header Idempotency-Key.
const beginKeyField = "beginKey"

// beginning is what a request to begin asks for.
func beginning(r *http.Request, language, key string) fieldwork.Beginning {
	return fieldwork.Beginning{
		LinkID: r.PathValue("linkId"), Query: r.URL.RawQuery, Language: language, Key: key, From: networksOf(r.Context()),
	}
}
