package panels_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/panel"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/jobs"
	"verbatim/internal/service/panels"
)

// fixture is a message to a panel's server, and the worker that delivers it.
type fixture struct {
	t      *testing.T
	clock  *storetest.Clock
	store  *store.Store
	worker *panels.Worker
	study  study.Study
	id     string
}

func setup(t *testing.T, client *http.Client, m panel.Message) *fixture {
	t.Helper()
	clock := storetest.NewClock()
	s := storetest.NewAt(t, clock)
	scene := storetest.NewScene(t, s)
	f := &fixture{t: t, clock: clock, store: s, worker: &panels.Worker{Store: s, Client: client}, study: scene.Study}
	storetest.Write(t, s, func(tx *store.Tx) (err error) {
		f.id, err = tx.AddPanelDelivery(t.Context(), store.PanelDelivery{
			StudyID: f.study.ID, OrgID: f.study.OrgID, ResponseID: "r1", Key: "r1.complete", Outcome: panel.Complete, Message: m,
		})
		if err != nil {
			return err
		}
		return jobs.Enqueue(t.Context(), tx, jobs.PostbackArgs{DeliveryID: f.id, ResponseID: "r1", OrgID: f.study.OrgID})
	})
	return f
}

// attempt runs the job if it is due, as a runner does, and reports whether it was.
func (f *fixture) attempt() (due bool, err error) {
	f.t.Helper()
	var claimed []store.Job
	storetest.Write(f.t, f.store, func(tx *store.Tx) (err error) {
		claimed, err = tx.ClaimJobs(f.t.Context(), store.Queue{Name: jobs.QueueOf(jobs.KindPostback)}, 1, time.Minute)
		return err
	})
	if len(claimed) == 0 {
		return false, nil
	}
	err = f.worker.Run(f.t.Context(), claimed[0])
	storetest.Write(f.t, f.store, func(tx *store.Tx) error {
		if err != nil {
			return tx.RetryJob(f.t.Context(), claimed[0], tx.Now().Add(time.Hour), err.Error())
		}
		return tx.FinishJob(f.t.Context(), claimed[0].ID)
	})
	return true, err
}

func (f *fixture) delivery() store.PanelDelivery {
	f.t.Helper()
	d, err := f.store.View().PanelDelivery(f.t.Context(), f.id)
	if err != nil {
		f.t.Fatal(err)
	}
	return d
}

func (f *fixture) secret(of panel.Secret, value string) {
	f.t.Helper()
	if err := (&panels.Service{Store: f.store}).SetSecret(f.t.Context(), org.Caller{}, f.study, []panel.Secret{of}, value); err != nil {
		f.t.Fatal(err)
	}
}

// transport answers requests in a test.
type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

func answer(status int) *http.Response {
	return &http.Response{StatusCode: status, Body: io.NopCloser(strings.NewReader("anything")), Header: http.Header{}}
}

// TestServerComesBack: a message is sent until the panel's server accepts it, through refusals, failures and silence, with the same key and
// a fresh signature.
func TestServerComesBack(t *testing.T) {
	t.Parallel()
	m := panel.Message{Method: "POST", URL: "https://panel.example/postback?p=1", Body: `{"a":1}`, KeyHeader: "X-Api-Key"}
	var f *fixture
	attempts := 0
	client := &http.Client{Transport: transport(func(r *http.Request) (*http.Response, error) {
		attempts++
		body, _ := io.ReadAll(r.Body)
		signature := panel.PostbackSignature("hush hush", m, f.clock.Now())
		if string(body) != m.Body || r.URL.String() != m.URL || r.Header.Get("Idempotency-Key") != "r1.complete" || r.Header.Get(panels.SignatureHeader)[:12] != signature[:12] ||
			r.Header.Get("X-Api-Key") != "panel key" || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("attempt %d: %s %s %v", attempts, r.URL, body, r.Header)
		}
		switch attempts {
		case 1:
			return answer(500), nil
		case 2:
			return nil, context.DeadlineExceeded // the server hangs
		case 3:
			return nil, errors.New("connection reset")
		case 4:
			return answer(404), nil
		}
		return answer(204), nil
	})}
	f = setup(t, client, m)
	f.secret(panel.PostbackSecret, "hush hush")
	f.secret(panel.PanelKey, "panel key")
	for i, want := range []string{"it answers 500", "deadline exceeded", "connection reset", "it answers 404", ""} {
		due, err := f.attempt()
		if !due || (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Fatalf("attempt %d: due %t, %v, want %q", i+1, due, err, want)
		}
		d := f.delivery()
		if d.Attempts != i+1 || !strings.Contains(d.Error, want) || (d.State == store.DeliveryDelivered) != (want == "") {
			t.Errorf("after attempt %d it is %+v", i+1, d)
		}
		f.clock.Advance(2 * time.Hour)
	}
	if due, _ := f.attempt(); due || attempts != 5 {
		t.Errorf("it is sent again after it arrived: %d attempts", attempts)
	}
	if d := f.delivery(); d.HTTPStatus != 204 || d.Message.URL == "" {
		t.Errorf("it is stored as %+v", d)
	}
}

// TestServerStaysAway: a message that does not arrive within three days has failed.
func TestServerStaysAway(t *testing.T) {
	t.Parallel()
	attempts := 0
	f := setup(t, &http.Client{Transport: transport(func(*http.Request) (*http.Response, error) { attempts++; return answer(503), nil })},
		panel.Message{Method: "GET", URL: "https://panel.example/"})
	begun := f.clock.Now()
	for {
		due, err := f.attempt()
		if !due {
			t.Fatal("nothing is due")
		}
		if err == nil {
			break
		}
		f.clock.Advance(time.Hour + time.Second)
	}
	if d, tried := f.delivery(), f.clock.Now().Sub(begun); d.State != store.DeliveryFailed || tried < panels.RetryFor || tried > panels.RetryFor+2*time.Hour || attempts < 70 {
		t.Errorf("after %v and %d attempts it is %+v", tried, attempts, d)
	}
}

