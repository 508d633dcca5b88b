package dashboard_test

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"verbatim/internal/domain/org"
	"verbatim/internal/platform/mail"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/jobs"
	"verbatim/internal/service/mailing"
)

// outbox keeps the mails that are sent.
type outbox struct{ sent []mail.Message }

func (o *outbox) Send(_ context.Context, m mail.Message) error {
	o.sent = append(o.sent, m)
	return nil
}

// mails configures mails, and returns what runs the jobs that wait and returns what they sent.
func (f *fixture) mails() func() []mail.Message {
	box := &outbox{}
	f.SignIn.Mail.Sender = box
	worker := &mailing.Worker{Service: f.SignIn.Mail, Reset: f.SignIn.ResetMail}
	return func() []mail.Message {
		f.t.Helper()
		box.sent = nil
		var due []store.Job
		storetest.Write(f.t, f.Store, func(tx *store.Tx) (err error) {
			due, err = tx.ClaimJobs(f.t.Context(), store.Queue{Name: jobs.QueueOf(jobs.KindMail), Each: 50}, 50, time.Minute)
			return err
		})
		for _, job := range due {
			if err := worker.Run(f.t.Context(), job); err != nil {
				f.t.Fatal(err)
			}
		}
		return box.sent
	}
}

var linkInMail = regexp.MustCompile(`https://\S+#\S+`)

// TestMails: invitations and links for new passwords are mailed, and whoever asks for them does not see them.
func TestMails(t *testing.T) {
	t.Parallel()
	f := setup(t)
	admin := f.withPassword(f.Admin)
	people := "/api/dashboard/organizations/" + f.Org.ID
	(&browser{f: f}).do("POST", "/api/dashboard/session/forgotten", `{"email":"a@example.org"}`).Want(t, 409, "mail_off")
	sent := f.mails()
	if got := field(t, (&browser{f: f}).get("/api/dashboard/sign-in").Want(t, 200, ""), "mail"); got != "true" {
		t.Errorf("mail: %s", got)
	}

	invite := `{"email":"new@example.org","role":"member"`
	a := admin.do("POST", people+"/invitations", invite+`}`, "Accept-Language", "de-CH,en;q=0.5").Want(t, 201, "")
	if field(t, a, "link") != "<nil>" || field(t, a, "invitation", "mail") != "waiting" {
		t.Errorf("%s", a.Body)
	}
	got := sent()
	if len(got) != 1 || got[0].To != "new@example.org" || got[0].Language != "de" {
		t.Fatalf("sent %+v", got)
	}
	if state := field(t, admin.get(people+"/people").Want(t, 200, ""), "invitations", 0, "mail"); state != "sent" {
		t.Errorf("the invitation's mail is %s", state)
	}
	accept := `{"token":"` + tokenOf(linkInMail.FindString(got[0].Text)) + `","name":"New","password":"` + password + `"}`
	(&browser{f: f}).do("POST", "/api/dashboard/tokens/invitation", accept).Want(t, 200, "")

	a = admin.do("POST", people+"/invitations", `{"email":"two@example.org","role":"member","byLink":true}`).Want(t, 201, "")
	if !strings.Contains(field(t, a, "link"), "/invite#") || len(sent()) != 0 {
		t.Errorf("%s", a.Body)
	}
	a = admin.do("POST", people+"/invitations", `{"email":"three@example.org","role":"member"}`).Want(t, 201, "")
	admin.do("DELETE", people+"/invitations/"+field(t, a, "invitation", "id"), "").Want(t, 204, "")
	if got := sent(); len(got) != 0 {
		t.Errorf("a withdrawn invitation is sent: %+v", got)
	}

	_, user := f.member(org.Member)
	if link := field(t, admin.do("POST", people+"/people/"+user.ID+"/reset", "").Want(t, 201, ""), "link"); link != "<nil>" {
		t.Errorf("the admin sees %s", link)
	}
	got = sent()
	if len(got) != 1 || got[0].To != user.Email {
		t.Fatalf("sent %+v", got)
	}
	reset := `{"token":"` + tokenOf(linkInMail.FindString(got[0].Text)) + `","password":"` + another + `"}`
	(&browser{f: f}).do("POST", "/api/dashboard/tokens/reset", reset).Want(t, 200, "")
	for range 4 {
		admin.do("POST", people+"/people/"+user.ID+"/reset", "").Want(t, 201, "")
	}
	if a := admin.do("POST", people+"/people/"+user.ID+"/reset", "").Want(t, 429, "rate_limited"); a.Header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
}

// TestForgotten: the answer and the work are the same for every address; only an account gets a mail, and only a member's.
func TestForgotten(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.withPassword(f.Admin)
	sent := f.mails()
	ask := func(email string) string {
		a := (&browser{f: f}).do("POST", "/api/dashboard/session/forgotten", `{"email":"`+email+`"}`).Want(t, 204, "")
		return string(a.Body)
	}
	if ask("nobody@example.org") != ask(" "+strings.ToUpper(f.Admin.Email)) {
		t.Error("the answers differ")
	}
	if waiting, err := f.SignIn.Mail.Status(t.Context()); err != nil || waiting.Waiting != 2 {
		t.Errorf("%+v %v", waiting, err)
	}
	got := sent()
	if len(got) != 1 || got[0].To != f.Admin.Email {
		t.Fatalf("sent %+v", got)
	}
	reset := `{"token":"` + tokenOf(linkInMail.FindString(got[0].Text)) + `","password":"` + another + `"}`
	(&browser{f: f}).do("POST", "/api/dashboard/tokens/reset", reset).Want(t, 200, "")
	(&browser{f: f}).do("POST", "/api/dashboard/tokens/reset", reset).Want(t, 404, "token_invalid")
	(&browser{f: f}).do("POST", "/api/dashboard/session/forgotten", `{"email":"no address"}`).Want(t, 400, "invalid_request_body")
	for _, email := range []string{f.Admin.Email, "nobody@example.org"} { // one was asked for already
		for range 4 {
			ask(email)
		}
		(&browser{f: f}).do("POST", "/api/dashboard/session/forgotten", `{"email":"`+email+`"}`).Want(t, 429, "rate_limited")
	}
	if got := sent(); len(got) != 4 {
		t.Errorf("sent %d more", len(got))
	}
	log := string(f.as(f.Admin).get("/api/dashboard/organizations/" + f.Org.ID + "/audit").Body)
	if !strings.Contains(log, org.AuditResetAsked) || strings.Contains(log, "nobody@example.org") {
		t.Errorf("the log has %s", log)
	}
}
