package ffmpeg

import (
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

// tether makes a program, and the processes that it starts, end with its context, and the program itself end when this
// process dies. The system bases the latter on the thread that started the program. Call release when the program has ended.
func tether(cmd *exec.Cmd) (release func()) {
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
