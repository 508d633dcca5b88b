package mailing_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"verbatim/internal/domain/signing"
	"verbatim/internal/platform/mail"
	"verbatim/internal/platform/mail/mailtest"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/jobs"
	"verbatim/internal/service/mailing"
)

func ring(t *testing.T, letter string) func() signing.Ring {
	t.Helper()
	key, err := signing.NewKey(strings.Repeat(letter, signing.MinSecret))
	if err != nil {
		t.Fatal(err)
	}
	return func() signing.Ring { return signing.NewRing(key) }
}

type fixture struct {
	t      *testing.T
	clock  *storetest.Clock
	store  *store.Store
	orgID  string
	server *mailtest.Server
	worker *mailing.Worker
}

func setup(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{t: t, clock: storetest.NewClock(), server: mailtest.Start(t, mailtest.Options{})}
	f.store = storetest.NewAt(t, f.clock)
	f.orgID = storetest.Org(t, f.store).ID
	sender, err := mail.New(mail.Settings{Host: "127.0.0.1", Port: f.server.Port, TLS: mail.Off, From: "verbatim@example.org"})
	if err != nil {
		t.Fatal(err)
	}
	f.worker = &mailing.Worker{Service: &mailing.Service{Store: f.store, Ring: ring(t, "a"), Sender: sender, BaseURL: "https://interviews.example.com/x"}}
	return f
}

func (f *fixture) invitation(to string) mailing.Mail {
	return mailing.Mail{
		Kind: store.MailInvitation, To: to, Language: "de-AT", OrgID: f.orgID, About: "invitation-1", Expires: f.clock.Now().Add(time.Hour),
		Values: map[string]string{"link": "https://interviews.example.com/invite#vbt_secret", "organization": "Haus\r\nBcc: x@example.org", "inviter": strings.Repeat("Ada ", 60)},
	}
}

func (f *fixture) enqueue(m mailing.Mail) error {
	return f.store.Write(f.t.Context(), func(tx *store.Tx) error { return f.worker.Add(f.t.Context(), tx, m) })
}

// jobs returns the jobs that wait for their turn, claimed.
func (f *fixture) jobs() (all []store.Job) {
	f.t.Helper()
	storetest.Write(f.t, f.store, func(tx *store.Tx) (err error) {
		all, err = tx.ClaimJobs(f.t.Context(), store.Queue{Name: jobs.QueueOf(jobs.KindMail), Each: 10}, 10, time.Minute)
		return err
	})
	return all
}

func (f *fixture) mail(job store.Job) store.Mail {
	f.t.Helper()
	m, err := f.store.View().Mail(f.t.Context(), job.Args)
	if err != nil {
		f.t.Fatal(err)
	}
	return m
}

