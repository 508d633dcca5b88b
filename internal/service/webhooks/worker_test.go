package webhooks_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/webhook"
	"verbatim/internal/platform/httpclient"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/delivery"
	"verbatim/internal/service/jobs"
	"verbatim/internal/service/webhooks"
)

// TestOrder: a message waits while an earlier one about the same response does, and others do not wait for it.
func TestOrder(t *testing.T) {
	t.Parallel()
	f := setup(t, nil)
	f.emit(webhook.ResponseCompleted, "r1")
	f.emit(webhook.ResponseAnalyzed, "r1")
	f.emit(webhook.ResponseCompleted, "r2")
	first := f.deliveries("")[2].Event.ID
	refuse := true
	f.answer = func(r *http.Request) (int, error) {
		if refuse && r.Header.Get(webhook.IDHeader) == first {
			return 500, nil
		}
		return 200, nil
	}
	f.work()
	all := f.deliveries("") // newest first
	if len(f.sent) != 2 || all[0].State != webhooks.Delivered || all[1].State != webhooks.Waiting || all[1].Attempts != 0 || all[2].State != webhooks.Waiting || all[2].HTTPStatus != 500 {
		t.Fatalf("sent %v: %+v", f.sent, all)
	}
	refuse = false
	f.clock.Advance(time.Minute)
	f.work()
	f.clock.Advance(2 * time.Second)
	f.work()
	if want := []string{first, all[0].Event.ID, first, all[1].Event.ID}; !slices.Equal(f.sent, want) && !slices.Equal(f.sent, []string{all[0].Event.ID, first, first, all[1].Event.ID}) {
		t.Errorf("sent %v, want %v", f.sent, want)
	}
	if left := f.deliveries(webhooks.Waiting); len(left) > 0 {
		t.Errorf("still waiting: %+v", left)
	}
	if d := f.deliveries("")[0]; len(d.Answer) > delivery.KeptAnswer || len(d.Answer) < delivery.KeptAnswer-1 || !utf8.ValidString(d.Answer) {
		t.Errorf("%d bytes of the answer are kept", len(d.Answer))
	}
}

// TestReceiverStaysAway: messages have failed after three days, the webhook is disabled after five, with its reason in the audit log; what happens
// then is kept, and is sent when somebody enables it and asks for it.
func TestReceiverStaysAway(t *testing.T) {
	t.Parallel()
	f := setup(t, nil)
	f.answer = func(*http.Request) (int, error) { return 0, errors.New("connection refused") }
	f.emit(webhook.ResponseCompleted, "r1")
	begun := f.clock.Now()
	for len(f.deliveries(webhooks.Failed)) == 0 {
		if f.clock.Advance(6 * time.Hour); f.clock.Now().Sub(begun) > delivery.RetryFor+7*time.Hour {
			t.Fatalf("it is still tried: %+v", f.deliveries(""))
		}
		f.work()
	}
	d := f.deliveries("")[0]
	if tried := f.clock.Now().Sub(begun); tried < delivery.RetryFor || d.Attempts < 12 || d.Error != "connection refused" {
		t.Errorf("after %v it is %+v", tried, d)
	}
	for i := 0; f.shown().Status == webhook.Enabled; i++ {
		if f.clock.Now().Sub(begun) > webhook.DisableAfter+13*time.Hour {
			t.Fatalf("it is still enabled: %+v", f.shown())
		}
		f.clock.Advance(12 * time.Hour)
		f.emit(webhook.ResponseCompleted, fmt.Sprint("late ", i))
		f.work()
	}
	f.emit(webhook.ResponseAnalyzed, "r3")
	f.work()
	w := f.shown()
	if w.Status != webhook.Failing || !strings.Contains(w.Reason, "connection refused") || f.deliveries("")[0].State != webhooks.Failed {
		t.Errorf("%+v, %+v", w, f.deliveries("")[0])
	}
	entries, err := f.Service.Store.View().AuditLog(t.Context(), f.Org.ID, org.AuditFilter{}, 0, 1)
	if err != nil || entries[0].Action != org.AuditWebhookDisabled || entries[0].Detail["reason"] != w.Reason {
		t.Errorf("%+v, %v", entries, err)
	}
	if _, err := f.ReplayFailed(t.Context(), f.caller, w.ID, begun); !errors.Is(err, webhooks.ErrDisabled) {
		t.Errorf("replaying while it is disabled: %v", err)
	}
	f.answer = func(*http.Request) (int, error) { return 200, nil }
	if _, err := f.Change(t.Context(), f.caller, w.ID, func(e *webhook.Endpoint) { e.Status = webhook.Enabled }); err != nil {
		t.Fatal(err)
	}
	f.clock.Advance(10 * time.Hour)
	f.work()
	failed := f.shown().Failed
	if n, err := f.ReplayFailed(t.Context(), f.caller, w.ID, begun); err != nil || n != failed || n < 2 {
		t.Fatalf("%d replayed of %d, %v", n, failed, err)
	}
	f.work()
	if w := f.shown(); w.Waiting+w.Failed > 0 || !w.FailingSince.IsZero() {
		t.Errorf("%+v", w)
	}
}

