// Package mail sends mails of plain text through an SMTP server that the operator configures.
package mail

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	netmail "net/mail"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"

	"verbatim/internal/domain/plaintext"
)

// TLS names how the connection to the server is encrypted.
type TLS string

// The ways.
const (
	StartTLS TLS = "starttls" // before anything else is said; a server that cannot is refused
	Implicit TLS = "tls"      // from the beginning
	Off      TLS = "off"      // never
)

// Timeout is how long sending one mail may take.
const Timeout = 30 * time.Second

// Settings describe the server and the sender.
type Settings struct {
	Host           string
	Port           int // 0: the usual one of TLS
	TLS            TLS
	User, Password string         // empty: the server asks for none
	From           string         // such as "Verbatim <verbatim@example.org>"
	Roots          *x509.CertPool // whom certificates may come from; nil: whom the system trusts
}

// Message is a mail of plain text.
type Message struct {
	ID       string // makes its Message-ID, so that a mail that is sent twice can be recognized
	To       string // an address without a name
	Subject  string
	Text     string
	Language string // of the text, such as "pt"
}

// Error is a mail that was not sent, with a reason that may be shown to people.
type Error struct {
	Permanent bool // the server will refuse it again
	Reason    string
}

// Error implements error.
func (e *Error) Error() string { return e.Reason }

// ErrHeader refuses addresses and subjects with line breaks or other control characters, which could add headers of their own.
var ErrHeader = &Error{Permanent: true, Reason: "the address or the subject has control characters"}

// Sender sends mails. Share one value.
type Sender struct {
	settings Settings
	from     *netmail.Address
}

// New returns a sender, or an error whose text is made for operators. It connects to nothing.
func New(s Settings) (*Sender, error) {
	from, err := netmail.ParseAddress(s.From)
	if err != nil || hasControl(s.From) {
		return nil, fmt.Errorf("%q is not a sender such as \"Verbatim <verbatim@example.org>\"", s.From)
	}
	if s.Host == "" || strings.ContainsAny(s.Host, "/@ ") || hasControl(s.Host) {
		return nil, fmt.Errorf("%q is not the name of a server", s.Host)
	}
	if s.Port < 0 || s.Port > 65535 {
		return nil, fmt.Errorf("%d is not a port", s.Port)
	}
	if s.User != "" && s.TLS == Off && s.Host != "localhost" && !strings.HasPrefix(s.Host, "127.") && s.Host != "::1" {
		return nil, errors.New("without TLS everybody on the way to the server could read the password")
	}
	s.TLS = cmp.Or(s.TLS, StartTLS)
	s.Port = cmp.Or(s.Port, map[TLS]int{StartTLS: 587, Implicit: 465, Off: 25}[s.TLS])
	return &Sender{s, from}, nil
}

// From returns the sender's address, with its name.
func (s *Sender) From() string { return s.from.String() }

// Server returns the host and the port.
func (s *Sender) Server() string { return fmt.Sprintf("%s:%d", s.settings.Host, s.settings.Port) }

// Send sends a mail. The error is an *Error.
func (s *Sender) Send(ctx context.Context, m Message) error {
	if hasControl(m.To) || hasControl(m.Subject) || hasControl(m.ID) || hasControl(m.Language) {
		return ErrHeader
	}
	to, err := netmail.ParseAddress(m.To)
	if err != nil || to.Name != "" {
		return &Error{Permanent: true, Reason: "the address cannot be written in a mail"}
	}
	message := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	message.FromMailAddress(s.from)
	message.ToMailAddress(to)
	message.Subject(m.Subject)
	message.SetMessageIDWithValue(m.ID + "@" + s.domain())
	message.SetDate()
	message.SetGenHeader("Auto-Submitted", "auto-generated")
	if m.Language != "" {
		message.SetGenHeader("Content-Language", m.Language)
	}
	message.SetBodyString(gomail.TypeTextPlain, m.Text)
	client, err := s.client()
	if err != nil {
		return &Error{Reason: "the settings cannot be used: " + plaintext.Line(err.Error())}
	}
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	err = client.DialAndSendWithContext(ctx, message)
	if failure, refused := errors.AsType[*gomail.SendError](err); err != nil && !refused && message.IsDelivered() {
		return nil // only the end of the connection failed
	} else if refused {
		return failureOf(failure)
	}
	return failureOf(err)
}

// Reach connects to the server, with the password, and sends nothing. The error is an *Error.
func (s *Sender) Reach(ctx context.Context) error {
	client, err := s.client()
	if err != nil {
		return &Error{Reason: "the settings cannot be used: " + plaintext.Line(err.Error())}
	}
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	if err := client.DialWithContext(ctx); err != nil {
		return failureOf(err)
	}
	_ = client.Close() // it was reached
	return nil
}

// domain returns the domain of the sender, by which the server is greeted.
func (s *Sender) domain() string {
	_, domain, _ := strings.Cut(s.from.Address, "@")
	return domain
}

// client returns a client for one connection: go-mail's keep what they know of theirs.
func (s *Sender) client() (*gomail.Client, error) {
	options := []gomail.Option{
		gomail.WithPort(s.settings.Port), gomail.WithTimeout(Timeout), gomail.WithHELO(s.domain()),
		gomail.WithTLSConfig(&tls.Config{ServerName: s.settings.Host, RootCAs: s.settings.Roots, MinVersion: tls.VersionTLS12}),
	}
	switch s.settings.TLS {
	case Implicit:
		options = append(options, gomail.WithSSL())
	case Off:
		options = append(options, gomail.WithTLSPolicy(gomail.NoTLS))
	default:
		options = append(options, gomail.WithTLSPolicy(gomail.TLSMandatory))
	}
	if s.settings.User != "" {
		options = append(options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover), gomail.WithUsername(s.settings.User), gomail.WithPassword(s.settings.Password))
	}
	return gomail.NewClient(s.settings.Host, options...)
}

// maxReason bounds what is kept of a server's answer, in bytes.
const maxReason = 300

// failureOf returns an error of the library as ours; nil for nil. What servers answer is untrusted.
func failureOf(err error) error {
	if err == nil {
		return nil
	}
	permanent := false
	if refused, ok := errors.AsType[*gomail.SendError](err); ok {
		permanent = !refused.IsTemp() && refused.ErrorCode() >= 500
	}
	reason := plaintext.Line(err.Error())
	if errors.Is(err, context.DeadlineExceeded) {
		reason = "the server did not answer in time"
	}
	if len(reason) > maxReason {
		reason = strings.ToValidUTF8(reason[:maxReason], "")
	}
	return &Error{Permanent: permanent, Reason: reason}
}

func hasControl(s string) bool { return strings.ContainsFunc(s, plaintext.IsUnsafe) }