// TestPrivateAddresses: a postback reaches no private address unless its network is allowed, and tells it nothing.
func TestPrivateAddresses(t *testing.T) {
	t.Parallel()
	reached := 0
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached++ }))
	t.Cleanup(server.Close)
	f := setup(t, panels.Client(nil), panel.Message{Method: "GET", URL: server.URL + "/?pid=p1"})
	if _, err := f.attempt(); err == nil || reached > 0 || strings.Contains(f.delivery().Error, "p1") {
		t.Fatalf("%v, reached %d times, %+v", err, reached, f.delivery())
	}
	f.worker.Client = panels.Client([]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")})
	f.clock.Advance(2 * time.Hour)
	if _, err := f.attempt(); err != nil || reached != 1 || f.delivery().State != store.DeliveryDelivered {
		t.Errorf("%v, reached %d times, %+v", err, reached, f.delivery())
	}
}

// TestMissingKey: a message that needs the panel's API key waits for it.
func TestMissingKey(t *testing.T) {
	t.Parallel()
	f := setup(t, &http.Client{Transport: transport(func(*http.Request) (*http.Response, error) { return answer(200), nil })},
		panel.Message{Method: "GET", URL: "https://panel.example/", KeyHeader: "Authorization"})
	if _, err := f.attempt(); err == nil || !strings.Contains(err.Error(), "panel secret") {
		t.Fatalf("%v", err)
	}
	f.secret(panel.PanelKey, "Bearer x")
	f.clock.Advance(2 * time.Hour)
	if _, err := f.attempt(); err != nil {
		t.Error(err)
	}
}

// TestSecretsStayHere: backups leave the secrets of panels out, and what is no secret is refused.
func TestSecretsStayHere(t *testing.T) {
	t.Parallel()
	f := setup(t, http.DefaultClient, panel.Message{})
	f.secret(panel.LinkSecret, "not for backups")
	file := t.TempDir() + "/copy.db"
	if err := f.store.Backup(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	copied := storetest.Open(t, "sqlite:"+file, store.Options{})
	if states, err := (&panels.Service{Store: copied}).Secrets(t.Context(), f.study, nil); err != nil || states[2].Set {
		t.Errorf("the backup has the secret (%v)", err)
	}
	service := &panels.Service{Store: f.store}
	for _, secret := range []string{"abc", strings.Repeat("a", 5000), "line\nbreak", "nul\x00nul"} {
		if err := service.SetSecret(t.Context(), org.Caller{}, f.study, []panel.Secret{panel.LinkSecret}, secret); !errors.Is(err, panels.ErrSecret) {
			t.Errorf("%.20q: %v", secret, err)
		}
	}
	f.secret(panel.LinkSecret, "")
	if states, err := service.Secrets(t.Context(), f.study, nil); err != nil || states[2].Set {
		t.Errorf("the secret stays (%v)", err)
	}
	if _, err := service.Link(t.Context(), f.study, "https://studies.example", nil, 0); !errors.Is(err, panels.ErrNoPanel) {
		t.Errorf("a link of a study without a panel: %v", err)
	}
}

// TestRetry: a message that waits is sent at once, by one job; one that has failed is tried once more; one that has arrived is left alone.
func TestRetry(t *testing.T) {
	t.Parallel()
	up := false
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if !up {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	t.Cleanup(server.Close)
	f := setup(t, panels.Client([]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}), panel.Message{Method: "POST", URL: server.URL, Body: "{}"})
	service := &panels.Service{Store: f.store}
	retry := func(want int) {
		t.Helper()
		if n, err := service.Retry(t.Context(), org.Caller{}, f.study, ""); err != nil || n != want {
			t.Errorf("%d messages are sent again, %v; want %d", n, err, want)
		}
	}
	if due, err := f.attempt(); !due || err == nil {
		t.Fatalf("the first attempt: %v, %v", due, err)
	}
	if due, _ := f.attempt(); due {
		t.Error("a message is due again at once")
	}
	retry(1)
	retry(1)
	if due, err := f.attempt(); !due || err == nil {
		t.Errorf("after asking for it: %v, %v", due, err)
	}
	if due, _ := f.attempt(); due {
		t.Error("asked for twice, it is sent twice")
	}
	f.clock.Advance(panels.RetryFor + time.Hour)
	if due, err := f.attempt(); !due || err != nil || f.delivery().State != store.DeliveryFailed {
		t.Errorf("after three days: %v, %v, %s", due, err, f.delivery().State)
	}
	up = true
	retry(1)
	if due, err := f.attempt(); !due || err != nil || f.delivery().State != store.DeliveryDelivered {
		t.Errorf("after it had failed: %v, %v, %s", due, err, f.delivery().State)
	}
	retry(0)
	if _, err := service.Retry(t.Context(), org.Caller{}, f.study, f.id); !errors.Is(err, panels.ErrNothingToRetry) {
		t.Errorf("one that has arrived: %v", err)
	}
	if _, err := service.Retry(t.Context(), org.Caller{}, study.Study{ID: "another"}, f.id); !errors.Is(err, panels.ErrNoDelivery) {
		t.Errorf("by another study: %v", err)
	}
}
