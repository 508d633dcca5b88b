package participanttest

import (
	"log/slog"
	"testing"

	"verbatim/internal/api/participant"
	"verbatim/internal/platform/blob/blobtest"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/fieldwork"
	"verbatim/internal/service/moderator"
	"verbatim/internal/service/uploads"
)

// NewAPI returns the protocol over a store, with the built-in moderator and objects in a temporary folder.
func NewAPI(t testing.TB, s *store.Store) *participant.API {
	t.Helper()
	return &participant.API{
		Fieldwork: &fieldwork.Service{Store: s, Moderator: moderator.BuiltIn{}},
		Uploads:   &uploads.Service{Store: s, Objects: blobtest.Folder(t)},
		Log:       slog.New(slog.DiscardHandler), BaseURL: BaseURL,
	}
}
