package fakehttp

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
)

// Script has the behaviours of a fake service, one for each request in their order; the last of them is repeated. It also keeps the
// requests that were received.
type Script[Behaviour, Request any] struct {
	mu         sync.Mutex
	behaviours []Behaviour
	asked      []Request
}

// NewScript returns a script of at least one behaviour.
func NewScript[Behaviour, Request any](behaviours []Behaviour) *Script[Behaviour, Request] {
	return &Script[Behaviour, Request]{behaviours: behaviours}
}

// Then replaces the script.
func (s *Script[Behaviour, Request]) Then(behaviours ...Behaviour) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.behaviours = behaviours
}

// Asked returns the requests received so far.
func (s *Script[Behaviour, Request]) Asked() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// Next keeps a request, and returns the behaviour that answers it.
func (s *Script[Behaviour, Request]) Next(r Request) Behaviour {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, r)
	next := s.behaviours[0]
	if len(s.behaviours) > 1 {
		s.behaviours = s.behaviours[1:]
	}
	return next
}

// Serve starts a server and returns its URL, with the /v1 that services of models and of speech have.
func Serve(t testing.TB, handler http.Handler) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL + "/v1"
}
