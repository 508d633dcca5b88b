package kill

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"verbatim/test/testserver"
)

// program is the service under test: its binary, its data, and the nodes that serve it.
type program struct {
	t        *testing.T
	binary   string
	dir      string
	database string
	blobs    string
	nodes    []*node
	turn     atomic.Uint64 // which node gets the next request
	log      *os.File
	client   *http.Client
}

// node is one server of the service.
type node struct {
	address string
	process *exec.Cmd
}

// newProgram builds the program, to be served by so many nodes over one database and one store of objects; empty: a file and a folder of
// the test's own.
func newProgram(t *testing.T, nodes int, database, blobs string) *program {
	t.Helper()
	dir := t.TempDir()
	p := &program{t: t, binary: testserver.Build(t), dir: filepath.Join(dir, "data"), database: database, blobs: blobs, client: &http.Client{Timeout: 20 * time.Second}}
	if database == "" {
		p.database = "sqlite:" + filepath.Join(p.dir, "verbatim.db")
	}
	if blobs == "" {
		p.blobs = "file:" + filepath.Join(p.dir, "blobs")
	}
	if err := os.Mkdir(p.dir, 0o700); err != nil { // empty: commands may begin in it
		t.Fatal(err)
	}
	for range nodes {
		p.nodes = append(p.nodes, &node{address: testserver.FreeAddress(t)})
	}
	var err error
	if p.log, err = os.Create(filepath.Join(dir, "server.log")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, n := range p.nodes {
			if n.process != nil {
				n.kill()
			}
		}
		if t.Failed() {
			if out, err := os.ReadFile(p.log.Name()); err == nil {
				t.Logf("the server's last words:\n%s", tail(out, 4000))
			}
		}
		p.log.Close()
	})
	return p
}

func tail(b []byte, n int) []byte { return b[max(0, len(b)-n):] }

// command runs an admin command beside the server and decodes what --json prints.
func (p *program) command(out any, args ...string) {
	p.t.Helper()
	cmd := exec.CommandContext(p.t.Context(), p.binary, append(args, "--data", p.dir, "--database", p.database, "--blobs", p.blobs, "--json")...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	printed, err := cmd.Output()
	if err != nil {
		p.t.Fatalf("verbatim %v: %v\n%s", args, err, stderr.Bytes())
	}
	if out == nil {
		return
	}
	if err := json.Unmarshal(printed, out); err != nil {
		p.t.Fatalf("verbatim %v printed %s: %v", args, printed, err)
	}
}

// start starts a node, waits until it is ready, and returns how long that took.
func (p *program) start(n *node) time.Duration {
	p.t.Helper()
	begun := time.Now()
	n.process = exec.Command(p.binary, "serve", "--listen", n.address, "--data", p.dir, "--database", p.database, "--blobs", p.blobs, "--rate-limit", "0")
	n.process.Stdout, n.process.Stderr = p.log, p.log
	if err := n.process.Start(); err != nil {
		p.t.Fatal(err)
	}
	ticker := time.NewTicker(2 * time.Millisecond)
	defer ticker.Stop()
	for range ticker.C {
		if time.Since(begun) > 30*time.Second {
			p.t.Fatal("the server did not become ready")
		}
		answer, err := p.client.Get("http://" + n.address + "/readyz")
		if err != nil {
			continue
		}
		answer.Body.Close()
		if answer.StatusCode == http.StatusOK {
			break
		}
	}
	return time.Since(begun)
}

// kill kills the node's process as kill -9 does.
func (n *node) kill() {
	_ = n.process.Process.Kill()
	_ = n.process.Wait() // the error says that it was killed
	n.process = nil
}

// next returns the next node in turn: any node serves any request.
func (p *program) next() *node { return p.nodes[p.turn.Add(1)%uint64(len(p.nodes))] }

// reply is an answer that arrived complete.
type reply struct {
	status int
	body   []byte
}

func (r reply) decode(v any) error {
	if err := json.Unmarshal(r.body, v); err != nil {
		return fmt.Errorf("%d %s: %w", r.status, r.body, err)
	}
	return nil
}

// send makes one request to the next node.
func (p *program) send(ctx context.Context, method, path, key string, body any, header ...string) (reply, error) {
	return p.sendTo(ctx, p.next(), method, path, key, body, header...)
}

// sendTo makes one request to a node. An error is the network's: the request may or may not have taken effect.
func (p *program) sendTo(ctx context.Context, n *node, method, path, key string, body any, header ...string) (reply, error) {
	var payload io.Reader
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return reply{}, err
		}
		payload = bytes.NewReader(encoded)
	}
	request, err := http.NewRequestWithContext(ctx, method, "http://"+n.address+path, payload)
	if err != nil {
		return reply{}, err
	}
	request.Header.Set("Accept", "application/json")
	if key != "" {
		request.Header.Set("x-api-key", key)
	}
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	answer, err := p.client.Do(request)
	if err != nil {
		return reply{}, err
	}
	defer answer.Body.Close()
	read, err := io.ReadAll(answer.Body)
	return reply{answer.StatusCode, read}, err
}

// insist repeats a request until an answer arrives complete, as a careful client does while a server is down. The end of ctx cuts off only
// the wait between requests: nobody would know whether a cut-off request took effect.
func (p *program) insist(ctx context.Context, method, path, key string, body any, header ...string) (reply, error) {
	pause := time.NewTicker(10 * time.Millisecond)
	defer pause.Stop()
	for {
		r, err := p.send(context.WithoutCancel(ctx), method, path, key, body, header...)
		if err == nil {
			return r, nil
		}
		select {
		case <-ctx.Done():
			return reply{}, ctx.Err()
		case <-pause.C:
		}
	}
}
