package v1

import (
	"bytes"
	"net/http"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/document"
	"verbatim/internal/domain/org"
	"verbatim/internal/service/access"
	"verbatim/internal/service/results"
)

func (a *API) getResponse(w http.ResponseWriter, r *http.Request) error {
	ref, err := results.ParseRef(r.PathValue("responseId"))
	if err != nil {
		return err
	}
	found, err := access.Read(r.Context(), func(caller org.Caller) (results.Single, error) {
		return a.Results.Single(r.Context(), caller, r.PathValue("linkId"), ref)
	})
	if err != nil {
		return err
	}
	var body bytes.Buffer
	if err := document.WriteSingle(&body, found.Item.ResponseID, found.Item.ReadableID, found.LinkID, found.Item.Single); err != nil {
		return err
	}
	return httpx.WriteBody(w, r, http.StatusOK, body.Bytes())
}
