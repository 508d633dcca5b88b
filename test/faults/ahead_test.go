package faults

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"verbatim/test/testserver"
)

// ahead is the lead of one node's clock over the others.
const ahead = 25 * time.Hour

// clocks matches the functions that read a clock.
var clocks = regexp.MustCompile(`\btime\.(Now|Since|Until)\b`)

// buildAhead builds the program with a clock that is ahead. A static Go program reads the time from the kernel and not from a library, so
// no library can be preloaded, and a time namespace does not move the wall clock. So this compiles the program's own files with the
// functions that read the clock replaced (go build -overlay); nothing of it is in the shipped program. Lines that set a deadline of a
// connection keep the true time, since the runtime compares it with its own clock.
func buildAhead(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	replace := map[string]string{}
	for _, below := range []string{"internal", "cmd/verbatim"} {
		err := filepath.WalkDir(filepath.Join(root, below), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			source, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			changed := moveClock(string(source))
			if changed == string(source) {
				return nil
			}
			replace[path] = filepath.Join(dir, fmt.Sprint(len(replace), ".go"))
			return os.WriteFile(replace[path], []byte(changed), 0o600)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(replace) == 0 {
		t.Fatal("the program reads no clock")
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(path, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	return testserver.Build(t, "-overlay", path)
}

// moveClock returns a file's source with a clock that is ahead.
func moveClock(source string) string {
	of := map[string]string{
		"time.Now":   fmt.Sprintf("(func() time.Time { return time.Now().Add(%d) })", ahead),
		"time.Since": fmt.Sprintf("(func(t time.Time) time.Duration { return time.Now().Add(%d).Sub(t) })", ahead),
		"time.Until": fmt.Sprintf("(func(t time.Time) time.Duration { return t.Sub(time.Now().Add(%d)) })", ahead),
	}
	lines := strings.SplitAfter(source, "\n")
	for i, line := range lines {
		code, _, _ := strings.Cut(line, "//")
		if !clocks.MatchString(code) || strings.Contains(code, "Deadline(") {
			continue
		}
		lines[i] = clocks.ReplaceAllStringFunc(line, func(clock string) string { return of[clock] })
	}
	return strings.Join(lines, "")
}