// TestGone: 410 disables a webhook at once.
func TestGone(t *testing.T) {
	t.Parallel()
	f := setup(t, nil)
	f.answer = func(*http.Request) (int, error) { return 410, nil }
	f.emit(webhook.StudyClosed, "x")
	f.work()
	if w := f.shown(); w.Status != webhook.Failing || !strings.Contains(w.Reason, "410") {
		t.Errorf("%+v", w)
	}
	f.clock.Advance(time.Hour)
	f.work()
	if d := f.deliveries("")[0]; d.State != webhooks.Failed || len(f.sent) != 1 {
		t.Errorf("%+v, sent %d times", d, len(f.sent))
	}
}

// TestManyFailures: when everything fails, everything waits, and not each message is tried.
func TestManyFailures(t *testing.T) {
	t.Parallel()
	f := setup(t, nil)
	f.answer = func(*http.Request) (int, error) { return 503, nil }
	for i := range 40 {
		f.emit(webhook.ResponseCompleted, "r"+string(rune('a'+i)))
	}
	f.work()
	if len(f.sent) != 5 {
		t.Errorf("%d messages were sent to a receiver that is down", len(f.sent))
	}
	f.answer = func(*http.Request) (int, error) { return 200, nil }
	f.clock.Advance(time.Minute)
	f.work()
	if w := f.shown(); w.Waiting > 0 {
		t.Errorf("%+v", w)
	}
}

// TestFilters: an endpoint is told of what it chose, of its studies, and of nothing while it is disabled.
func TestFilters(t *testing.T) {
	t.Parallel()
	f := setup(t, func(e *webhook.Endpoint) { e.Types = []webhook.Type{webhook.ResponseCompleted, webhook.StudyClosed} })
	other := storetest.NewScene(t, f.Service.Store)
	f.emit(webhook.ResponseCompleted, "r1")
	f.emit(webhook.ResponseAnalyzed, "r1")
	storetest.Write(t, f.Service.Store, func(tx *store.Tx) error {
		return webhooks.Emit(t.Context(), tx, webhook.OfStudy(webhook.StudyClosed, other.Org.ID, other.Study.ID, "closed"))
	})
	if n := len(f.deliveries("")); n != 1 {
		t.Errorf("%d messages", n)
	}
	if _, err := f.Change(t.Context(), f.caller, f.hook.ID, func(e *webhook.Endpoint) { e.Studies = []string{other.Study.LinkID} }); err == nil || !strings.Contains(err.Error(), other.Study.LinkID) {
		t.Errorf("another organization's study: %v", err)
	}
	second := storetest.Study(t, f.Service.Store, f.Org.ID, f.User.ID, "")
	if _, err := f.Change(t.Context(), f.caller, f.hook.ID, func(e *webhook.Endpoint) { e.Types, e.Studies = nil, []string{second.LinkID} }); err != nil {
		t.Fatal(err)
	}
	f.emit(webhook.ResponseCompleted, "r2")
	storetest.Write(t, f.Service.Store, func(tx *store.Tx) error {
		return webhooks.EmitStudy(t.Context(), tx, second, "closed")
	})
	if all := f.deliveries(""); len(all) != 2 || all[0].Event.StudyID != second.ID || all[0].LinkID != second.LinkID {
		t.Errorf("%+v", all)
	}
	if _, err := f.Change(t.Context(), f.caller, f.hook.ID, func(e *webhook.Endpoint) { e.Studies, e.Status = nil, webhook.Disabled }); err != nil {
		t.Fatal(err)
	}
	f.emit(webhook.ResponseCompleted, "r3")
	if n := len(f.deliveries("")); n != 2 {
		t.Errorf("%d messages", n)
	}
	if d, err := f.Service.Test(t.Context(), f.caller, f.hook.ID); err != nil || d.State != webhooks.Waiting {
		t.Errorf("a test of a disabled webhook: %+v, %v", d, err)
	}
	f.work()
	if len(f.sent) != 1 {
		t.Errorf("%d messages were sent", len(f.sent))
	}
}

