package attack

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"verbatim/internal/platform/store/storetest"
	"verbatim/test/testserver"
)

// server is the program under attack and its data.
type server struct {
	binary   string
	dir      string // of its data
	database string
	address  string
	flags    []string
	log      *os.File
	process  *exec.Cmd
	ended    chan struct{} // closed when the process has ended
	peak     atomic.Int64  // of the run
}

// unwatched excludes the database engine, C translated into Go, from the race detector, as the Makefile does.
var unwatched = []string{"-gcflags=modernc.org/sqlite/...=-race=false", "-gcflags=modernc.org/libc/...=-race=false", "-gcflags=modernc.org/memory/...=-race=false"}

func newServer(t *testing.T, flags ...string) *server {
	t.Helper()
	dir := t.TempDir()
	s := &server{binary: *binary, dir: filepath.Join(dir, "data"), flags: flags}
	if err := os.Mkdir(s.dir, 0o700); err != nil { // empty: commands may begin in it
		t.Fatal(err)
	}
	if s.binary == "" {
		if raced {
			s.binary = testserver.BuildWith(t, []string{"CGO_ENABLED=1"}, append([]string{"-race"}, unwatched...)...)
		} else {
			s.binary = testserver.Build(t)
		}
	} else if !filepath.IsAbs(s.binary) { // relative to go.mod, as in the Makefile
		s.binary = filepath.Join("..", "..", s.binary)
	}
	s.database = "sqlite:" + filepath.Join(s.dir, "verbatim.db")
	if storetest.OnPostgres() {
		s.database = storetest.Address(t)
	}
	var err error
	if s.log, err = os.Create(filepath.Join(dir, "server.log")); err != nil {
		t.Fatal(err)
	}
	s.address = testserver.FreeAddress(t)
	if deadline, set := t.Deadline(); set { // a test that runs out of time does not run its cleanups
		end := time.AfterFunc(time.Until(deadline)-10*time.Second, s.kill)
		t.Cleanup(func() { end.Stop() })
	}
	t.Cleanup(func() {
		s.kill()
		if err := s.log.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// command runs an admin command beside the server and decodes what --json prints.
func (s *server) command(t *testing.T, out any, args ...string) {
	t.Helper()
	printed := s.printed(t, append(args, "--json")...)
	if out == nil {
		return
	}
	if err := json.Unmarshal(printed, out); err != nil {
		t.Fatalf("verbatim %v printed %s: %v", args, printed, err)
	}
}

// printed runs an admin command and returns its output, for people unless --json is among the arguments.
func (s *server) printed(t *testing.T, args ...string) []byte {
	t.Helper()
	printed, err := s.try(t, args...)
	if err != nil {
		t.Fatalf("verbatim %v: %v", args, err)
	}
	return printed
}

func (s *server) try(t *testing.T, args ...string) ([]byte, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), s.binary, append(args, "--data", s.dir, "--database", s.database)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	printed, err := cmd.Output()
	if err != nil {
		return append(printed, stderr.Bytes()...), fmt.Errorf("%w: %s", err, stderr.Bytes())
	}
	return printed, nil
}

// start runs the server and waits until it is ready.
func (s *server) start(t *testing.T) {
	t.Helper()
	args := append([]string{"serve", "--listen", s.address, "--data", s.dir, "--database", s.database}, s.flags...)
	s.process = atOnce(s.binary, args...)
	s.process.Env = append(os.Environ(), "GORACE=halt_on_error=0")
	s.process.Stdout, s.process.Stderr = s.log, s.log
	if err := s.process.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	s.ended = ended
	process := s.process
	go func() {
		_ = process.Wait() // only its end counts
		close(ended)
	}()
	deadline := time.Now().Add(time.Minute)
	for ticker := time.NewTicker(5 * time.Millisecond); ; <-ticker.C {
		if answer, err := http.Get("http://" + s.address + "/readyz"); err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				ticker.Stop()
				return
			}
		}
		if time.Now().After(deadline) || !s.alive() {
			out, _ := os.ReadFile(s.log.Name())
			t.Fatalf("the server does not become ready:\n%s", out[max(0, len(out)-4000):])
		}
	}
}

func (s *server) alive() bool {
	select {
	case <-s.ended:
		return false
	default:
		return true
	}
}

// kill kills the server and the programs that it started.
func (s *server) kill() {
	if s.process == nil {
		return
	}
	children := s.children()
	_ = s.process.Process.Kill() // it may have ended
	for _, pid := range children {
		if process, err := os.FindProcess(pid); err == nil {
			_ = process.Kill()
		}
	}
	<-s.ended
}

