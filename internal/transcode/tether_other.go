//go:build !linux

package transcode

import "os/exec"

// tether leaves a program to its context.
func tether(*exec.Cmd) (loose func()) { return func() {} }