// TestReplay: a message that arrived is sent again once, with its id; one that waits is not.
func TestReplay(t *testing.T) {
	t.Parallel()
	f := setup(t, nil)
	f.emit(webhook.ResponseCompleted, "r1")
	id := f.deliveries("")[0].Event.ID
	if _, err := f.Replay(t.Context(), f.caller, f.hook.ID, id); !errors.Is(err, webhooks.ErrStillWaiting) {
		t.Errorf("%v", err)
	}
	f.work()
	if _, err := f.Replay(t.Context(), f.caller, f.hook.ID, id); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Replay(t.Context(), f.caller, f.hook.ID, id); !errors.Is(err, webhooks.ErrStillWaiting) {
		t.Errorf("twice: %v", err)
	}
	f.work()
	if d := f.deliveries("")[0]; !slices.Equal(f.sent, []string{id, id}) || d.State != webhooks.Delivered || d.Attempts != 2 {
		t.Errorf("sent %v, %+v", f.sent, d)
	}
	for _, unknown := range []string{"", "x", f.hook.ID} {
		if _, err := f.Replay(t.Context(), f.caller, f.hook.ID, unknown); !errors.Is(err, webhooks.ErrNoDelivery) {
			t.Errorf("%q: %v", unknown, err)
		}
	}
}

// TestStranger: another organization's admin finds nothing, and whoever belongs to no organization is no operator.
func TestStranger(t *testing.T) {
	t.Parallel()
	f := setup(t, nil)
	f.emit(webhook.ResponseCompleted, "r1")
	event := f.deliveries("")[0].Event.ID
	other := storetest.NewScene(t, f.Service.Store)
	for _, caller := range []org.Caller{{OrgID: other.Org.ID, UserID: other.User.ID, Role: org.Admin}, {UserID: other.User.ID}} {
		for name, err := range map[string]error{
			"show":    second(f.Show(t.Context(), caller, f.hook.ID)),
			"change":  second(f.Change(t.Context(), caller, f.hook.ID, func(*webhook.Endpoint) {})),
			"test":    second(f.Service.Test(t.Context(), caller, f.hook.ID)),
			"log":     second(f.Deliveries(t.Context(), caller, f.hook.ID, webhooks.Query{Limit: 1})),
			"replay":  second(f.Replay(t.Context(), caller, f.hook.ID, event)),
			"failed":  second(f.ReplayFailed(t.Context(), caller, f.hook.ID, time.Time{})),
			"delete":  f.Delete(t.Context(), caller, f.hook.ID),
			"unknown": second(f.Show(t.Context(), f.caller, "x")),
		} {
			if !errors.Is(err, webhook.ErrNotFound) {
				t.Errorf("%s by %+v: %v", name, caller, err)
			}
		}
	}
}

func second[T any](_ T, err error) error { return err }

