package mail_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"verbatim/internal/platform/mail"
	"verbatim/internal/platform/mail/mailtest"
)

func sender(t *testing.T, s *mailtest.Server, change func(*mail.Settings)) *mail.Sender {
	t.Helper()
	settings := mail.Settings{Host: "127.0.0.1", Port: s.Port, TLS: mail.Off, From: "Verbatim Ü <verbatim@example.org>", Roots: s.Roots()}
	if change != nil {
		change(&settings)
	}
	made, err := mail.New(settings)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

var message = mail.Message{ID: "1", To: "ana@example.org", Subject: "Grüße, 世界", Text: "Öffnen:\nhttps://example.org/" + strings.Repeat("long", 40) + "\n.\n", Language: "de"}

// TestSend sends through each kind of connection.
func TestSend(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		server mailtest.Options
		change func(*mail.Settings)
	}{
		"plain":    {mailtest.Options{}, nil},
		"starttls": {mailtest.Options{TLS: true, User: "u", Password: "p"}, func(s *mail.Settings) { s.TLS, s.User, s.Password = mail.StartTLS, "u", "p" }},
		"tls":      {mailtest.Options{Implicit: true, User: "u", Password: "p"}, func(s *mail.Settings) { s.TLS, s.User, s.Password = mail.Implicit, "u", "p" }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := mailtest.Start(t, tt.server)
			s := sender(t, server, tt.change)
			if err := errors.Join(s.Reach(t.Context()), s.Send(t.Context(), message)); err != nil {
				t.Fatal(err)
			}
			got := server.Next(t)
			if got.From != "verbatim@example.org" || got.To != message.To || got.Subject != message.Subject || got.Text != message.Text || got.Secure != (name != "plain") || got.User != tt.server.User {
				t.Errorf("%+v", got)
			}
			for header, want := range map[string]string{
				"Message-Id": "<1@example.org>", "Auto-Submitted": "auto-generated", "Content-Language": "de", "Content-Type": "text/plain; charset=UTF-8", "To": "<ana@example.org>",
			} {
				if got.Header.Get(header) != want {
					t.Errorf("%s is %q, want %q", header, got.Header.Get(header), want)
				}
			}
		})
	}
}

// TestRefusals: what is refused now and what for good, and that nothing goes to a server that is not the one that was meant.
func TestRefusals(t *testing.T) {
	t.Parallel()
	server := mailtest.Start(t, mailtest.Options{})
	server.Refuse = func(to string) string {
		return map[string]string{"later@example.org": "450 4.2.0 come back\x1b[31m", "never@example.org": "550 5.1.1 nobody here"}[to]
	}
	locked := mailtest.Start(t, mailtest.Options{TLS: true, User: "u", Password: "p"})
	for name, tt := range map[string]struct {
		sender    *mail.Sender
		to        string
		permanent bool
		reason    string
	}{
		"later":                    {sender(t, server, nil), "later@example.org", false, "come back"},
		"never":                    {sender(t, server, nil), "never@example.org", true, "5.1.1 nobody here"},
		"a server without TLS":     {sender(t, server, func(s *mail.Settings) { s.TLS = mail.StartTLS }), "a@example.org", false, "STARTTLS"},
		"an unknown certificate":   {sender(t, locked, func(s *mail.Settings) { s.TLS, s.Roots = mail.StartTLS, nil }), "a@example.org", false, "certificate"},
		"a wrong password":         {sender(t, locked, func(s *mail.Settings) { s.TLS, s.User, s.Password = mail.StartTLS, "u", "q" }), "a@example.org", false, "535"},
		"a port without a server":  {sender(t, server, func(s *mail.Settings) { s.Port = 1 }), "a@example.org", false, "refused"},
		"no address":               {sender(t, server, nil), "a@@example.org", true, "cannot be written"},
		"a name besides":           {sender(t, server, nil), "A <a@example.org>", true, "cannot be written"},
		"two addresses":            {sender(t, server, nil), "a@example.org, b@example.org", true, "cannot be written"},
		"a header in the address":  {sender(t, server, nil), "a@example.org\r\nBcc: b@example.org", true, "control characters"},
		"a command in the address": {sender(t, server, nil), "a@example.org>\r\nRCPT TO:<b@example.org", true, "control characters"},
	} {
		m := message
		m.To = tt.to
		err := tt.sender.Send(t.Context(), m)
		refused, ok := errors.AsType[*mail.Error](err)
		if !ok || refused.Permanent != tt.permanent || !strings.Contains(refused.Reason, tt.reason) || strings.Contains(refused.Reason, "\x1b") {
			t.Errorf("%s: %v (%+v)", name, err, refused)
		}
	}
	for _, subject := range []string{"a\r\nBcc: b@example.org", "a\nb", "a\u2028b", "a\x00"} {
		m := message
		m.Subject = subject
		if err := sender(t, server, nil).Send(t.Context(), m); !errors.Is(err, mail.ErrHeader) {
			t.Errorf("the subject %q: %v", subject, err)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := sender(t, server, nil).Send(ended, message); err == nil {
		t.Error("sent after the end")
	}
	if n := server.Count() + locked.Count(); n != 0 {
		t.Errorf("%d mails came", n)
	}
}

// TestSettings: what can never work is refused at the start.
func TestSettings(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]mail.Settings{
		"no sender":          {Host: "mail.example.org"},
		"a bad sender":       {Host: "mail.example.org", From: "Verbatim"},
		"a header":           {Host: "mail.example.org", From: "a@example.org\r\nBcc: b@example.org"},
		"an address as host": {Host: "smtp://mail.example.org", From: "a@example.org"},
		"a port":             {Host: "mail.example.org", Port: 70000, From: "a@example.org"},
		"a naked password":   {Host: "mail.example.org", TLS: mail.Off, User: "u", Password: "p", From: "a@example.org"},
	} {
		if _, err := mail.New(s); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	for tls, port := range map[mail.TLS]string{"": "h:587", mail.StartTLS: "h:587", mail.Implicit: "h:465", mail.Off: "h:25"} {
		if s, err := mail.New(mail.Settings{Host: "h", TLS: tls, From: "a@example.org"}); err != nil || s.Server() != port {
			t.Errorf("%s: %v %v", tls, s, err)
		}
	}
}
