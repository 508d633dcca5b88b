//go:build linux || darwin

package main

import (
	"math"
	"syscall"
)

// maxOpenFiles returns how many files this process may have open.
func maxOpenFiles() (int, error) {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 0, err
	}
	return int(min(limit.Cur, math.MaxInt32)), nil
}
