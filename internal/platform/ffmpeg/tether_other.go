//go:build !linux

package ffmpeg

import (
	"os/exec"
	"syscall"
)

// tether leaves a program to its context.
func tether(cmd *exec.Cmd) (loose func()) {
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	return func() {}
}
