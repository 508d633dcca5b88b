package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"
)

// process is a running server.
type process struct {
	address string
	metrics string // address of its metrics; empty: none
	command *exec.Cmd
}

// start runs a command with a free address as its last argument, and waits until the path answers 200.
func start(ctx context.Context, command *exec.Cmd, path string) (*process, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	p := &process{address: address, command: command}
	command.Args = append(command.Args, p.address)
	if err := command.Start(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		if answer, err := http.Get("http://" + p.address + path); err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return p, nil
			}
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(fmt.Errorf("%s does not answer: %w", command.Path, ctx.Err()), p.stop())
		case <-tick.C:
		}
	}
}

// freeAddress returns an address on which nothing listens.
func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

// stop ends the process and waits for it.
func (p *process) stop() error {
	err := p.command.Process.Signal(os.Interrupt)
	wait := p.command.Wait()
	if _, ended := errors.AsType[*exec.ExitError](wait); ended {
		wait = nil
	}
	return errors.Join(err, wait)
}

// cpu returns the processor time that the process has used.
func (p *process) cpu() (time.Duration, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.command.Process.Pid))
	if err != nil {
		return 0, err
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(after)
	const utime, stime = 11, 12 // fields after the name; in hundredths of a second
	var user, system int64
	if _, err := fmt.Sscan(fields[utime]+" "+fields[stime], &user, &system); err != nil {
		return 0, err
	}
	return time.Duration(user+system) * 10 * time.Millisecond, nil
}

// peakMemory returns the largest resident memory so far, in bytes.
func (p *process) peakMemory() (int64, error) { return p.memory("VmHWM:") }

// residentMemory returns the resident memory now, in bytes.
func (p *process) residentMemory() (int64, error) { return p.memory("VmRSS:") }

func (p *process) memory(name string) (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.command.Process.Pid))
	if err != nil {
		return 0, err
	}
	_, after, found := strings.Cut(string(status), name)
	if !found {
		return 0, fmt.Errorf("the system does not report %s", name)
	}
	var kib int64
	_, err = fmt.Sscan(after, &kib)
	return kib << 10, err
}
