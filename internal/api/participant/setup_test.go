package participant_test

import (
	"testing"

	"verbatim/internal/api/participant"
	"verbatim/internal/api/participant/participanttest"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// testAPI is a served protocol with its own store.
type testAPI struct{ *participanttest.Service }

// object is any JSON object.
type object = participanttest.Object

func open(t testing.TB, funds wallet.Credits, changes ...func(*participant.API)) *testAPI {
	t.Helper()
	s := storetest.New(t)
	return &testAPI{participanttest.New(t, s, funds, newAPI(t, s, changes...).Register, nil)}
}

// newAPI returns the protocol over a store.
func newAPI(t testing.TB, s *store.Store, changes ...func(*participant.API)) *participant.API {
	t.Helper()
	api := participanttest.NewAPI(t, s)
	for _, change := range changes {
		change(api)
	}
	return api
}
