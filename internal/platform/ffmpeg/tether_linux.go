package ffmpeg

import (
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

// tether has a program, and what it starts, end with its context; and the program itself when this process dies, which the
// system tells it for the thread that started it. loose is to be called when the program has ended.
func tether(cmd *exec.Cmd) (loose func()) {
	runtime.LockOSThread()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error {
		if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); err != syscall.ESRCH {
			return err
		}
		return os.ErrProcessDone
	}
	return runtime.UnlockOSThread
}
