package server

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
)

// TestRedactingLog: messages of net/http lose the client's address.
func TestRedactingLog(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"http: panic serving 203.0.113.7:4711: oh\n":                        "http: panic serving a client: oh",
		"http: TLS handshake error from [2001:db8::1%eth0]:443: EOF\n":      "http: TLS handshake error from a client: EOF",
		"http: Accept error: accept tcp: too many files; retrying in 5ms\n": "http: Accept error: accept tcp: too many files; retrying in 5ms",
	} {
		var written bytes.Buffer
		if n, err := (redactingLog{slog.New(slog.NewTextHandler(&written, nil))}).Write([]byte(line)); err != nil || n != len(line) {
			t.Errorf("%q: wrote %d (%v)", line, n, err)
		}
		if !strings.Contains(written.String(), `msg="`+want+`"`) {
			t.Errorf("%q is logged as %s", line, &written)
		}
	}
}
