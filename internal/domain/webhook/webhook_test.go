package webhook_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	standard "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"verbatim/internal/domain/response"
	"verbatim/internal/domain/webhook"
)

func TestCheckURL(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"https://example.org/hooks?key=1%0d%0a", "http://example.org:8080/", "https://xn--bcher-kva.example/", "http://[::1]:80/x", "https://example.org"} {
		if err := webhook.CheckURL(address); err != nil {
			t.Errorf("%q: %v", address, err)
		}
	}
	for _, address := range []string{
		"", "example.org", "/hooks", "//example.org/", "ftp://example.org/", "file:///etc/passwd", "gopher://127.0.0.1/", "javascript:alert(1)", "https:example.org", "https://",
		"https:///x", "https://user@example.org/", "https://user:pass@example.org/", "https://example.org/#x", "https://example.org/#", "https://example.org/\r\nX-Injected: 1",
		"https://example.org/\nHost: evil", "https://example.org/a b", "https://example.org\\@evil.example/", "https://example.org/\x00", "https://bücher.example/", "https://example.org/\u202e",
		"https://example.org:port/", "https://[::1/", "https://" + strings.Repeat("a", 2000), "unix:/run/x.sock",
	} {
		if err := webhook.CheckURL(address); err == nil {
			t.Errorf("%.60q is accepted", address)
		}
	}
}

// TestSignature: an independent library accepts what is signed here, with the secret of now and, for a day, the former one.
func TestSignature(t *testing.T) {
	t.Parallel()
	first := webhook.Secrets{Current: webhook.NewSecret([]byte(strings.Repeat("a", webhook.SecretBytes)))}
	now := time.Now()
	both := first.Rotate(webhook.NewSecret([]byte(strings.Repeat("b", webhook.SecretBytes))), now)
	stored, err := webhook.ParseSecrets(both.String())
	if err != nil || stored.Current != both.Current || stored.Former != first.Current || stored.Until.Unix() != both.Until.Unix() {
		t.Fatalf("%+v is read as %+v, %v", both, stored, err)
	}
	body := []byte(`{"type":"test"}`)
	accepted := func(s webhook.Secrets, at time.Time, secret string, body string) bool {
		timestamp, signature := s.Sign("event-1", at, []byte(body))
		receiver, err := standard.NewWebhook(secret)
		if err != nil {
			t.Fatal(err)
		}
		header := http.Header{}
		header.Set(webhook.IDHeader, "event-1")
		header.Set(webhook.TimestampHeader, timestamp)
		header.Set(webhook.SignatureHeader, signature)
		return receiver.VerifyIgnoringTimestamp([]byte(strings.TrimSuffix(body, "changed")), header) == nil
	}
	for _, c := range []struct {
		name string
		with webhook.Secrets
		at   time.Time
		by   string
		body string
		want bool
	}{
		{"one secret", first, now, first.Current, string(body), true},
		{"the new one", stored, now, both.Current, string(body), true},
		{"the former one, within a day", stored, now.Add(webhook.Overlap - time.Minute), first.Current, string(body), true},
		{"the former one, after a day", stored, now.Add(webhook.Overlap), first.Current, string(body), false},
		{"another body", first, now, first.Current, string(body) + "changed", false},
		{"another secret", first, now, both.Current, string(body), false},
	} {
		if got := accepted(c.with, c.at, c.by, c.body); got != c.want {
			t.Errorf("%s: accepted %t", c.name, got)
		}
	}
	for _, stored := range []string{"", "a b", "a b c", "a b 1 d"} {
		if s, err := webhook.ParseSecrets(stored); err == nil {
			t.Errorf("%q is read as %+v", stored, s)
		}
	}
}

