package v1_test

import (
	"errors"
	"net/http"
	"sync/atomic"
	"testing"

	"verbatim/internal/api/server/servertest"
	"verbatim/internal/domain/codeframe"
	"verbatim/internal/domain/outage"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// TestOutages: while the database is unreachable or full no operation answers internal_error, and each answer has
// Retry-After.
func TestOutages(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		code   string
		status int
		err    error
		writes bool // only writes fail
	}{
		{"service_unavailable", http.StatusServiceUnavailable, outage.ErrUnreachable, false},
		{"busy", http.StatusServiceUnavailable, outage.ErrBusy, false},
		{"insufficient_storage", http.StatusInsufficientStorage, outage.ErrDiskFull, true},
	} {
		t.Run(test.code, func(t *testing.T) {
			t.Parallel()
			var out atomic.Bool
			s := servertest.NewWithStore(t, storetest.Open(t, storetest.Address(t), store.Options{Fail: func(write bool) error {
				if out.Load() && (write || !test.writes) {
					return errors.Join(errors.New("the cause, which no client may see"), test.err)
				}
				return nil
			}}))
			live := storetest.Study(t, s.Store, s.Org.ID, s.Admin.ID, storetest.Wallet(t, s.Store, s.Org.ID, wallet.Credit).ID)
			draft := storetest.Draft(t, s.Store, s.Org.ID, "")
			r := storetest.Response(t, s.Store, live, nil)
			storetest.Response(t, s.Store, live, nil)
			s.Server.V1.Reporting.AtOnce = 1
			storetest.Write(t, s.Store, func(tx *store.Tx) error {
				return tx.SaveMachineFrame(t.Context(), live.ID, codeframe.Made("why", "Keyword groups", "builtin", "", "4", []codeframe.Root{{Label: "taste"}}))
			})
			out.Store(true)
			got := []servertest.Answer{
				s.Do(t, http.MethodPost, create, smallGuide), s.Do(t, http.MethodPost, launch(draft.ID), "{}"),
				s.Do(t, http.MethodDelete, deletion(live.ID, r.ID), ""),
				s.Do(t, http.MethodPost, reportsPath(live.ID), ""),
				s.Do(t, http.MethodPost, "/api/public/v1/studies/"+live.ID+"/themes/why", `{"version":1,"action":"reset"}`),
			}
			if !test.writes {
				for _, op := range operations() {
					got = append(got, s.Do(t, op.Method, op.path(), ""))
				}
			}
			for i, answer := range got {
				if answer.Status != test.status || answer.Code() != test.code || answer.Header.Get("Retry-After") == "" {
					t.Errorf("request %d is answered %d %s, Retry-After %q", i, answer.Status, answer.Body, answer.Header.Get("Retry-After"))
				}
			}
			out.Store(false)
			s.Do(t, http.MethodPost, create, smallGuide).Want(t, 201, "")
		})
	}
}
