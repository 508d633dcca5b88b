package nodes

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"verbatim/test/testserver"
)

// service is the program under test: its binary, and the data that its nodes share.
type service struct {
	t       *testing.T
	binary  string
	storage []string
	flags   []string // of every node
	client  *http.Client
	nodes   []*node
}

// node is one server, and the log of its latest process.
type node struct {
	binary  string
	address string
	process *exec.Cmd
	log     string
}

func newService(t *testing.T, database string, nodes int) *service {
	t.Helper()
	dir := t.TempDir()
	s := &service{
		t: t, binary: filepath.Join(dir, "verbatim"), client: &http.Client{Timeout: 10 * time.Second},
		storage: []string{"--data", filepath.Join(dir, "data"), "--database", database, "--blobs", "file:" + filepath.Join(dir, "blobs")},
	}
	if err := os.Mkdir(filepath.Join(dir, "data"), 0o700); err != nil {
		t.Fatal(err)
	}
	build(t, "", s.binary)
	for range nodes {
		s.nodes = append(s.nodes, &node{binary: s.binary, address: testserver.FreeAddress(t)})
	}
	t.Cleanup(func() {
		for _, n := range s.nodes {
			if n.process != nil {
				n.kill()
			}
			if said, err := os.ReadFile(n.log); err == nil && t.Failed() {
				t.Logf("the last words of %s:\n%s", n.address, said[max(0, len(said)-600):])
			}
		}
	})
	return s
}

// build builds the program of a source tree; empty: this one.
func build(t *testing.T, dir, binary string) {
	t.Helper()
	build := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "verbatim/cmd/verbatim")
	build.Dir = dir
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building: %v\n%s", err, out)
	}
}

// command runs an admin command and decodes its output.
func (s *service) command(out any, args ...string) {
	s.t.Helper()
	cmd := exec.CommandContext(s.t.Context(), s.binary, append(append(args, s.storage...), "--json")...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	printed, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(printed, out)
	}
	if err != nil {
		s.t.Fatalf("verbatim %v printed %s: %v\n%s", args, printed, err, stderr.Bytes())
	}
}

// start runs a node and waits until it is ready.
func (s *service) start(n *node) {
	s.t.Helper()
	log, err := os.CreateTemp(filepath.Dir(s.binary), "log-")
	if err != nil {
		s.t.Fatal(err)
	}
	defer log.Close()
	n.log = log.Name()
	n.process = exec.Command(n.binary, append([]string{"serve", "--listen", n.address, "--rate-limit", "0"}, append(s.flags, s.storage...)...)...)
	n.process.Stdout, n.process.Stderr = log, log
	if err := n.process.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.until("the node is ready", func() bool {
		answer, err := s.client.Get("http://" + n.address + "/readyz")
		if err != nil {
			return false
		}
		answer.Body.Close()
		return answer.StatusCode == http.StatusOK
	})
}

// until waits until come returns true, and fails if it takes too long.
func (s *service) until(what string, come func() bool) {
	s.t.Helper()
	poll, deadline := time.NewTicker(5*time.Millisecond), time.After(3*time.Minute)
	defer poll.Stop()
	for !come() {
		select {
		case <-poll.C:
		case <-deadline:
			s.t.Fatalf("not within three minutes: %s", what)
		}
	}
}

// kill kills the node's process as kill -9 does.
func (n *node) kill() {
	_ = n.process.Process.Kill()
	_ = n.process.Wait() // the error says that it was killed
	n.process = nil
}

// serves reports whether the node's latest process has accepted an answer of a participant.
func (n *node) serves() bool {
	said, err := os.ReadFile(n.log)
	return err == nil && strings.Contains(string(said), "POST /i/{token}/answers")
}

// addresses returns the addresses on which the nodes listen.
func (s *service) addresses() (all []string) {
	for _, n := range s.nodes {
		all = append(all, n.address)
	}
	return all
}
