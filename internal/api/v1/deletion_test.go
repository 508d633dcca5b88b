package v1_test

import (
	"testing"

	"verbatim/internal/api/server/servertest"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/erasure"
	"verbatim/internal/service/jobs"
)

type receipt struct {
	DeletionID, ResponseID, Status, RequestedAt string
	CompletedAt                                 *string
}

func TestDelete(t *testing.T) {
	t.Parallel()
	s := servertest.New(t)
	st, other := storetest.Study(t, s.Store, s.Org.ID, "", ""), storetest.Study(t, s.Store, s.Org.ID, "", "")
	r := s.AddResponse(t, st, analysed())
	first := servertest.Decode[receipt](t, s.Do(t, "DELETE", deletion(st.ID, r.ID), "").Want(t, 202, ""))
	if first.Status != "queued" || first.ResponseID != r.ID {
		t.Errorf("accepted %+v", first)
	}

	// Once accepted, the response is gone from every read.
	s.Get(t, "/api/public/v1/responses/"+st.ID+"/"+r.ID).Want(t, 404, "response_not_found")
	if list := s.Get(t, "/api/public/v1/responses/"+st.ID); string(list.Body) != "[]\n" || list.Header.Get("X-Total-Count") != "0" {
		t.Errorf("still listed: %s", list.Body)
	}
	if hits := servertest.Decode[found](t, s.Get(t, "/api/public/v1/responses?parameter=source&value=mail")); len(hits.Results) != 0 {
		t.Errorf("still found: %+v", hits)
	}
	if count := servertest.Decode[[]listedStudy](t, s.Get(t, "/api/public/v1/studies"))[1].ResponseCount; count != 0 {
		t.Errorf("still counted: %d", count)
	}

	record := "/api/public/v1/response-deletions/" + first.DeletionID
	again := func(status int, want string) {
		t.Helper()
		if got := servertest.Decode[receipt](t, s.Do(t, "DELETE", deletion(st.ID, r.ID), "").Want(t, status, "")); got.DeletionID != first.DeletionID || got.Status != want {
			t.Errorf("again: %+v, want %s", got, want)
		}
		if got := servertest.Decode[receipt](t, s.Get(t, record).Want(t, 200, "")); got.Status != want || (got.CompletedAt != nil) != (want == "completed") || got.RequestedAt == "" {
			t.Errorf("the record is %+v, want %s", got, want)
		}
		s.Do(t, "DELETE", deletion(other.ID, r.ID), "").Want(t, 404, "not_found")
	}
	again(202, "queued")

	worker := &erasure.Worker{Store: s.Store}
	job := jobs.New(jobs.EraseArgs{DeletionID: first.DeletionID})
	storetest.Write(t, s.Store, func(tx *store.Tx) error { return worker.Discard(t.Context(), tx, job) })
	again(200, "failed")
	if _, err := (&erasure.Service{Store: s.Store}).Retry(t.Context(), first.DeletionID); err != nil {
		t.Fatal(err)
	}
	again(202, "queued")
	if err := worker.Run(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	again(200, "completed")
	s.Get(t, record, "If-None-Match", s.Get(t, record).Header.Get("Etag")).Want(t, 304, "")

	foreign := storetest.Org(t, s.Store)
	key := storetest.Key(t, s.Store, foreign.ID, storetest.User(t, s.Store, foreign.ID, "admin").ID)
	s.Get(t, record, "x-api-key", key).Want(t, 404, "not_found")
}

func TestWallets(t *testing.T) {
	t.Parallel()
	s := servertest.New(t)
	w := storetest.Wallet(t, s.Store, s.Org.ID, 2500)
	storetest.Wallet(t, s.Store, storetest.Org(t, s.Store).ID, 1000)
	got := s.Get(t, "/api/public/v1/wallets").Want(t, 200, "")
	want := `{"wallets":[{"walletId":"` + w.ID + `","name":"Main","recruitmentCreditBalance":{"balance":0,"usage":0},"projectCreditBalance":{"balance":2.5,"usage":0}}]}` + "\n"
	if string(got.Body) != want {
		t.Errorf("answered %s, want %s", got.Body, want)
	}
	s.Get(t, "/api/public/v1/wallets", "If-None-Match", got.Header.Get("Etag")).Want(t, 304, "")
}
