package dashboard_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"verbatim/internal/api/dashboard"
	"verbatim/internal/domain/org"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// webhookPart returns the part of a path below webhooks that says what is asked for; "" for things that need no body.
func webhookPart(path string) string {
	_, below, _ := strings.Cut(path, "/webhooks")
	switch parts := strings.Split(strings.Trim(below, "/"), "/"); {
	case len(parts) == 1:
		return "/webhooks"
	case len(parts) == 2 && parts[1] == "replay":
		return "/replay"
	}
	return ""
}

// failedMessage sends a test to a webhook, gives it up, and returns its id.
func (f *fixture) failedMessage(b *browser, at string) (id string) {
	f.t.Helper()
	id = field(f.t, b.do("POST", at+"/test", ""), "eventId")
	storetest.Write(f.t, f.Store, func(tx *store.Tx) error {
		return tx.FailWebhookDelivery(f.t.Context(), at[strings.LastIndex(at, "/")+1:], id, "it answers 500")
	})
	return id
}

// TestWebhooks: a webhook is created with its secret, found, changed, tested, and told what failed again; what cannot be is refused with its reason.
func TestWebhooks(t *testing.T) {
	t.Parallel()
	f := setup(t)
	b := f.as(f.Admin)
	at := "/api/dashboard/organizations/" + f.Org.ID + "/webhooks"
	b.do("POST", at, `{"url":"ftp://example.org/"}`).Want(t, 400, "bad_request")
	b.do("POST", at, `{"url":"https://example.org/","studies":["nowhere"]}`).Want(t, 400, "bad_request")
	b.do("POST", at, `{"url":"https://example.org/","events":["test"]}`).Want(t, 400, "invalid_request_body")
	b.do("POST", at, `{}`).Want(t, 400, "invalid_request_body")
	made := b.do("POST", at, `{"url":" https://example.org/x?k=1 ","description":"Rewards","events":["response.completed","response.completed"],"studies":["`+f.study.LinkID+`"],"parameters":false,"answers":true}`)
	made.Want(t, 201, "")
	id := field(t, made, "webhook", "id")
	if !strings.HasPrefix(field(t, made, "secret"), "whsec_") || strings.Contains(string(b.get(at).Body), "whsec_") {
		t.Errorf("%s, %s", made.Body, b.get(at).Body)
	}
	own := at + "/" + id
	for want, path := range map[string][]any{
		"https://example.org/x?k=1": {"url"}, f.study.LinkID: {"studies", 0}, "response.completed": {"events", 0}, "enabled": {"status"}, "false": {"parameters"},
	} {
		if got := field(t, b.get(own), path...); got != want {
			t.Errorf("%v is %s, want %s", path, got, want)
		}
	}
	if got := field(t, b.get(at), "events", 9); got != "study.closed" {
		t.Errorf("the last event is %s", got)
	}
	b.do("PATCH", own, `{"url":"x"}`).Want(t, 400, "bad_request")
	b.do("PATCH", own, `{"status":"failing"}`).Want(t, 400, "invalid_request_body")
	changed := b.do("PATCH", own, `{"events":[],"status":"disabled"}`)
	if changed.Want(t, 200, ""); field(t, changed, "status") != "disabled" || field(t, changed, "answers") != "true" || field(t, changed, "url") != "https://example.org/x?k=1" {
		t.Errorf("%s", changed.Body)
	}
	failed := f.failedMessage(b, own)
	b.do("POST", own+"/deliveries/"+failed+"/replay", "").Want(t, 409, "webhook_disabled")
	b.do("POST", own+"/replay", `{"since":"2026-03-02T09:30:00Z"}`).Want(t, 409, "webhook_disabled")
	b.do("PATCH", own, `{"status":"enabled"}`).Want(t, 200, "")
	b.do("POST", own+"/replay", `{"since":"yesterday"}`).Want(t, 400, "invalid_request_body")
	b.do("POST", own+"/deliveries/"+failed+"/replay", "").Want(t, 202, "")
	b.do("POST", own+"/deliveries/"+failed+"/replay", "").Want(t, 409, "delivery_waiting")
	f.failedMessage(b, own)
	if got := field(t, b.do("POST", own+"/replay", `{"since":"2020-03-02T09:30:00Z"}`), "count"); got != "1" {
		t.Errorf("%s are sent again", got)
	}
	if former, rotated := field(t, made, "secret"), field(t, b.do("POST", own+"/secret", ""), "secret"); rotated == former {
		t.Error("the secret stays")
	}
	audit := string(b.get("/api/dashboard/organizations/" + f.Org.ID + "/audit").Body)
	for _, action := range []string{"created", "changed", "tested", "replayed", "secret_rotated"} {
		if !strings.Contains(audit, "webhook."+action) {
			t.Errorf("the audit log lacks webhook.%s", action)
		}
	}
	if strings.Contains(audit, "k=1") || strings.Contains(audit, "whsec_") {
		t.Errorf("the audit log has secrets: %s", audit)
	}
	b.do("DELETE", own, "").Want(t, 204, "")
	b.get(own).Want(t, 404, "not_found")
	for i := range 20 {
		b.do("POST", at, fmt.Sprintf(`{"url":"https://example.org/%d"}`, i)).Want(t, 201, "")
	}
	b.do("POST", at, `{"url":"https://example.org/"}`).Want(t, 409, "too_many_webhooks")
}

