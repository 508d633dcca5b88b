// Command startup measures what a server costs before anyone uses it: the time from its start on an empty folder, and on the same folder
// again, to its first answer, and its resident memory when idle. It prints figures and checks none.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

func main() {
	binary := flag.String("binary", "bin/verbatim", "the program to measure")
	runs := flag.Int("runs", 7, "how many times to start it; the median is printed")
	idle := flag.Duration("idle", 3*time.Second, "how long to leave it alone before its memory is read")
	flag.Parse()
	if err := measure(*binary, *runs, *idle); err != nil {
		log.Fatal(err)
	}
}

func measure(binary string, runs int, idle time.Duration) error {
	info, err := os.Stat(binary)
	if err != nil {
		return err
	}
	var empty, again []time.Duration
	for range runs {
		dir, err := os.MkdirTemp("", "verbatim-startup-")
		if err != nil {
			return err
		}
		first, err := runOnce(binary, dir, 0, nil)
		if err != nil {
			return err
		}
		second, err := runOnce(binary, dir, 0, nil)
		if err != nil {
			return err
		}
		empty, again = append(empty, first), append(again, second)
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	dir, err := os.MkdirTemp("", "verbatim-startup-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var resident string
	if _, err := runOnce(binary, dir, idle, &resident); err != nil {
		return err
	}
	fmt.Printf("start on an empty folder to first answer  %6.0f ms  (median of %d)\n", milliseconds(empty), runs)
	fmt.Printf("start on that folder again                %6.0f ms\n", milliseconds(again))
	fmt.Printf("resident memory, idle for %-5v          %9s\n", idle, resident)
	fmt.Printf("size of the binary                        %6.1f MB\n", float64(info.Size())/1e6)
	return nil
}

func milliseconds(all []time.Duration) float64 {
	slices.Sort(all)
	return all[len(all)/2].Seconds() * 1000
}

// runOnce starts the program, waits for its first answer, leaves it idle, reads its memory, and ends it.
func runOnce(binary, dir string, idle time.Duration, resident *string) (took time.Duration, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		return 0, err
	}
	begun := time.Now()
	process := exec.Command(binary, "serve", "--listen", address, "--data", dir)
	if err := process.Start(); err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, process.Process.Kill(), ignoreExit(process.Wait())) }()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if err := answers(ctx, "http://"+address+"/readyz"); err != nil {
		return 0, err
	}
	took = time.Since(begun)
	if resident == nil {
		return took, nil
	}
	time.Sleep(idle) // idleness is what is measured
	*resident, err = residentMemory(process.Process.Pid)
	return took, err
}

// ignoreExit ignores how a killed process ended.
func ignoreExit(err error) error {
	if _, ended := errors.AsType[*exec.ExitError](err); ended {
		return nil
	}
	return err
}

func answers(ctx context.Context, url string) error {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		if answer, err := http.DefaultClient.Do(request); err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("no answer from %s: %w", url, ctx.Err())
		case <-tick.C:
		}
	}
}

// residentMemory reads VmRSS, if the system has it.
func residentMemory(pid int) (string, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if errors.Is(err, os.ErrNotExist) {
		return "unknown", nil
	}
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(status)) {
		if rest, found := strings.CutPrefix(line, "VmRSS:"); found {
			var kib int
			if _, err := fmt.Sscan(rest, &kib); err != nil {
				return "", err
			}
			return fmt.Sprintf("%.1f MB", float64(kib)*1024/1e6), nil
		}
	}
	return "unknown", nil
}
