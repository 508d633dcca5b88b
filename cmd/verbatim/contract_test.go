package main

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/api/legacy"
	"verbatim/internal/api/media"
	"verbatim/internal/api/v1"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/test/contract"
)

// TestRoutesAreDocumented checks that the served routes and the documented ones are the same.
func TestRoutesAreDocumented(t *testing.T) {
	t.Parallel()
	suite := loadSuite(t)
	documented := map[string][]string{}
	for _, op := range suite.Operations() {
		documented[op.Document] = append(documented[op.Document], op.Pattern())
	}
	for name, served := range map[string][]string{
		"v1":     slices.AppendSeq(slices.Collect(maps.Keys((&v1.API{}).Routes())), maps.Keys((&media.API{}).Routes())),
		"legacy": slices.Collect(maps.Keys((&legacy.API{}).Routes())),
	} {
		slices.Sort(served)
		slices.Sort(documented[name])
		if diff := cmp.Diff(documented[name], served); diff != "" {
			t.Errorf("%s (-documented +served):\n%s", name, diff)
		}
	}
}

func loadSuite(t *testing.T) *contract.Suite {
	t.Helper()
	suite, err := contract.Load()
	if err != nil {
		t.Fatal(err)
	}
	return suite
}

// scene is the complete service as the program wires it. Every answer is checked against the API documents.
type scene struct {
	t       *testing.T
	handler http.Handler
	key     string
	names   *strings.Replacer // replaces the ids of the documents' examples with those of the scene
}

