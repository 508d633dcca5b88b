//go:build !linux

package transcode

import (
	"os/exec"
	"syscall"
)

// tether leaves a program to its context.
func tether(cmd *exec.Cmd) (loose func()) {
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	return func() {}
}