// TestMail: a mail waits with its link sealed, is sent in the reader's language, and keeps nothing that lets somebody in.
func TestMail(t *testing.T) {
	t.Parallel()
	f := setup(t)
	if err := f.enqueue(f.invitation("ana@example.org")); err != nil {
		t.Fatal(err)
	}
	job := f.jobs()[0]
	if m := f.mail(job); m.State != store.MailWaiting || m.Content == "" || strings.Contains(m.Content, "vbt_") {
		t.Errorf("%+v", m)
	}
	if err := f.worker.Run(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	got := f.server.Next(t)
	if !strings.HasPrefix(got.Subject, "Ada Ada") || !strings.HasSuffix(got.Subject, "… lädt Sie zu Haus Bcc: x@example.org ein") || got.Header.Get("Bcc") != "" ||
		!strings.Contains(got.Text, "\nhttps://interviews.example.com/invite#vbt_secret\n") || !strings.Contains(got.Text, "auf interviews.example.com bei") {
		t.Errorf("%s\n%s", got.Subject, got.Text)
	}
	if m := f.mail(job); m.State != store.MailSent || m.Content != "" || m.Attempts != 1 {
		t.Errorf("%+v", m)
	}
	if err := f.worker.Run(t.Context(), job); err != nil || f.server.Count() != 0 { // the process died before the job was recorded
		t.Errorf("%v, %d more mails", err, f.server.Count())
	}
	if counts, err := f.worker.Status(t.Context()); err != nil || counts != (store.MailCounts{Sent: 1}) {
		t.Errorf("%+v %v", counts, err)
	}
	f.clock.Advance(31 * 24 * time.Hour)
	if err := f.worker.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := f.store.View().Mail(t.Context(), job.Args); !errors.Is(err, store.ErrNoMail) {
		t.Errorf("after a month: %v", err)
	}
}

// TestFailures: what the server refuses now is tried again, and what it refuses for good is not.
func TestFailures(t *testing.T) {
	t.Parallel()
	f := setup(t)
	answers := map[string]string{"later@example.org": "450 later", "never@example.org": "550 nobody"}
	f.server.Refuse = func(to string) string { return answers[to] }
	run := func(to string) (store.Job, error) {
		t.Helper()
		if err := f.enqueue(f.invitation(to)); err != nil {
			t.Fatal(err)
		}
		job := f.jobs()[0]
		return job, f.worker.Run(t.Context(), job)
	}
	job, err := run("never@example.org")
	if m := f.mail(job); err != nil || m.State != store.MailFailed || m.Content != "" || !strings.Contains(m.Problem, "nobody") {
		t.Errorf("%v %+v", err, m)
	}
	job, err = run("later@example.org")
	if m := f.mail(job); err == nil || strings.Contains(err.Error(), "example.org") || m.State != store.MailWaiting || m.Content == "" || !strings.Contains(m.Problem, "later") {
		t.Errorf("%v %+v", err, m)
	}
	if counts, err := f.worker.Status(t.Context()); err != nil || counts.Waiting != 1 || counts.Failed != 1 || !strings.Contains(counts.Problem, "later") {
		t.Errorf("%+v %v", counts, err)
	}
	delete(answers, "later@example.org")
	if err := f.worker.Run(t.Context(), job); err != nil || f.mail(job).State != store.MailSent || f.mail(job).Problem != "" {
		t.Errorf("%v %+v", err, f.mail(job))
	}
	if err := f.enqueue(f.invitation("expired@example.org")); err != nil {
		t.Fatal(err)
	}
	expired := f.jobs()[0]
	f.clock.Advance(time.Hour)
	if err := f.worker.Run(t.Context(), expired); err != nil || f.mail(expired).State != store.MailFailed {
		t.Errorf("%v %+v", err, f.mail(expired))
	}
	if err := f.enqueue(f.invitation("rotated@example.org")); err != nil {
		t.Fatal(err)
	}
	rotated := f.jobs()[0]
	f.worker.Ring = ring(t, "b")
	if err := f.worker.Run(t.Context(), rotated); err != nil || f.mail(rotated).State != store.MailFailed {
		t.Errorf("%v %+v", err, f.mail(rotated))
	}
	if err := f.enqueue(f.invitation("last@example.org")); err != nil {
		t.Fatal(err)
	}
	last := f.jobs()[0]
	storetest.Write(t, f.store, func(tx *store.Tx) error { return f.worker.Discard(t.Context(), tx, last) })
	if f.mail(last).State != store.MailFailed {
		t.Errorf("%+v", f.mail(last))
	}
}

// TestLimits: an address gets five mails within an hour.
func TestLimits(t *testing.T) {
	t.Parallel()
	f := setup(t)
	for range 5 {
		if err := f.enqueue(f.invitation("ana@example.org")); err != nil {
			t.Fatal(err)
		}
	}
	err := f.enqueue(f.invitation("ana@example.org"))
	if limit, ok := errors.AsType[*mailing.LimitError](err); !ok || limit.Org {
		t.Errorf("the sixth: %v", err)
	}
	for i := range 95 {
		if err := f.enqueue(f.invitation(strings.Repeat("b", i+1) + "@example.org")); err != nil {
			t.Fatal(err)
		}
	}
	err = f.enqueue(f.invitation("c@example.org"))
	if limit, ok := errors.AsType[*mailing.LimitError](err); !ok || !limit.Org {
		t.Errorf("the hundred and first: %v", err)
	}
	f.clock.Advance(time.Hour + time.Second)
	if err := f.enqueue(f.invitation("ana@example.org")); err != nil {
		t.Errorf("an hour later: %v", err)
	}
}

// TestTest: the mail that tries the settings is sent at once, and says why it could not be.
func TestTest(t *testing.T) {
	t.Parallel()
	f := setup(t)
	if err := f.worker.SendTest(t.Context(), "ana@example.org", "ja"); err != nil {
		t.Fatal(err)
	}
	if got := f.server.Next(t); got.Subject != "interviews.example.com からのテストメール" || got.Header.Get("Content-Language") != "ja" {
		t.Errorf("%+v", got)
	}
	f.server.Refuse = func(string) string { return "550 no" }
	err := f.worker.SendTest(t.Context(), "ana@example.org", "")
	if refused, ok := errors.AsType[*mail.Error](err); !ok || !strings.Contains(refused.Reason, "550") {
		t.Errorf("%v", err)
	}
	f.worker.Sender = nil
	if err := f.worker.SendTest(t.Context(), "ana@example.org", ""); !errors.Is(err, mailing.ErrOff) || f.worker.On() || (*mailing.Service)(nil).On() {
		t.Errorf("%v", err)
	}
}

// TestTexts: every language has every text, with the same names to fill in.
func TestTexts(t *testing.T) {
	t.Parallel()
	names := regexp.MustCompile(`\{\w+\}`)
	read := func(file string) (loaded map[string]string) {
		body, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(body, &loaded)
		}
		if err != nil {
			t.Fatal(err)
		}
		return loaded
	}
	found := func(text string) []string {
		all := names.FindAllString(text, -1)
		slices.Sort(all)
		return slices.Compact(all)
	}
	english := read("texts/en.json")
	files, err := filepath.Glob("texts/*.json")
	if err != nil || len(files) != 10 {
		t.Fatalf("%d languages: %v", len(files), err)
	}
	for _, file := range files {
		texts := read(file)
		for key, text := range english {
			if !slices.Equal(found(texts[key]), found(text)) {
				t.Errorf("%s: %s has %v, want %v", file, key, found(texts[key]), found(text))
			}
		}
		if len(texts) != len(english) {
			t.Errorf("%s has %d texts, want %d", file, len(texts), len(english))
		}
	}
}
