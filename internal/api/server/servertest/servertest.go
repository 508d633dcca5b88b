// Package servertest provides tests with the complete service over a store of their own. Every answer is validated against
// the contract documents.
package servertest

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"verbatim/internal/api/dashboard"
	"verbatim/internal/api/legacy"
	"verbatim/internal/api/server"
	"verbatim/internal/api/v1"
	"verbatim/internal/domain/document"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/blob/blobtest"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/access"
	"verbatim/internal/service/asking"
	"verbatim/internal/service/auditlog"
	"verbatim/internal/service/authoring"
	"verbatim/internal/service/billing"
	"verbatim/internal/service/erasure"
	"verbatim/internal/service/exporting"
	"verbatim/internal/service/fieldwork"
	"verbatim/internal/service/instance"
	"verbatim/internal/service/mailing"
	"verbatim/internal/service/mediaupload"
	"verbatim/internal/service/panels"
	"verbatim/internal/service/reporting"
	"verbatim/internal/service/results"
	"verbatim/internal/service/retention"
	"verbatim/internal/service/review"
	"verbatim/internal/service/signin"
	"verbatim/internal/service/translator"
	"verbatim/internal/service/webhooks"
	"verbatim/test/contract"
)

// BaseURL is the public address of every service in tests.
const BaseURL = "https://interviews.example.com"

// Contract returns the contract suite that validates the answers of all services in this test program.
var Contract = sync.OnceValue(func() *contract.Suite {
	suite, err := contract.Load()
	if err != nil {
		panic(err)
	}
	return suite
})

// Service is the complete service with an organization, its admin and the admin's key. Change Server before the first call
// of Do.
type Service struct {
	Store     *store.Store
	Authoring *authoring.Service
	SignIn    *signin.Service
	Server    *server.Server
	Org       org.Organization
	Admin     org.User
	Key       string

	handler func() http.Handler
}

// New returns a service over a new store.
func New(t testing.TB) *Service { return NewWithStore(t, storetest.New(t)) }

// NewWithStore returns a service over a store.
func NewWithStore(t testing.TB, s *store.Store) *Service {
	t.Helper()
	author := &authoring.Service{Store: s, Price: billing.DefaultPrice}
	result := &results.Service{Store: s, Keys: blobtest.Keys(strings.Repeat("test", 8))}
	erase, log := &erasure.Service{Store: s}, slog.New(slog.DiscardHandler)
	cookie, _ := dashboard.CookieFor(BaseURL, false)
	keys := blobtest.Keys(strings.Repeat("test", 8))
	signIn := &signin.Service{
		Store: s, BaseURL: BaseURL, Cost: org.PasswordCost{Memory: 8, Passes: 1, Threads: 1}, // tests must not wait for hashes
		Ring: keys, Mail: &mailing.Service{Store: s, Ring: keys, BaseURL: BaseURL},
	}
	t.Cleanup(signIn.Wait)
	svc := &Service{
		Store:     s,
		Authoring: author,
		SignIn:    signIn,
		Server: &server.Server{
			Access: &access.Service{Store: s},
			V1: &v1.API{
				Authoring: author, Results: result, Billing: &billing.Service{Store: s}, Erasure: erase, Asking: &asking.Service{Store: s}, Reporting: &reporting.Service{Store: s, Now: time.Now}, BaseURL: BaseURL,
			},
			Legacy: &legacy.API{Authoring: author, Results: result, BaseURL: BaseURL},
			Dashboard: &dashboard.API{
				SignIn: signIn, Access: &access.Service{Store: s}, Review: &review.Service{Store: s, Results: result, Erasure: erase},
				Reports: &reporting.Service{Store: s, Now: time.Now}, Asking: &asking.Service{Store: s}, Exports: &exporting.Service{Store: s}, Authoring: author, Webhooks: &webhooks.Service{Store: s},
				AuditLog: &auditlog.Service{Store: s}, Billing: &billing.Service{Store: s}, Instance: testInstance(), Retention: &retention.Service{Store: s, Erasure: erase},
				Media: &mediaupload.Service{Store: s}, Translator: &translator.Service{Store: s},
				Fieldwork: &fieldwork.Service{Store: s, Ring: blobtest.Keys(strings.Repeat("test", 8))}, Panels: &panels.Service{Store: s},
				BaseURL: BaseURL, Cookie: cookie, Log: log,
			},
			Ready: s.Ping,
			Log:   log,
		},
		Org: storetest.Org(t, s),
	}
	svc.Admin = storetest.User(t, s, svc.Org.ID, org.Admin)
	svc.Key = storetest.Key(t, s, svc.Org.ID, svc.Admin.ID)
	svc.handler = sync.OnceValue(func() http.Handler { return Contract().Wrap(t, svc.Server.Handler()) })
	return svc
}