// TestBody: a message carries what the endpoint gets, and no answers unless it wants them; a deletion carries ids alone.
func TestBody(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 2, 9, 30, 0, 1000, time.UTC)
	r := response.Response{
		ID: "r1", OrgID: "o1", StudyID: "s1", ReadableID: 7, Language: "de", Progress: response.Complete, CreatedAt: at, EndedAt: at.Add(time.Minute),
		URLParams: map[string]string{"pid": "p1", "_secret": "x"}, Seed: 42,
	}
	item := []byte(`{"id":"r1","urlParams":{"pid":"p1"},"answers":["Because."]}`)
	for _, c := range []struct {
		name string
		of   webhook.Type
		to   webhook.Endpoint
		item []byte
		want string
	}{
		{"plain", webhook.ResponseCompleted, webhook.Endpoint{Parameters: true}, nil, `{"data":{"endedAt":"2026-03-02T09:31:00.000001Z","language":"de","linkId":"L","number":7,"organizationId":"o1","parameters":{"pid":"p1"},` +
			`"responseId":"r1","startedAt":"2026-03-02T09:30:00.000001Z","status":"complete","studyId":"s1"},"timestamp":"2026-03-02T09:30:00.000001Z","type":"response.completed"}`},
		{"answers without parameters", webhook.ResponseAnalyzed, webhook.Endpoint{}, item, `{"data":{"endedAt":"2026-03-02T09:31:00.000001Z","language":"de","linkId":"L","number":7,"organizationId":"o1",` +
			`"response":{"answers":["Because."],"id":"r1"},"responseId":"r1","startedAt":"2026-03-02T09:30:00.000001Z","status":"complete","studyId":"s1"},"timestamp":"2026-03-02T09:30:00.000001Z","type":"response.analyzed"}`},
		{"deleted", webhook.ResponseDeleted, webhook.Endpoint{Parameters: true}, nil, `{"data":{"linkId":"L","number":7,"organizationId":"o1","responseId":"r1","studyId":"s1"},"timestamp":"2026-03-02T09:30:00.000001Z","type":"response.deleted"}`},
	} {
		e := webhook.OfResponse(c.of, r)
		e.At = at
		if got, err := webhook.Body(e, c.to, "L", c.item); err != nil || string(got) != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.name, err, got, c.want)
		}
		if (e.ResponseID == "") != (c.of == webhook.ResponseDeleted) || e.Subject != "r1" {
			t.Errorf("%s: %+v", c.name, e)
		}
	}
	if !json.Valid(webhook.OfStudy(webhook.StudyLaunched, "o1", "s1", "live").Facts) {
		t.Error("facts are no JSON")
	}
}

// TestFailures: many failures hold back an endpoint, for longer and longer; failures for days disable it, and one success ends all that.
func TestFailures(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)
	e := webhook.Endpoint{Status: webhook.Enabled}
	var holds []time.Duration
	for range 10 {
		e = e.Failed(at, 30*time.Second, "it answers 500", false)
		if e.RetryAt.After(at) {
			holds = append(holds, e.RetryAt.Sub(at))
			if again := e.Failed(at.Add(time.Second), 30*time.Second, "x", false); !again.RetryAt.Equal(e.RetryAt) || again.Failures != e.Failures {
				t.Errorf("an attempt that was on its way counts: %+v", again)
			}
			at = e.RetryAt
		}
	}
	minutes := []time.Duration{30 * time.Second, time.Minute, 2 * time.Minute, 4 * time.Minute, 5 * time.Minute, 5 * time.Minute}
	if diff := cmp.Diff(minutes, holds); diff != "" {
		t.Errorf("holds (-want +got):\n%s", diff)
	}
	if e.Status != webhook.Enabled {
		t.Fatalf("after %v it is %s", at, e.Status)
	}
	late := e.Failed(e.FailingSince.Add(webhook.DisableAfter), time.Second, "it answers 500", false)
	if late.Status != webhook.Failing || !strings.Contains(late.Reason, "2026-03-02") || !strings.Contains(late.Reason, "it answers 500") {
		t.Errorf("after days it is %+v", late)
	}
	if well := e.Succeeded(); well.Failures != 0 || !well.RetryAt.IsZero() || !well.FailingSince.IsZero() {
		t.Errorf("after a success it is %+v", well)
	}
	if gone := (webhook.Endpoint{Status: webhook.Enabled}).Failed(at, time.Second, "it answers 410", true); gone.Status != webhook.Failing {
		t.Errorf("after 410 it is %s", gone.Status)
	}
	if off := (webhook.Endpoint{Status: webhook.Disabled}).Failed(at, time.Second, "x", true); off.Status != webhook.Disabled {
		t.Errorf("one that a person disabled becomes %s", off.Status)
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	for i, e := range []webhook.Endpoint{
		{URL: "x"},
		{URL: "https://example.org/", Description: "a\nb"},
		{URL: "https://example.org/", Description: strings.Repeat("ä", 201)},
		{URL: "https://example.org/", Types: []webhook.Type{"response.begun"}},
		{URL: "https://example.org/", Types: []webhook.Type{webhook.Test}},
		{URL: "https://example.org/", Studies: slices.Repeat([]string{"x"}, webhook.MaxStudies+1)},
	} {
		if e.Check() == nil {
			t.Errorf("%d is accepted", i)
		}
	}
	good := webhook.Endpoint{URL: "https://example.org/", Description: strings.Repeat("ä", 200), Types: webhook.Types}
	if err := good.Check(); err != nil {
		t.Error(err)
	}
}