// TestSecretsStayHere: backups have the webhooks without their secrets, and without one nothing is sent.
func TestSecretsStayHere(t *testing.T) {
	t.Parallel()
	f := setup(t, nil)
	file := t.TempDir() + "/copy.db"
	if err := f.Service.Store.Backup(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	copied := storetest.Open(t, "sqlite:"+file, store.Options{})
	stored, err := copied.View().Setting(t.Context(), store.WebhookSecret(f.hook.ID))
	if err != nil || stored != "" {
		t.Errorf("the backup has a secret (%v)", err)
	}
	storetest.Write(t, f.Service.Store, func(tx *store.Tx) error {
		return tx.ChangeSetting(t.Context(), store.WebhookSecret(f.hook.ID), f.secret, "")
	})
	f.emit(webhook.ResponseCompleted, "r1")
	f.work()
	if d := f.deliveries("")[0]; len(f.sent) > 0 || !strings.Contains(d.Error, "make a new one") {
		t.Errorf("sent %v, %+v", f.sent, d)
	}
	if _, _, err := f.Rotate(t.Context(), f.caller, f.hook.ID); err != nil {
		t.Fatal(err)
	}
	f.clock.Advance(time.Minute)
	if f.work(); len(f.sent) != 1 {
		t.Errorf("sent %v", f.sent)
	}
	if err := f.Delete(t.Context(), f.caller, f.hook.ID); err != nil {
		t.Fatal(err)
	}
	if stored, err := f.Service.Store.View().Setting(t.Context(), store.WebhookSecret(f.hook.ID)); err != nil || stored != "" {
		t.Errorf("the secret stays (%v)", err)
	}
}

// TestSweep: old messages go, and those that wait stay.
func TestSweep(t *testing.T) {
	t.Parallel()
	f := setup(t, nil)
	f.emit(webhook.ResponseCompleted, "r1")
	f.work()
	f.emit(webhook.ResponseCompleted, "r2")
	f.clock.Advance(webhooks.Keep + time.Hour)
	if err := f.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if all := f.deliveries(""); len(all) != 1 || all[0].State != webhooks.Waiting {
		t.Errorf("%+v", all)
	}
}

// TestPrivateAddresses: messages reach no private address by any spelling, name or redirect; a redirect is not followed even where its
// target is allowed.
func TestPrivateAddresses(t *testing.T) {
	t.Parallel()
	reached := 0
	target := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached++ }))
	t.Cleanup(target.Close)
	_, port, _ := net.SplitHostPort(target.Listener.Addr().String())
	send := func(client *http.Client, address string) delivery.Attempt {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		return delivery.Send(t.Context(), client, request, 5*time.Second)
	}
	for _, host := range []string{"127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "0.0.0.0", "[::]", "0"} {
		if a := send(webhooks.Client(nil), "http://"+host+":"+port+"/"); a.Err == nil || a.Status != 0 {
			t.Errorf("%s: %+v", host, a)
		}
	}
	if a := send(webhooks.Client(nil), "http://169.254.169.254/latest/meta-data"); !errors.Is(a.Err, httpclient.ErrPrivateAddress) {
		t.Errorf("metadata: %+v", a)
	}
	loopback := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	for _, to := range []string{target.URL, "http://169.254.169.254/", "file:///etc/passwd"} {
		first := httptest.NewServer(http.RedirectHandler(to, http.StatusTemporaryRedirect))
		if a := send(webhooks.Client(loopback), first.URL); a.Status != 307 || a.Err == nil {
			t.Errorf("a redirect to %s: %+v", to, a)
		}
		first.Close()
	}
	if reached > 0 {
		t.Errorf("it was reached %d times", reached)
	}
	if a := send(webhooks.Client(loopback), target.URL); a.Err != nil || reached != 1 {
		t.Errorf("an allowed network: %+v, reached %d times", a, reached)
	}
}

// TestHostileAnswers: answers that never end, drip, or have headers without end cost no more than the bounds of an attempt.
func TestHostileAnswers(t *testing.T) {
	t.Parallel()
	stop := make(chan struct{})
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/endless":
			for chunk := make([]byte, 1<<16); r.Context().Err() == nil; {
				if _, err := w.Write(chunk); err != nil {
					return
				}
			}
		case "/drip":
			_, _ = io.WriteString(w, "a")
			w.(http.Flusher).Flush()
			select {
			case <-stop:
			case <-r.Context().Done():
			}
		case "/headers":
			for i := range 2000 {
				w.Header().Add("X-Long", strings.Repeat("a", 1000)+string(rune('a'+i%26)))
			}
		case "/silent":
			select {
			case <-stop:
			case <-r.Context().Done():
			}
		}
	}))
	t.Cleanup(receiver.Close)
	t.Cleanup(func() { close(stop) })
	client := webhooks.Client([]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")})
	for path, arrives := range map[string]bool{"/endless": true, "/drip": true, "/headers": false, "/silent": false} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, receiver.URL+path, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		a := delivery.Send(t.Context(), client, request, 200*time.Millisecond)
		if (a.Err == nil) != arrives || len(a.Answer) > delivery.KeptAnswer || a.Duration > 3*time.Second {
			t.Errorf("%s: arrives %t after %v, %v", path, a.Err == nil, a.Duration, a.Err)
		}
	}
}

// TestStop: a message whose attempt is interrupted by the end of the server was not tried.
func TestStop(t *testing.T) {
	t.Parallel()
	f := setup(t, nil)
	f.emit(webhook.ResponseCompleted, "r1")
	ctx, stop := context.WithCancel(t.Context())
	f.answer = func(r *http.Request) (int, error) {
		stop()
		return 0, r.Context().Err()
	}
	var claimed []store.Job
	storetest.Write(t, f.Service.Store, func(tx *store.Tx) (err error) {
		claimed, err = tx.ClaimJobs(t.Context(), store.Queue{Name: jobs.QueueOf(jobs.KindWebhook)}, 1, time.Minute)
		return err
	})
	if err := f.worker.Run(ctx, claimed[0]); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if d := f.deliveries("")[0]; d.Attempts != 0 || d.State != webhooks.Waiting {
		t.Errorf("%+v", d)
	}
}
