package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestExport writes responses into files and to standard output.
func TestExport(t *testing.T) {
	t.Parallel()
	link, place := simulated(t, 3)
	run := func(want int, args ...string) (string, string) {
		return command(t, want, append(append([]string{"study", "export", link}, args...), place...)...)
	}
	dir := t.TempDir()
	for _, format := range []string{"csv", "xlsx", "jsonl", "sav", "zip"} {
		file := filepath.Join(dir, "answers."+format)
		out, _ := run(0, "--format", format, "-o", file)
		info, err := os.Stat(file)
		if err != nil || info.Size() == 0 || info.Mode().Perm() != 0o600 || !strings.Contains(out, "3") {
			t.Errorf("%s: %v, %q", format, err, out)
		}
	}
	written, err := os.ReadFile(filepath.Join(dir, "answers.csv"))
	if out, _ := run(0, "--format", "csv", "-o", "-"); err != nil || out != string(written) {
		t.Errorf("standard output has %d bytes, the file %d", len(out), len(written))
	}
	if out, _ := run(0, "--format", "csv", "--filter", "progress=abandoned", "-o", "-"); strings.Count(out, "\n") != 1 {
		t.Errorf("filtered: %q", out)
	}
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"--format", "pdf"}, "csv, xlsx, jsonl, sav or zip"},
		{[]string{"--format", "sav", "--layout", "long"}, "always wide"},
		{[]string{"--format", "csv", "--filter", "colour=red"}, `there is no "colour" to filter by: take progress, hidden`},
		{[]string{"--format", "csv", "--without", "transcript,colour"}, `no variable "colour" to leave out`},
		{[]string{"--format", "csv", "--filter", "progress=red"}, "progress must be"},
	} {
		if _, errs := run(exitUsage, tt.args...); !strings.Contains(errs, tt.want) {
			t.Errorf("%q: %s", tt.args, errs)
		}
	}
	file := filepath.Join(dir, "answers.csv")
	if _, errs := run(1, "--format", "csv", "-o", file); !strings.Contains(errs, "exists already") {
		t.Errorf("written over: %s", errs)
	}
	if out, _ := run(0, "--format", "csv", "--codebook", "--replace", "-o", file); !strings.Contains(out, "variables") || strings.Contains(out, "responses") {
		t.Errorf("codebook: %s", out)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*.part")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
}
