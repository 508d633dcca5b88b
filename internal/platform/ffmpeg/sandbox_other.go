//go:build !linux

package ffmpeg

import (
	"fmt"
	"os"
	"syscall"
)

const sandboxFailed = 125

// Sandbox is not supported on this system.
func Sandbox([]string) int {
	fmt.Fprintln(os.Stderr, "there is no sandbox on this system")
	return sandboxFailed
}

func (s *sandbox) setNamespaces(*syscall.SysProcAttr) {}
