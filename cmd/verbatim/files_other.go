//go:build !linux && !darwin

package main

import "errors"

// openFiles is not asked for on this system.
func openFiles() (int, error) { return 0, errors.ErrUnsupported }