// newScene creates and launches the rich example study, and lets simulated participants take it.
func newScene(t *testing.T, suite *contract.Suite) *scene {
	t.Helper()
	ctx := t.Context()
	s := storetest.New(t)
	o := storetest.Org(t, s)
	u := storetest.User(t, s, o.ID, org.Admin)
	balance := storetest.Wallet(t, s, o.ID, 100*wallet.Credit)
	sc := &scene{t: t, key: storetest.Key(t, s, o.ID, u.ID)}
	svc, err := newService(t.Context(), s, "file:"+t.TempDir(), serviceFlags{BaseURL: "https://interviews.example.com", Price: "1", AbandonAfter: 24 * time.Hour}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	running, stop := context.WithCancel(ctx)
	stopped := make(chan error)
	for _, runner := range svc.runners {
		go func() { stopped <- runner.Run(running) }()
	}
	t.Cleanup(func() {
		stop()
		for range svc.runners {
			if err := <-stopped; err != nil {
				t.Error(err)
			}
		}
	})
	sc.handler = suite.Wrap(t, svc.server.Handler())

	var made, launched, deletion struct{ ID, LinkID, DeletionID string }
	for _, e := range suite.Examples() {
		if e.Operation.ID == "createStudy" && e.Name == "rich" && e.IsRequest() {
			sc.must(http.StatusCreated, sc.send(e.Operation.Method, e.Target, e.Body), &made)
		}
	}
	sc.must(http.StatusOK, sc.send(http.MethodPost, "/api/public/v1/studies/"+made.ID+"/launch", nil), &launched)
	found, err := s.View().Study(ctx, o.ID, made.ID)
	if err != nil {
		t.Fatal(err)
	}
	load := simulatedLoad{store: s, size: 8, seed: 3, progress: func(int, int) {}}
	if _, err := load.interview(ctx, &http.Client{Transport: inProcess{sc.handler}}, "https://interviews.example.com", found); err != nil {
		t.Fatal(err)
	}
	if _, err := awaitAnalyses(ctx, s, made.ID); err != nil {
		t.Fatal(err)
	}
	response := func(readableID int) string { return responseID(t, s, made.ID, readableID) }
	sc.must(http.StatusAccepted, sc.send(http.MethodDelete, "/api/public/v1/responses?studyId="+made.ID+"&responseId="+response(8), nil), &deletion)
	sc.names = strings.NewReplacer(
		"k7RmWq2x", made.LinkID, "0198f2c4-51ab-7d1e-9c30-5d1f6a2b7e10", made.ID, "0198d0aa-0b7c-7f52-a1de-4e6c9d3b2f01", balance.ID,
		"0198f9d1-3e5f-7b06-8d42-77c1a0e4b9d3", response(7), "0198fe07-90cb-7e6d-8f11-c3a85b40d2e6", deletion.DeletionID,
	)
	return sc
}

func responseID(t *testing.T, s *store.Store, studyID string, readableID int) string {
	t.Helper()
	it, err := s.View().ItemByReadableID(t.Context(), studyID, readableID)
	if err != nil {
		t.Fatal(err)
	}
	return it.ResponseID
}

func (sc *scene) send(method, target string, body []byte) *httptest.ResponseRecorder {
	sc.t.Helper()
	r := httptest.NewRequestWithContext(sc.t.Context(), method, target, strings.NewReader(string(body)))
	r.Header.Set("Accept", "application/json")
	if strings.HasPrefix(target, "/api/") {
		r.Header.Set("X-Api-Key", sc.key)
	}
	w := httptest.NewRecorder()
	sc.handler.ServeHTTP(w, r)
	return w
}

func (sc *scene) must(status int, w *httptest.ResponseRecorder, into any) {
	sc.t.Helper()
	body, err := io.ReadAll(w.Result().Body)
	if err != nil {
		sc.t.Fatal(err)
	}
	if w.Code != status {
		sc.t.Fatalf("answered %d, want %d: %s", w.Code, status, body)
	}
	if err := json.Unmarshal(body, into); err != nil {
		sc.t.Fatal(err)
	}
}

// TestExamples sends every request of the documents, with the ids replaced. API requests must succeed.
func TestExamples(t *testing.T) {
	t.Parallel()
	suite := loadSuite(t)
	sc := newScene(t, suite)
	ran := 0
	for _, e := range suite.Examples() {
		if !e.IsRequest() || e.Operation.Document == "participant" || e.Operation.Document == "dashboard" { // its own tests sign in
			continue
		}
		ran++
		w := sc.send(e.Operation.Method, sc.names.Replace(e.Target), []byte(sc.names.Replace(string(e.Body))))
		// A document cannot contain a valid link signature, the version that themes have now, or the id of a report.
		stale := e.Operation.ID == "editThemes" && w.Code == http.StatusConflict || e.Operation.ID == "getReport" && w.Code == http.StatusNotFound
		if w.Code >= 300 && strings.HasPrefix(e.Target, "/api/") && !stale {
			t.Errorf("%s %s answered %d: %s", e.Operation.ID, e.Name, w.Code, w.Body)
		}
	}
	if ran < 15 {
		t.Errorf("only %d examples were run", ran)
	}
	begun := sc.begin()
	for _, e := range suite.Examples() {
		if !e.IsRequest() || e.Operation.Document != "participant" || e.Operation.ID == "withdraw" || e.Operation.ID == "followInterview" { // the stream does not end
			continue
		}
		target := strings.ReplaceAll(sc.names.Replace(e.Target), "3q2-7wAAAABkZXBlbmRhYmxlMTIz", begun)
		w := sc.send(e.Operation.Method, target, e.Body)
		if w.Code >= 500 { // an example's answer may not fit the current step of this interview; the suite checks its schema
			t.Errorf("%s %s answered %d: %s", e.Operation.ID, e.Name, w.Code, w.Body)
		}
	}
	if w := sc.send(http.MethodPost, "/i/"+begun+"/withdraw", nil); w.Code != http.StatusNoContent {
		t.Errorf("withdraw answered %d: %s", w.Code, w.Body)
	}
	if w := sc.send(http.MethodGet, "/i/"+begun, nil); w.Code != http.StatusGone {
		t.Errorf("a withdrawn interview answered %d: %s", w.Code, w.Body)
	}
}

func (sc *scene) begin() string {
	var begun struct{ Token string }
	sc.must(http.StatusCreated, sc.send(http.MethodPost, sc.names.Replace("/s/k7RmWq2x/interviews"), []byte("{}")), &begun)
	return begun.Token
}
