package server

import "verbatim/internal/domain/org"

// CacheCaller makes the server remember that a key was valid recently.
func (s *Server) CacheCaller(key string, caller org.Caller) { s.callers.Add(org.HashKey(key), caller) }
