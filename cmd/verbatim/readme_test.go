package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"verbatim/internal/platform/store/storetest"
)

// TestFirstSession runs the README's first session in bash, except for building and with another port.
func TestFirstSession(t *testing.T) {
	t.Parallel()
	storetest.OnceOnSQLite(t, ownFolder)
	_, section, _ := strings.Cut(repository(t, "README.md"), "## A first session\n")
	section, _, _ = strings.Cut(section, "\n## ")
	if regexp.MustCompile(`\b(sed|jq|awk|grep)\b`).MatchString(section) {
		t.Error("the first session needs another program to take values out of what is printed")
	}
	script := "set -eu\ntrap 'kill $! && wait' EXIT\n"
	for i, part := range strings.Split(section, "```sh\n") {
		if block, _, found := strings.Cut(part, "```"); found && i > 0 {
			script += block
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0") // kept open until the session begins, so that no other test uses the port
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	script = strings.NewReplacer("127.0.0.1:8080", address, "make build\n", "", "bin/verbatim serve", "bin/verbatim serve --listen "+address).Replace(script)
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "bin"), 0o700); err != nil {
		t.Fatal(err)
	}
	program := fmt.Sprintf("#!/bin/sh\n%s=1 exec %s \"$@\"\n", asProgram, shellQuoted(os.Args[0]))
	if err := os.WriteFile(filepath.Join(dir, "bin", "verbatim"), []byte(program), 0o700); err != nil {
		t.Fatal(err)
	}
	session := exec.CommandContext(t.Context(), "bash", "--norc", "-c", script)
	session.Dir = dir
	var out, errs bytes.Buffer
	session.Stdout, session.Stderr = &out, &errs
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	if err := session.Run(); err != nil {
		t.Fatalf("%v\n%s\n%s\n%s", err, script, out.String(), errs.String())
	}
	var responses []struct{ Progress string }
	printed := out.String()
	if err := json.Unmarshal([]byte(printed[strings.LastIndex(printed, "\n[")+1:]), &responses); err != nil || len(responses) == 0 {
		t.Errorf("no responses are read (%v):\n%s\n%s", err, printed, errs.String())
	}
}
