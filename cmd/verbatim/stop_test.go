package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"verbatim/internal/platform/ffmpeg"
	"verbatim/internal/platform/store/storetest"
)

// asProgram makes the test binary run as the program itself, so that a test can signal a real process.
const asProgram = "VERBATIM_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" || len(os.Args) > 1 && os.Args[1] == ffmpeg.SandboxCommand { // a server starts it with another environment
		main()
	}
	os.Exit(m.Run())
}

// process is a server that runs in its own process.
type process struct {
	*exec.Cmd
	url     string
	metrics string
	ended   chan struct{}

	mu  sync.Mutex
	log bytes.Buffer
}

// startServer starts a server process and waits until it logs its address.
func startServer(t *testing.T, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.CommandContext(t.Context(), os.Args[0], append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...), ended: make(chan struct{})}
	p.Env = append(os.Environ(), asProgram+"=1")
	stderr, err := p.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	serving := make(chan struct{})
	go func() {
		defer close(p.ended)
		lines := bufio.NewScanner(stderr)
		for lines.Scan() {
			p.mu.Lock()
			p.log.Write(append(lines.Bytes(), '\n'))
			p.mu.Unlock()
			var line struct{ Msg, Address string }
			_ = json.Unmarshal(lines.Bytes(), &line) // the test checks lines that are not JSON
			switch line.Msg {
			case "serving":
				p.url = "http://" + line.Address
				if !strings.Contains(strings.Join(args, " "), "--metrics-listen") {
					close(serving)
				}
			case "serving metrics":
				p.metrics = "http://" + line.Address + "/metrics"
				close(serving)
			}
		}
	}()
	select {
	case <-serving:
	case <-p.ended:
		t.Fatalf("it ended: %s", p.logged())
	}
	return p
}

func (p *process) logged() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.String()
}

func get(t *testing.T, address string, headers ...string) (status int, body string) {
	t.Helper()
	return request(t, http.MethodGet, address, "", headers...)
}

// request sends a request and returns the status and the body of the answer.
func request(t *testing.T, method, address, content string, headers ...string) (status int, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	read, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(read)
}

// TestStopOnSignal stops a real process during a request. The process must report that it is not ready, accept requests while it drains,
// answer the accepted ones, and exit with 0.
func TestStopOnSignal(t *testing.T) {
	t.Parallel()
	storetest.OnceOnSQLite(t, ownFolder)
	p := startServer(t, "--data", t.TempDir(), "--drain", "1s", "--rate-limit", "0", "--metrics-listen", "127.0.0.1:0")
	if status, _ := get(t, p.url+"/readyz"); status != http.StatusOK {
		t.Fatalf("before: not ready, %d", status)
	}
	if out, _ := command(t, 0, "health", "--listen", strings.TrimPrefix(p.url, "http://")); !strings.Contains(out, "ready") {
		t.Errorf("health prints %q", out)
	}
	// A request whose body is incomplete stays open as long as the test needs it.
	body, arrive := io.Pipe()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.url+"/s/nowhere/interviews", body)
	if err != nil {
		t.Fatal(err)
	}
	answered := make(chan int, 1)
	go func() {
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			answered <- 0
			return
		}
		answer.Body.Close()
		answered <- answer.StatusCode
	}()
	if _, err := io.WriteString(arrive, "{"); err != nil { // the connection has read it, so the request has started
		t.Fatal(err)
	}
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	for started := time.Now(); ; {
		status, body := get(t, p.url+"/readyz")
		if status == http.StatusServiceUnavailable && strings.Contains(body, "stopping") {
			break
		}
		if time.Since(started) > 10*time.Second {
			t.Fatalf("after the signal: %d %s", status, body)
		}
	}
	if status, _ := get(t, p.url+"/healthz"); status != http.StatusOK {
		t.Errorf("while draining: not healthy, %d", status)
	}
	if _, stderr := command(t, exitRefused, "health", "--listen", strings.TrimPrefix(p.url, "http://")); !strings.Contains(stderr, "503") {
		t.Errorf("while draining: health prints %q", stderr)
	}
	if status, page := get(t, p.metrics); status != http.StatusOK || !strings.Contains(page, `route="/readyz",status="5xx"`) {
		t.Errorf("the metrics: %d", status)
	}
	if _, err := io.WriteString(arrive, "}"); err != nil {
		t.Fatal(err)
	}
	arrive.Close()
	if status := <-answered; status != http.StatusNotFound {
		t.Errorf("the request under way was answered %d, want 404", status)
	}
	<-p.ended
	if err := p.Wait(); err != nil {
		t.Errorf("it ended with %v: %s", err, p.logged())
	}
	command(t, exitRefused, "health", "--listen", strings.TrimPrefix(p.url, "http://"))
	for line := range strings.Lines(p.logged()) {
		if !json.Valid([]byte(line)) {
			t.Errorf("a line of the log is no JSON: %s", line)
		}
	}
}

// TestLogFlags checks --log-format and --log-level.
func TestLogFlags(t *testing.T) {
	t.Parallel()
	storetest.OnceOnSQLite(t, ownFolder)
	p := startServer(t, "--data", t.TempDir(), "--log-level", "debug")
	get(t, p.url+"/healthz")
	get(t, p.url+"/i/canary?who=canary", "X-Api-Key", "canary", "User-Agent", "canary")
	if err := p.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	<-p.ended
	if err := p.Wait(); err != nil {
		t.Error(err)
	}
	if log := p.logged(); !strings.Contains(log, `"level":"DEBUG"`) || !strings.Contains(log, `"route":"GET /i/{token}","status":404`) || strings.Contains(log, "canary") {
		t.Errorf("logged: %s", log)
	}
	var errs bytes.Buffer
	if code := run(t.Context(), []string{"serve", "--log-level", "loud", "--data", t.TempDir()}, io.Discard, &errs); code != exitUsage {
		t.Errorf("exit %d: %s", code, &errs)
	}
}
