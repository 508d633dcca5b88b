//go:build !linux && !darwin

package main

import "errors"

// maxOpenFiles is not supported on this system.
func maxOpenFiles() (int, error) { return 0, errors.ErrUnsupported }
