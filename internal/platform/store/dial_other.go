//go:build !linux

package store

import "syscall"

// setUserTimeout leaves other systems to their own timeouts.
func setUserTimeout(string, string, syscall.RawConn) error { return nil }
