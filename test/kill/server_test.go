package kill

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// program is the server under test: its binary, its folder, and the process that runs now.
type program struct {
	t       *testing.T
	binary  string
	dir     string
	address string
	process *exec.Cmd
	log     *os.File
	client  *http.Client
}

func newProgram(t *testing.T) *program {
	t.Helper()
	dir := t.TempDir()
	p := &program{t: t, binary: filepath.Join(dir, "verbatim"), dir: filepath.Join(dir, "data"), client: &http.Client{Timeout: 20 * time.Second}}
	build := exec.CommandContext(t.Context(), "go", "build", "-o", p.binary, "verbatim/cmd/verbatim")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building: %v\n%s", err, out)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p.address = listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	if p.log, err = os.Create(filepath.Join(dir, "server.log")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if p.process != nil {
			p.kill()
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
	cmd := exec.CommandContext(p.t.Context(), p.binary, append(args, "--data", p.dir, "--json")...)
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

// start runs the server and waits until it is ready; it returns how long that took.
func (p *program) start() time.Duration {
	p.t.Helper()
	begun := time.Now()
	p.process = exec.Command(p.binary, "serve", "--listen", p.address, "--data", p.dir, "--rate-limit", "0")
	p.process.Stdout, p.process.Stderr = p.log, p.log
	if err := p.process.Start(); err != nil {
		p.t.Fatal(err)
	}
	ticker := time.NewTicker(2 * time.Millisecond)
	defer ticker.Stop()
	for range ticker.C {
		if time.Since(begun) > 30*time.Second {
			p.t.Fatal("the server did not become ready")
		}
		answer, err := p.client.Get(p.url("/readyz"))
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

// kill ends the process as kill -9 does.
func (p *program) kill() {
	_ = p.process.Process.Kill()
	_ = p.process.Wait() // it says that it was killed
	p.process = nil
}

func (p *program) url(path string) string { return "http://" + p.address + path }

// reply is an answer that arrived whole.
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

// send makes one request. The error is the network's: the request may or may not have taken effect.
func (p *program) send(ctx context.Context, method, path, key string, body any, header ...string) (reply, error) {
	var payload io.Reader
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return reply{}, err
		}
		payload = bytes.NewReader(encoded)
	}
	request, err := http.NewRequestWithContext(ctx, method, p.url(path), payload)
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

// insist repeats a request until an answer arrives whole, as a careful client does while a server is down.
func (p *program) insist(ctx context.Context, method, path, key string, body any, header ...string) (reply, error) {
	pause := time.NewTicker(10 * time.Millisecond)
	defer pause.Stop()
	for {
		r, err := p.send(ctx, method, path, key, body, header...)
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