// testInstance returns an installation with a part that works and one that does not exist.
func testInstance() *instance.Service {
	return &instance.Service{Version: "test", Parts: []instance.Part{
		{Name: "database", Configured: true, Try: func(context.Context) (string, error) { return "", nil }, Facts: func(context.Context) ([]instance.Fact, error) {
			return []instance.Fact{{Name: "address", Value: "memory"}}, nil
		}},
		{Name: "mail"},
	}}
}

// Answer is the answer to a request.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Do sends a request with the admin's key. headers are pairs of name and value that are set in addition; an empty value
// removes the header.
func (s *Service) Do(t testing.TB, method, path, body string, headers ...string) Answer {
	t.Helper()
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	return s.Send(t, method, path, reader, headers...)
}

// Send is Do with a body from a reader, or nil for none.
func (s *Service) Send(t testing.TB, method, path string, reader io.Reader, headers ...string) Answer {
	t.Helper()
	r := httptest.NewRequestWithContext(context.WithoutCancel(t.Context()), method, path, reader)
	r.Header.Set("x-api-key", s.Key)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
		if headers[i+1] == "" {
			r.Header.Del(headers[i])
		}
	}
	w := httptest.NewRecorder()
	s.handler().ServeHTTP(w, r)
	return Answer{Status: w.Code, Header: w.Header(), Body: w.Body.Bytes()}
}

// Get is Do for a GET.
func (s *Service) Get(t testing.TB, path string, headers ...string) Answer {
	t.Helper()
	return s.Do(t, http.MethodGet, path, "", headers...)
}

// Want fails the test unless the answer has this status and error code. The code of a success is empty.
func (a Answer) Want(t testing.TB, status int, code string) Answer {
	t.Helper()
	if got := a.Code(); a.Status != status || got != code {
		t.Fatalf("answered %d %q, want %d %q: %s", a.Status, got, status, code, a.Body)
	}
	return a
}

// Code returns the code of an error, or "" for a success.
func (a Answer) Code() string {
	if a.Status < 400 {
		return ""
	}
	var e struct{ Code string }
	_ = json.Unmarshal(a.Body, &e) // a body that is not JSON has no code
	return e.Code
}

// Decode decodes a JSON body into a T.
func Decode[T any](t testing.TB, a Answer) T {
	t.Helper()
	var v T
	if err := json.Unmarshal(a.Body, &v); err != nil {
		t.Fatalf("not the JSON that was expected: %v: %s", err, a.Body)
	}
	return v
}

// AddResponse stores a response of a study with what src has: its progress, duration, parameters, answers and analysis. A
// complete one is counted.
func (s *Service) AddResponse(t testing.TB, st study.Study, src document.Source) response.Response {
	t.Helper()
	r := storetest.Response(t, s.Store, st, src.Response.URLParams)
	if src.Response.Progress != "" {
		r.Progress = src.Response.Progress
	}
	r.Duration = src.Response.Duration
	storetest.Write(t, s.Store, func(tx *store.Tx) (err error) {
		if r.UpdatedAt, err = tx.NextUpdate(t.Context(), st.ID); err != nil {
			return err
		}
		if r.Progress != response.InProgress {
			r.EndedAt = r.UpdatedAt
		}
		if err := tx.SaveProgress(t.Context(), r, tx.Now()); err != nil {
			return err
		}
		if src.Analysis != nil {
			analysis := *src.Analysis
			analysis.CompletedAt = r.UpdatedAt
			if err := tx.SaveAnalysis(t.Context(), r.ID, analysis); err != nil {
				return err
			}
		}
		if r.Progress == response.Complete {
			if err := tx.CountCompleted(t.Context(), st.ID, 1); err != nil {
				return err
			}
		}
		src.Response = r
		return tx.PutDocument(t.Context(), src)
	})
	return r
}
