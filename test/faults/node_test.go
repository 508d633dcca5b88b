package faults

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/test/testserver"
)

// system is the service: nodes over one database and one store of objects.
type system struct {
	t        *testing.T
	binary   string
	database string       // as the nodes know it
	blobs    string       // as the nodes know it
	nodes    []*node      //
	store    *store.Store // reaches the database without faults in between
}

// node is one server of the service.
type node struct {
	system  *system
	name    string
	address string
	binary  string // replaces the system's
	dir     string
	process *exec.Cmd
	ended   chan struct{} // closed when the process has ended
	log     *os.File
}

// readyWithin is how long a node may take to become ready on a busy machine.
const readyWithin = time.Minute

// newNodes adds nodes to a system until the test ends. They do not run yet.
func (s *system) newNodes(t *testing.T, n int) {
	for range n {
		dir := t.TempDir()
		log, err := os.Create(filepath.Join(dir, "log"))
		if err != nil {
			t.Fatal(err)
		}
		one := &node{system: s, name: fmt.Sprint("node ", len(s.nodes)+1), address: testserver.FreeAddress(t), dir: filepath.Join(dir, "data"), log: log}
		s.nodes = append(s.nodes, one)
		t.Cleanup(func() {
			one.kill()
			if t.Failed() {
				t.Logf("last words of %s:\n%s", one.name, one.words())
			}
			log.Close()
		})
	}
}

// start runs a node and waits until it is ready.
func (n *node) start(ctx context.Context) error {
	if err := n.run(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, readyWithin)
	defer cancel()
	return n.waitReady(ctx)
}

// run starts a node's process.
func (n *node) run() error {
	binary := n.binary
	if binary == "" {
		binary = n.system.binary
	}
	// One base address for all, so that their answers contain the same links.
	n.process = exec.Command(binary, "serve", "--listen", n.address, "--data", n.dir, "--database", n.system.database, "--blobs", n.system.blobs,
		"--base-url", "http://interviews.example.com", "--rate-limit", "0", "--trusted-proxies", "127.0.0.1/32")
	n.process.Stdout, n.process.Stderr = n.log, n.log
	if err := os.MkdirAll(n.dir, 0o700); err != nil {
		return err
	}
	if err := n.process.Start(); err != nil {
		return err
	}
	ended, process := make(chan struct{}), n.process
	n.ended = ended
	go func() {
		_ = process.Wait() // only its end counts
		close(ended)
	}()
	return nil
}

// waitReady waits until a node reports that it is ready.
func (n *node) waitReady(ctx context.Context) error {
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for {
		if n.ready(ctx) == http.StatusOK {
			return nil
		}
		select {
		case <-look.C:
		case <-n.ended:
			return fmt.Errorf("%s ended at its start: %s", n.name, n.words())
		case <-ctx.Done():
			return fmt.Errorf("%s does not become ready", n.name)
		}
	}
}

// ready returns the status of /readyz, or 0 without an answer within five seconds.
func (n *node) ready(ctx context.Context) int {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	r, err := send(ctx, probe, n.address, http.MethodGet, "/readyz", nil)
	if err != nil {
		return 0
	}
	return r.status
}

var probe = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}

func (n *node) alive() bool {
	if n.process == nil {
		return false
	}
	select {
	case <-n.ended:
		return false
	default:
		return true
	}
}

// kill kills a node as kill -9 does.
func (n *node) kill() {
	if n.process == nil {
		return
	}
	_ = n.process.Process.Kill() // it may have ended
	<-n.ended
	n.process = nil
}

// leave stops a node gracefully.
func (n *node) leave() error {
	if err := n.process.Process.Signal(os.Interrupt); err != nil {
		return err
	}
	<-n.ended
	n.process = nil
	return nil
}

// freeze suspends a node's process until thaw.
func (n *node) freeze() error { return n.process.Process.Signal(syscall.SIGSTOP) }
func (n *node) thaw() error   { return n.process.Process.Signal(syscall.SIGCONT) }

// limitFiles limits the open files of a running node to those that it has and a few more. restore removes the limit.
func (n *node) limitFiles(more int) (restore func() error, err error) {
	open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", n.process.Process.Pid))
	if err != nil {
		return nil, err
	}
	limit := uint64(len(open) + more)
	var before unix.Rlimit
	pid := n.process.Process.Pid
	// The hard limit stays: only root may raise it again.
	if err := unix.Prlimit(pid, unix.RLIMIT_NOFILE, nil, &before); err != nil {
		return nil, err
	}
	if err := unix.Prlimit(pid, unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: limit, Max: before.Max}, nil); err != nil {
		return nil, err
	}
	return func() error {
		err := unix.Prlimit(pid, unix.RLIMIT_NOFILE, &before, nil)
		if errors.Is(err, unix.ESRCH) {
			return nil // it has ended
		}
		return err
	}, nil
}

// logged returns a node's log so far.
func (n *node) logged() []byte {
	out, _ := os.ReadFile(n.log.Name()) // the file exists
	return out
}

// said returns the lines that a node has logged so far, except for its lines about requests.
func (n *node) said() (lines []string) {
	for line := range strings.Lines(string(n.logged())) {
		if !strings.Contains(line, `"msg":"request"`) {
			lines = append(lines, line)
		}
	}
	return lines
}

// chatter counts the lines of said that do not belong to a request.
func (n *node) chatter() (lines int) {
	for _, line := range n.said() {
		if !strings.Contains(line, `"request_id":`) {
			lines++
		}
	}
	return lines
}

// words returns the last lines of said.
func (n *node) words() string {
	said := n.said()
	text := strings.TrimSpace(strings.Join(said[max(0, len(said)-4):], ""))
	return text[max(0, len(text)-1000):]
}

// start starts every node that does not run, and waits until all are ready.
func (s *system) start(t *testing.T) {
	t.Helper()
	for _, n := range s.nodes {
		if !n.alive() {
			if err := n.run(); err != nil {
				t.Fatal(err)
			}
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), readyWithin)
	defer cancel()
	for _, n := range s.nodes {
		if err := n.waitReady(ctx); err != nil {
			t.Fatal(err)
		}
	}
}

func (s *system) stop() {
	for _, n := range s.nodes {
		n.kill()
	}
}

func (s *system) addresses() (all []string) {
	for _, n := range s.nodes {
		all = append(all, n.address)
	}
	return all
}

// account is an organization with a key and a wallet.
type account struct{ orgID, key, walletID string }

const deposit = 1_000_000

func (s *system) account(t *testing.T) account {
	t.Helper()
	o := storetest.Org(t, s.store)
	return account{
		orgID: o.ID, key: storetest.Key(t, s.store, o.ID, storetest.User(t, s.store, o.ID, org.Admin).ID),
		walletID: storetest.Wallet(t, s.store, o.ID, deposit*wallet.Credit).ID,
	}
}

// open opens the suite's own connection to the database.
func (s *system) open(t *testing.T, database string) {
	t.Helper()
	opened, err := store.Open(t.Context(), database, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.store = opened
	t.Cleanup(func() {
		if err := opened.Close(); err != nil {
			t.Error(err)
		}
	})
}