// TestWebhookLog: the log is read page by page, and by state.
func TestWebhookLog(t *testing.T) {
	t.Parallel()
	f := setup(t)
	b, _ := f.member(org.Supervisor)
	at := "/api/dashboard/organizations/" + f.Org.ID + "/webhooks"
	own := at + "/" + field(t, b.do("POST", at, `{"url":"https://example.org/"}`), "webhook", "id")
	seen := map[string]bool{}
	for range 60 {
		b.do("POST", own+"/test", "").Want(t, 202, "")
	}
	f.failedMessage(b, own)
	for path := own + "/deliveries"; ; {
		page := b.get(path)
		page.Want(t, 200, "")
		for i := range 50 {
			if id := field(t, page, "deliveries", i, "eventId"); id != "<nil>" && id != "" {
				if seen[id] {
					t.Errorf("%s is on two pages", id)
				}
				seen[id] = true
			}
			if len(seen) == 61 {
				break
			}
		}
		next := field(t, page, "next")
		if next == "<nil>" {
			break
		}
		path = own + "/deliveries?after=" + next
	}
	if len(seen) != 61 {
		t.Errorf("%d messages", len(seen))
	}
	failed := b.get(own + "/deliveries?state=failed")
	if field(t, failed, "deliveries", 0, "error") != "it answers 500" || strings.Count(string(failed.Body), "eventId") != 1 {
		t.Errorf("%s", failed.Body)
	}
	for _, query := range []string{"state=lost", "after=x", "after=1.x", "after=1&after=2"} {
		b.get(own+"/deliveries?"+query).Want(t, 400, "bad_request")
	}
}

// TestOthersWebhooks: an admin does nothing with another organization's webhook.
func TestOthersWebhooks(t *testing.T) {
	t.Parallel()
	f := setup(t)
	other := storetest.NewScene(t, f.Store)
	stranger, admin := f.as(other.User), f.as(f.Admin)
	theirs := "/api/dashboard/organizations/" + other.Org.ID + "/webhooks"
	id := field(t, stranger.do("POST", theirs, `{"url":"https://example.org/"}`), "webhook", "id")
	event := f.failedMessage(stranger, theirs+"/"+id)
	for _, at := range []string{theirs + "/" + id, "/api/dashboard/organizations/" + f.Org.ID + "/webhooks/" + id, "/api/dashboard/organizations/" + f.Org.ID + "/webhooks/x"} {
		for _, call := range []target{
			{"GET", at, "", nil},
			{"PATCH", at, `{"status":"disabled"}`, nil},
			{"DELETE", at, "", nil},
			{"POST", at + "/secret", "", nil},
			{"POST", at + "/test", "", nil},
			{"POST", at + "/replay", `{"since":"2020-03-02T09:30:00Z"}`, nil},
			{"GET", at + "/deliveries", "", nil},
			{"POST", at + "/deliveries/" + event + "/replay", "", nil},
		} {
			admin.do(call.method, call.path, call.body).Want(t, http.StatusNotFound, "not_found")
		}
	}
	if d, err := f.Server.Dashboard.(*dashboard.API).Webhooks.Show(t.Context(), org.Caller{OrgID: other.Org.ID}, id); err != nil || d.Status != "enabled" || d.Failed != 1 {
		t.Errorf("%+v, %v", d, err)
	}
}
