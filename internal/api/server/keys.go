package server

import (
	"io"
	"net/http"
	"regexp"
	"strings"

	"verbatim/internal/domain/org"
	"verbatim/internal/service/access"
)

// failedKeyCost is the number of requests that a missing or wrong key counts as in the limit of a network, so that guessing is
// stopped early.
const failedKeyCost = 10

// challenge is the WWW-Authenticate header of a 401 answer (RFC 9110, 11.6.1). The scheme has no registered name: the key is
// the value of a header of its own.
const challenge = `ApiKey realm="Verbatim", header="x-api-key"`

// lateRoutes matches the paths whose handlers check the key in the statement that reads: see access.WithProof.
var lateRoutes = regexp.MustCompile(`^/api/public/v1/responses(/[^/]+){0,2}$`)

// askRoutes matches the operations that only read although they are sent with POST: read-only keys may call them.
var askRoutes = regexp.MustCompile(`^/api/public/v1/(studies/[^/]+/)?ask$`)

// checkScope returns access.ErrReadOnly where the caller's key may not send the request.
func checkScope(caller org.Caller, r *http.Request) error {
	if r.Method == http.MethodPost && askRoutes.MatchString(r.URL.Path) {
		return nil
	}
	return access.CheckMethod(caller, r.Method)
}

// cachedCaller returns the caller of a request whose key was valid recently, where the handler checks the key in the
// statement that reads. A request without exactly one such key is authenticated first.
func (s *Server) cachedCaller(r *http.Request) (org.Caller, bool) {
	values := r.Header.Values("X-Api-Key")
	if len(values) != 1 || r.Method != http.MethodGet || !lateRoutes.MatchString(r.URL.Path) {
		return org.Caller{}, false
	}
	caller, known := s.callers.Find(hashOf(values))
	if known {
		s.Access.Used(caller.KeyID)
	}
	return caller, known
}

// authenticate returns the caller of a request. Failures count against the network that the request comes from. A key that
// was valid here recently is accepted, whatever others of its network do.
func (s *Server) authenticate(r *http.Request) (org.Caller, error) {
	values := r.Header.Values("X-Api-Key")
	hash, network := hashOf(values), ofClass("key", access.ClientOf(r.Context()))
	proven := s.proven.Has(hash)
	if !proven {
		if q := s.Addresses.Take(1, network...); !q.OK {
			return org.Caller{}, rateLimited(q)
		}
	}
	caller, err := s.Access.Authenticate(r.Context(), values)
	if err == nil {
		s.callers.Add(hash, caller)
	} else {
		s.callers.Remove(hash)
	}
	failed := false
	if err != nil {
		answer, _ := accessErrors.Translate(err)
		if failed = answer.Status == http.StatusUnauthorized; failed {
			answer.Header = http.Header{"Www-Authenticate": {challenge}}
			err = answer
		}
	}
	switch {
	case failed && proven:
		s.proven.Remove(hash)
		s.Addresses.Charge(failedKeyCost, network...)
	case failed:
		s.Addresses.Charge(failedKeyCost-1, network...)
	case !proven:
		s.Addresses.Refund(1, network...)
	}
	if err == nil {
		s.proven.Add(hash)
	}
	return caller, err
}

// hashOf returns the hash of what was sent as a key, or "" where it is longer than any key.
func hashOf(values []string) string {
	const maxBytes = 200
	if sent := strings.Join(values, ","); len(sent) <= maxBytes {
		return org.HashKey(sent)
	}
	return ""
}

// bytesPerRequest is the size of a body that counts as one more request of its key, whatever the answer: bodies are parsed
// and stored, so a key must not send large ones as often as small ones.
const bytesPerRequest = 64 << 10

// countedBody counts the bytes that are read from a body.
type countedBody struct {
	io.ReadCloser
	bytes int64
}

// Read implements io.Reader.
func (c *countedBody) Read(b []byte) (int, error) {
	n, err := c.ReadCloser.Read(b)
	c.bytes += int64(n)
	return n, err
}
