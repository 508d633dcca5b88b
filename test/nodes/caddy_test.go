package nodes

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

// caddy is a running proxy.
type caddy struct {
	version   string
	file      string // of deploy/
	replays   bool   // whether this version repeats requests with a body that a dead node had read
	address   string
	log       string
	process   *exec.Cmd
	processes chan error
}

// startCaddy runs a proxy before nodes, with the file of deploy/ that is made for its version.
func startCaddy(t *testing.T, program string, nodes []*node) *caddy {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Fatalf("%v: run scripts/setup.sh, or install the package caddy", err)
	}
	c := &caddy{version: versionOf(t, path), address: freeAddress(t), processes: make(chan error, 1)}
	c.replays = atLeast(t, c.version, 2, 11, 3)
	c.file = "Caddyfile.scale"
	if !c.replays {
		c.file = "Caddyfile.scale-2.6"
	}
	deployed, err := filepath.Abs(filepath.Join("..", "..", "deploy", c.file))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	wrapper := filepath.Join(dir, "Caddyfile")
	// What is the test's own stands here: no administration, and nothing listens beyond this machine.
	settings := fmt.Sprintf("{\n\tadmin off\n\tdefault_bind 127.0.0.1\n}\nimport %s\n", deployed)
	if err := os.WriteFile(wrapper, []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	var to []string
	for _, n := range nodes {
		to = append(to, n.address)
	}
	c.log = filepath.Join(dir, "log")
	log, err := os.Create(c.log)
	if err != nil {
		t.Fatal(err)
	}
	c.process = exec.Command(path, "run", "--config", wrapper, "--adapter", "caddyfile")
	c.process.Env = append(os.Environ(), "VERBATIM_HOST=http://"+c.address, "VERBATIM_NODES="+strings.Join(to, " "),
		"HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir)
	c.process.Stdout, c.process.Stderr = log, log
	if err := c.process.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { c.processes <- c.process.Wait() }()
	t.Cleanup(func() {
		_ = c.process.Process.Kill()
		<-c.processes
		log.Close()
		if said, err := os.ReadFile(c.log); err == nil && t.Failed() {
			t.Logf("Caddy's last words:\n%s", said[max(0, len(said)-1500):])
		}
	})
	return c
}

// versionOf returns the version that a Caddy prints, or that of its module where it was built without one.
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
