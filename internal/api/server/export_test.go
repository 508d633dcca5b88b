package server

import "verbatim/internal/domain/org"

// Recall has the server remember that a key was valid lately.
func (s *Server) CacheCaller(key string, caller org.Caller) { s.callers.Add(org.HashKey(key), caller) }
