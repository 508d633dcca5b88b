package testpanel

import (
	"cmp"
	"crypto/hmac"
	_ "embed"
	"html/template"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"verbatim/internal/domain/panel"
)

// Panel is a test panel. The zero value knows no secret.
type Panel struct {
	Secret string // that signs redirects and postbacks; empty: signatures are not checked
	Now    func() time.Time
	Keep   int // so many of the newest requests; 0: 500

	mu       sync.Mutex
	received []Visit // newest first
}

// Visit is one request that the panel received.
type Visit struct {
	At        time.Time
	Postback  bool
	Method    string
	Address   string
	Body      string
	Key       string // idempotency key
	Repeated  bool   // a postback with this key came before
	Signature string // what the signature is: valid, wrong, missing or unchecked
	Signed    bool
}

const (
	maxVisits = 500
	maxBody   = 64 << 10
	tolerance = 5 * time.Minute // between the clocks of the two servers
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

// ServeHTTP shows the page at /, and receives at every other path. A path that ends with /fail answers 503 for a postback, so that it is
// sent again.
func (p *Panel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
	header.Set("Cache-Control", "no-store")
	header.Set("Referrer-Policy", "no-referrer")
	if r.URL.Path == "/" && r.URL.RawQuery == "" {
		p.show(w, "")
		return
	}
	if r.URL.Path == "/favicon.ico" {
		http.NotFound(w, r)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, "the body is too large", http.StatusRequestEntityTooLarge)
		return
	}
	visit := p.visitOf(r, string(body))
	p.add(visit)
	switch {
	case visit.Postback && strings.HasSuffix(r.URL.Path, "/fail"):
		http.Error(w, "this address refuses postbacks, so that they are sent again", http.StatusServiceUnavailable)
	case visit.Postback:
		w.WriteHeader(http.StatusNoContent)
	default:
		p.show(w, "You are back.")
	}
}

// Visits returns what the panel received, the newest first.
func (p *Panel) Visits() []Visit {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]Visit{}, p.received...)
}

func (p *Panel) add(visit Visit) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, earlier := range p.received {
		visit.Repeated = visit.Repeated || visit.Key != "" && earlier.Key == visit.Key
	}
	p.received = append([]Visit{visit}, p.received[:min(len(p.received), cmp.Or(p.Keep, maxVisits)-1)]...)
}

func (p *Panel) show(w http.ResponseWriter, greeting string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = page.Execute(w, map[string]any{"Greeting": greeting, "Visits": p.Visits(), "Checks": p.Secret != ""}) // the browser has left
}

func (p *Panel) visitOf(r *http.Request, body string) Visit {
	address := "http://" + r.Host + r.URL.RequestURI()
	visit := Visit{At: p.Now().UTC(), Method: r.Method, Address: address, Body: body, Key: r.Header.Get("Idempotency-Key")}
	visit.Postback = visit.Key != "" || r.Method == http.MethodPost
	switch {
	case p.Secret == "":
		visit.Signature = "not checked: no secret was given"
	case visit.Postback:
		visit.Signature, visit.Signed = p.checkPostback(r.Header.Get("Verbatim-Signature"), panel.Message{URL: address, Body: body})
	default:
		visit.Signature, visit.Signed = p.checkRedirect(address)
	}
	return visit
}

// checkPostback checks the signature of a message and its time.
func (p *Panel) checkPostback(signature string, m panel.Message) (string, bool) {
	text, _, found := strings.Cut(strings.TrimPrefix(signature, "t="), ",")
	seconds, err := strconv.ParseInt(text, 10, 64)
	if !found || err != nil {
		return "missing", false
	}
	at := time.Unix(seconds, 0)
	if !hmac.Equal([]byte(panel.PostbackSignature(p.Secret, m, at)), []byte(signature)) {
		return "wrong", false
	}
	if age := p.Now().Sub(at); age > tolerance || age < -tolerance {
		return "valid, but too old", false
	}
	return "valid", true
}

// checkRedirect looks for an algorithm and an encoding by which the last parameter signs the address before it.
func (p *Panel) checkRedirect(address string) (string, bool) {
	i := max(strings.LastIndexByte(address, '&'), strings.LastIndexByte(address, '?'))
	if i < 0 {
		return "missing", false
	}
	name, value, _ := strings.Cut(address[i+1:], "=")
	given, err := url.QueryUnescape(value)
	if err != nil {
		return "wrong", false
	}
	for _, algorithm := range []panel.Algorithm{panel.SHA256, panel.SHA512, panel.SHA1} {
		for _, encoding := range panel.Encodings {
			for _, text := range []string{address[:i], address[:i] + address[i:i+1]} {
				if hmac.Equal([]byte(panel.MAC(algorithm, encoding, p.Secret, text)), []byte(given)) {
					return "valid (" + string(algorithm) + ", " + string(encoding) + ", in " + name + ")", true
				}
			}
		}
	}
	return "wrong, or not of the address alone", false
}
