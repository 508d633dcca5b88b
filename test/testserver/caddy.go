package testserver

import (
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Caddy is a running proxy.
type Caddy struct {
	Version string
	File    string // in deploy/
	Replays bool   // whether this version repeats requests with a body that a dead node had read
	Address string
	Ended   chan struct{} // closed when the process has ended
	Log     string
}

// StartCaddy starts a proxy in front of nodes, with the file of deploy/ for its version. It does not wait until the proxy serves.
func StartCaddy(t *testing.T, program string, nodes []string) *Caddy {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Fatalf("%v: run scripts/setup.sh, or install the package caddy", err)
	}
	c := &Caddy{Version: versionOf(t, path), Address: FreeAddress(t), Ended: make(chan struct{})}
	c.Replays = atLeast(t, c.Version, 2, 11, 3)
	c.File = "Caddyfile.scale"
	if !c.Replays {
		c.File = "Caddyfile.scale-2.6"
	}
	deployed, err := filepath.Abs(filepath.Join("..", "..", "deploy", c.File))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	wrapper := filepath.Join(dir, "Caddyfile")
	// Settings of the test: no administration, and nothing listens beyond this machine.
	settings := fmt.Sprintf("{\n\tadmin off\n\tdefault_bind 127.0.0.1\n}\nimport %s\n", deployed)
	if err := os.WriteFile(wrapper, []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	c.Log = filepath.Join(dir, "log")
	log, err := os.Create(c.Log)
	if err != nil {
		t.Fatal(err)
	}
	process := exec.Command(path, "run", "--config", wrapper, "--adapter", "caddyfile")
	process.Env = append(os.Environ(), "VERBATIM_HOST=http://"+c.Address, "VERBATIM_NODES="+strings.Join(nodes, " "),
		"HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir)
	process.Stdout, process.Stderr = log, log
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = process.Wait() // only its end counts
		close(c.Ended)
	}()
	t.Cleanup(func() {
		_ = process.Process.Kill()
		<-c.Ended
		log.Close()
		if t.Failed() {
			t.Logf("Caddy's last words:\n%s", c.LastWords())
		}
	})
	return c
}

// LastWords returns the end of the proxy's log.
func (c *Caddy) LastWords() []byte {
	said, err := os.ReadFile(c.Log)
	if err != nil {
		return []byte(err.Error())
	}
	return said[max(0, len(said)-3000):]
}

// versionOf returns the version that a Caddy prints, or that of its module if it was built without one.
func versionOf(t *testing.T, path string) string {
	t.Helper()
	printed, err := exec.CommandContext(t.Context(), path, "version").Output()
	if err != nil {
		t.Fatal(err)
	}
	if versionNumbers.Match(printed) {
		return strings.Fields(string(printed))[0]
	}
	built, err := buildinfo.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !versionNumbers.MatchString(built.Main.Version) {
		t.Fatalf("%s says that its version is %s", path, printed)
	}
	return built.Main.Version
}

var versionNumbers = regexp.MustCompile(`(\d+)\.(\d+)\.(\d+)`)

// atLeast reports whether a version is that one or a later one.
func atLeast(t *testing.T, version string, want ...int) bool {
	t.Helper()
	found := versionNumbers.FindStringSubmatch(version)
	if found == nil {
		t.Fatalf("Caddy calls its version %q", version)
	}
	for i, least := range want {
		has, err := strconv.Atoi(found[i+1])
		if err != nil {
			t.Fatal(err)
		}
		if has != least {
			return has > least
		}
	}
	return true
}