// logged returns the server's log so far.
func (s *server) logged(t *testing.T) []byte {
	t.Helper()
	out, err := os.ReadFile(s.log.Name())
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// usage is the server's consumption so far.
type usage struct {
	cpu     time.Duration // its children's included
	disk    int64         // bytes in the data folder
	written int64         // bytes that the system wrote to a disk for it
}

func (s *server) measure() (u usage) {
	pid := strconv.Itoa(s.process.Process.Pid)
	if stat, err := os.ReadFile("/proc/" + pid + "/stat"); err == nil {
		_, after, _ := strings.Cut(string(stat), ") ")
		fields := strings.Fields(after)
		for _, field := range fields[11:15] { // utime, stime, cutime, cstime, in hundredths of a second
			ticks, _ := strconv.ParseInt(field, 10, 64)
			u.cpu += time.Duration(ticks) * 10 * time.Millisecond
		}
	}
	if io, err := os.ReadFile("/proc/" + pid + "/io"); err == nil {
		_, after, _ := strings.Cut(string(io), "\nwrite_bytes: ")
		number, _, _ := strings.Cut(after, "\n")
		u.written, _ = strconv.ParseInt(number, 10, 64)
	}
	u.disk = size(s.dir)
	return u
}

// size returns the total size of the files below a folder.
func size(dir string) (bytes int64) {
	_ = filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error { // files may disappear meanwhile; they have no size
		if err != nil || entry.IsDir() {
			return nil
		}
		if info, err := entry.Info(); err == nil {
			bytes += info.Size()
		}
		return nil
	})
	return bytes
}

// memory returns a line of the process's status, in bytes.
func (s *server) memory(line string) (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.process.Process.Pid))
	if err != nil {
		return 0, err
	}
	_, after, found := strings.Cut(string(status), line)
	if !found {
		return 0, errors.New("no line " + line)
	}
	var kib int64
	_, err = fmt.Sscan(after, &kib)
	return kib << 10, err
}

// highest returns the server's peak memory of the run.
func (s *server) highest() int64 { return s.peak.Load() }

// watcher samples the server's memory, and kills a server that takes too much.
type watcher struct {
	server *server
	max    int64
	blew   bool
	done   chan struct{}
	ended  sync.WaitGroup
}

func (s *server) watch() *watcher {
	w := &watcher{server: s, done: make(chan struct{})}
	// This resets the system's own high-water mark, which sees peaks between two samples.
	_ = os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", s.process.Process.Pid), []byte("5"), 0)
	first, _ := s.memory("VmHWM:")
	now, _ := s.memory("VmRSS:")
	reset := first < now+now/10+mib // it was reset
	w.ended.Go(func() {
		ticker := time.NewTicker(10 * time.Millisecond)
		defer ticker.Stop()
		for {
			line := "VmRSS:"
			if reset {
				line = "VmHWM:"
			}
			if held, err := s.memory(line); err == nil {
				w.max = max(w.max, held)
				if !raced && held > fuse && !w.blew {
					w.blew = true
					_ = s.process.Process.Kill()
				}
			}
			select {
			case <-w.done:
				return
			case <-ticker.C:
			}
		}
	})
	return w
}

// stop ends the sampling and returns the peak.
func (w *watcher) stop() int64 {
	close(w.done)
	w.ended.Wait()
	if w.blew {
		<-w.server.ended
	}
	w.server.peak.Store(max(w.server.peak.Load(), w.max))
	return w.max
}

func (w *watcher) blown() bool { return w.blew }

// lookForRaces fails if the server's race detector reported something.
func (w *world) lookForRaces(t *testing.T) {
	out := string(w.server.logged(t))
	if at := strings.Index(out, "DATA RACE"); at >= 0 {
		t.Errorf("the server races:\n%s", out[max(0, at-100):min(len(out), at+4000)])
	}
}

// holds reports whether the server still has its end of one of our connections open, by the system's table of connections.
func (s *server) holds(c net.Conn) bool {
	const established = "01"
	table, err := os.ReadFile("/proc/net/tcp")
	if err != nil {
		return true
	}
	port := func(a net.Addr) string { return fmt.Sprintf(":%04X", a.(*net.TCPAddr).Port) }
	for line := range strings.Lines(string(table)) {
		words := strings.Fields(line) // number, the server's address, ours, state
		if len(words) > 3 && strings.HasSuffix(words[1], port(c.RemoteAddr())) && strings.HasSuffix(words[2], port(c.LocalAddr())) {
			return words[3] == established
		}
	}
	return false
}
