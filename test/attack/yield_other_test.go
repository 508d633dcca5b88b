//go:build !linux

package attack

import (
	"errors"
	"os/exec"
)

func yieldToServer() (status int, err error) {
	return 0, errors.New("only Linux is known to lower them")
}

func lowerSession() {}

func atOnce(binary string, args ...string) *exec.Cmd { return exec.Command(binary, args...) }
