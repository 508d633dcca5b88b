package webhooks_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/webhook"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/jobs"
	"verbatim/internal/service/webhooks"
)

// fixture is an organization with a webhook, and a worker whose receiver is answer.
type fixture struct {
	storetest.Scene
	t      *testing.T
	clock  *storetest.Clock
	worker *webhooks.Worker
	*webhooks.Service
	caller org.Caller
	hook   webhooks.Listed
	secret string
	answer func(*http.Request) (int, error)
	sent   []string // the ids of the messages that were sent
}

func setup(t *testing.T, change func(*webhook.Endpoint)) *fixture {
	t.Helper()
	f := &fixture{t: t, clock: storetest.NewClock(), answer: func(*http.Request) (int, error) { return 204, nil }}
	s := storetest.NewAt(t, f.clock)
	f.Scene = storetest.NewScene(t, s)
	f.Service = &webhooks.Service{Store: s}
	f.worker = &webhooks.Worker{Store: s, Client: &http.Client{Transport: transport(func(r *http.Request) (*http.Response, error) {
		f.sent = append(f.sent, r.Header.Get(webhook.IDHeader))
		status, err := f.answer(r)
		if err != nil {
			return nil, err
		}
		return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(strings.Repeat("é", 1000)))}, nil
	})}}
	f.caller = org.Caller{OrgID: f.Org.ID, UserID: f.User.ID, Role: org.Admin}
	e := webhook.Endpoint{URL: "https://example.org/hooks", Parameters: true}
	if change != nil {
		change(&e)
	}
	var err error
	if f.hook, f.secret, err = f.Create(t.Context(), f.caller, e); err != nil {
		t.Fatal(err)
	}
	return f
}

type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

// emit tells of a response, which need not exist.
func (f *fixture) emit(of webhook.Type, responseID string) {
	f.t.Helper()
	storetest.Write(f.t, f.Service.Store, func(tx *store.Tx) error {
		e := webhook.OfStudy(of, f.Org.ID, f.Study.ID, "live")
		e.ResponseID, e.Subject = responseID, responseID
		return webhooks.Emit(f.t.Context(), tx, e)
	})
}

// work runs the jobs that are due, as a runner does, until none is, and returns how many ran.
func (f *fixture) work() (ran int) {
	f.t.Helper()
	for {
		var claimed []store.Job
		storetest.Write(f.t, f.Service.Store, func(tx *store.Tx) (err error) {
			claimed, err = tx.ClaimJobs(f.t.Context(), store.Queue{Name: jobs.QueueOf(jobs.KindWebhook)}, 1, time.Minute)
			return err
		})
		if len(claimed) == 0 {
			return ran
		}
		ran++
		err := f.worker.Run(f.t.Context(), claimed[0])
		storetest.Write(f.t, f.Service.Store, func(tx *store.Tx) error {
			if later, ok := errors.AsType[*jobs.LaterError](err); ok {
				return tx.SnoozeJob(f.t.Context(), claimed[0], later.At, later.Reason)
			}
			if err != nil {
				return err
			}
			return tx.FinishJob(f.t.Context(), claimed[0].ID)
		})
	}
}

func (f *fixture) deliveries(state webhooks.State) []webhooks.Delivery {
	f.t.Helper()
	all, err := f.Deliveries(f.t.Context(), f.caller, f.hook.ID, webhooks.Query{State: state, Limit: 1000})
	if err != nil {
		f.t.Fatal(err)
	}
	return all
}

func (f *fixture) shown() webhooks.Listed {
	f.t.Helper()
	w, err := f.Show(context.Background(), f.caller, f.hook.ID)
	if err != nil {
		f.t.Fatal(err)
	}
	return w
}
