package server

import (
	"net/http"
	"strings"

	"verbatim/internal/access"
	"verbatim/internal/org"
)

// failedKey is how many requests a missing or wrong key counts for in the limit of a network, so that guessing ends
// early.
const failedKey = 10

// challenge says in an answer 401 how to prove who calls (RFC 9110, 11.6.1). The scheme has no registered name: the key is
// the value of a header of its own.
const challenge = `ApiKey realm="Verbatim", header="x-api-key"`

// authenticate returns the caller of a request. What failed at the keys counts against the network that it came from; who
// uses a key that was valid here lately is let in whatever others of the network do.
func (s *Server) authenticate(r *http.Request) (org.Caller, error) {
	values := r.Header.Values("X-Api-Key")
	hash, network := hashOf(values), ofClass("key", access.ClientOf(r.Context()))
	proven := s.proven.Has(hash)
	if !proven {
		if q := s.Addresses.Take(failedKey, network...); !q.OK {
			return org.Caller{}, rateLimited(q)
		}
	}
	caller, err := s.Access.Authenticate(r.Context(), values)
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
		s.Addresses.Take(failedKey, network...)
	case !failed && !proven:
		s.Addresses.Give(failedKey, network...)
	}
	if err == nil {
		s.proven.Add(hash)
	}
	return caller, err
}

// hashOf names what was sent as a key. It is empty for what is longer than any key.
func hashOf(values []string) string {
	const longest = 200
	if sent := strings.Join(values, ","); len(sent) <= longest {
		return org.HashKey(sent)
	}
	return ""
}
