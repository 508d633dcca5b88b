//go:build !linux

package ffmpeg

import (
	"os/exec"
	"syscall"
)

// tether leaves it to the context to end the program.
func tether(cmd *exec.Cmd) (release func()) {
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	return func() {}
}
