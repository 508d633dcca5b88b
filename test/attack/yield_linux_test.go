package attack

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

// lowest is the priority of the attackers, as the tool nice counts.
const lowest = "19"

// yieldToServer runs this process again with the lowest priority, and returns its exit status. Real attackers bring their own machines: their
// computing must not slow down the server and the innocent load, which share this machine.
//
// The attackers get a session of their own, and so do the server and the load. Linux shares the processors between sessions first, and
// compares the priorities of processes only within one: without this, a PostgreSQL server, which is another session, would wait for attackers
// of the lowest priority.
func yieldToServer() (status int, err error) {
	nice, err := exec.LookPath("nice")
	if err != nil {
		return 0, err
	}
	attackers := exec.Command(nice, append([]string{"-n", lowest, os.Args[0]}, os.Args[1:]...)...)
	attackers.Env = append(os.Environ(), yieldedVariable+"=1")
	attackers.Stdin, attackers.Stdout, attackers.Stderr = os.Stdin, os.Stdout, os.Stderr
	attackers.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT) // a terminal no longer reaches them
	if err := attackers.Start(); err != nil {
		return 0, err
	}
	go func() {
		for s := range interrupts {
			_ = attackers.Process.Signal(s)
		}
	}()
	err = attackers.Wait()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return max(1, exit.ExitCode()), nil
	}
	return 0, err
}

// lowerSession sets the lowest priority for the session of the attackers, too. Systems without priorities of sessions need none.
func lowerSession() { _ = os.WriteFile("/proc/self/autogroup", []byte(lowest), 0o600) }

// atOnce returns a command that has the usual priority although this process has the lowest. Where the system does not allow it to rise (it
// allows root), the command has the lowest, too.
func atOnce(binary string, args ...string) *exec.Cmd {
	nice, err := exec.LookPath("nice")
	if err != nil || os.Getenv(yieldedVariable) == "" {
		return exec.Command(binary, args...)
	}
	command := exec.Command(nice, append([]string{"-n", "-" + lowest, binary}, args...)...)
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
	return command
}
