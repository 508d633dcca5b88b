// Package testserver builds the program for the suites that start it, finds free addresses, and answers as a participant.
package testserver

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Build builds the program into a folder of the test's own and returns its path. The arguments are those of go build.
func Build(t testing.TB, args ...string) string {
	t.Helper()
	return BuildWith(t, []string{"CGO_ENABLED=0"}, args...)
}

// BuildWith is Build with variables of the form NAME=VALUE in the environment of go build.
func BuildWith(t testing.TB, variables []string, args ...string) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "verbatim")
	build := exec.CommandContext(t.Context(), "go", append(append([]string{"build", "-o", binary}, args...), "verbatim/cmd/verbatim")...)
	build.Env = append(os.Environ(), variables...)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the program: %v\n%s", err, out)
	}
	return binary
}

// FreeAddress returns an address of 127.0.0.1 on which nothing listens. Its port is outside the range that systems give to outgoing
// connections, so that none of them takes it while the server that should listen there is down.
func FreeAddress(t testing.TB) string {
	t.Helper()
	const first, ports, tries = 10_000, 22_000, 100
	var err error
	for range tries {
		var listener net.Listener
		if listener, err = net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", first+rand.IntN(ports))); err == nil {
			if err := listener.Close(); err != nil {
				t.Fatal(err)
			}
			return listener.Addr().String()
		}
	}
	t.Fatal(err)
	return ""
}
