//go:build !linux && !darwin

package main

import "errors"

// diskSpace is not supported on this system.
func diskSpace(string) (free, size uint64, err error) { return 0, 0, errors.ErrUnsupported }
