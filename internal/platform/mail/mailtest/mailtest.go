// Package mailtest has an SMTP server for tests.
package mailtest

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"io"
	"math/big"
	"mime"
	"mime/quotedprintable"
	"net"
	netmail "net/mail"
	"net/textproto"
	"strings"
	"sync"
	"testing"
	"time"
)

// Server is an SMTP server that keeps what it gets.
type Server struct {
	Port int

	// Refuse returns the answer to RCPT, such as "450 later"; empty: the recipient is accepted. Set it before the first mail.
	Refuse func(recipient string) string

	user, password string
	tls            *tls.Config
	implicit       bool
	roots          *x509.CertPool

	mu       sync.Mutex
	received []Mail
	arrived  chan struct{}
}

// Mail is a mail that a server got.
type Mail struct {
	From, To string // of the envelope
	Raw      string
	Header   netmail.Header
	Subject  string // decoded
	Text     string // decoded
	Secure   bool   // it came through TLS
	User     string // who signed in; empty: nobody
}

// Options change what a server demands.
type Options struct {
	User, Password string // empty: no one has to sign in
	TLS            bool   // it offers STARTTLS
	Implicit       bool   // it speaks TLS from the beginning
}

// Start starts a server on the loopback, which ends with the test.
func Start(t testing.TB, o Options) *Server {
	t.Helper()
	s := &Server{user: o.User, password: o.Password, implicit: o.Implicit, arrived: make(chan struct{}, 1000)}
	if o.TLS || o.Implicit {
		s.certify(t)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.Port = listener.Addr().(*net.TCPAddr).Port
	var all sync.WaitGroup
	var mu sync.Mutex
	open := map[net.Conn]bool{}
	all.Go(func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			mu.Lock()
			open[c] = true
			mu.Unlock()
			all.Go(func() { s.serve(c) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		mu.Lock()
		for c := range open {
			_ = c.Close()
		}
		mu.Unlock()
		all.Wait()
	})
	return s
}

// Roots returns whom the server's certificate comes from.
func (s *Server) Roots() *x509.CertPool { return s.roots }

// Next returns the next mail, in the order of their arrival, and waits for it.
func (s *Server) Next(t testing.TB) Mail {
	t.Helper()
	select {
	case <-s.arrived:
	case <-t.Context().Done():
		t.Fatal("no mail came")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.received[0]
	s.received = s.received[1:]
	return m
}

// Count returns how many mails are there that Next did not return.
func (s *Server) Count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.received)
}

func (s *Server) certify(t testing.TB) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(24 * time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{"localhost"},
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	s.roots = x509.NewCertPool()
	s.roots.AddCert(parsed)
	s.tls = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
}

// serve speaks with one client until it leaves.
func (s *Server) serve(c net.Conn) {
	defer func() { _ = c.Close() }()
	m, secure := Mail{}, s.implicit
	if s.implicit {
		c = tls.Server(c, s.tls)
	}
	text := textproto.NewConn(c)
	say := func(line string) { _ = text.PrintfLine("%s", line) } // the client notices where it breaks
	say("220 mailtest")
	for {
		line, err := text.ReadLine()
		if err != nil {
			return
		}
		verb, rest, _ := strings.Cut(line, " ")
		switch strings.ToUpper(verb) {
		case "EHLO", "HELO":
			say("250-mailtest")
			if s.tls != nil && !secure {
				say("250-STARTTLS")
			}
			if s.user != "" && (secure || s.tls == nil) {
				say("250-AUTH PLAIN")
			}
			say("250 8BITMIME")
		case "STARTTLS":
			say("220 go ahead")
			c, secure = tls.Server(c, s.tls), true
			text = textproto.NewConn(c)
		case "AUTH":
			plain, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(rest, "PLAIN "))
			if string(plain) != "\x00"+s.user+"\x00"+s.password {
				say("535 wrong password")
				continue
			}
			m.User = s.user
			say("235 welcome")
		case "MAIL":
			if s.user != "" && m.User == "" {
				say("530 sign in first")
				continue
			}
			m = Mail{From: between(rest), User: m.User, Secure: secure}
			say("250 ok")
		case "RCPT":
			answer := ""
			if m.To = between(rest); s.Refuse != nil {
				answer = s.Refuse(m.To)
			}
			if answer == "" {
				answer = "250 ok"
			}
			say(answer)
		case "DATA":
			say("354 go ahead")
			body, err := io.ReadAll(text.DotReader())
			if err != nil {
				return
			}
			s.keep(m, string(body))
			say("250 kept")
		case "QUIT":
			say("221 bye")
			return
		default:
			say("250 ok")
		}
	}
}

// between returns what stands between < and >.
func between(s string) string {
	_, s, _ = strings.Cut(s, "<")
	s, _, _ = strings.Cut(s, ">")
	return s
}

func (s *Server) keep(m Mail, raw string) {
	m.Raw = raw
	if parsed, err := netmail.ReadMessage(bufio.NewReader(strings.NewReader(raw))); err == nil {
		m.Header = parsed.Header
		m.Subject, _ = new(mime.WordDecoder).DecodeHeader(parsed.Header.Get("Subject"))
		var body io.Reader = parsed.Body
		if parsed.Header.Get("Content-Transfer-Encoding") == "quoted-printable" {
			body = quotedprintable.NewReader(body)
		}
		decoded, _ := io.ReadAll(body)
		m.Text = strings.ReplaceAll(string(decoded), "\r\n", "\n")
	}
	s.mu.Lock()
	s.received = append(s.received, m)
	s.mu.Unlock()
	s.arrived <- struct{}{}
}
