package main

import (
	"strings"
	"testing"
)

// TestReports asks for a report that a server makes in the background.
func TestReports(t *testing.T) {
	t.Parallel()
	link, place := simulated(t, 3)
	run := func(want int, args ...string) (string, string) {
		return command(t, want, append(append([]string{"study"}, args...), place...)...)
	}
	if out, _ := run(0, "reports", link); !strings.Contains(out, "No report is made") {
		t.Errorf("before: %s", out)
	}
	id, _ := run(0, "analyse", link, "--no-wait", "--field", "id")
	if again, _ := run(0, "analyse", link, "--no-wait", "--field", "id"); again != id || id == "" {
		t.Errorf("asked twice, the reports are %s and %s", id, again)
	}
	if out, _ := run(0, "reports", link); !strings.Contains(out, strings.TrimSpace(id)) || !strings.Contains(out, "queued") {
		t.Errorf("listed: %s", out)
	}
	if _, errs := run(1, "reports", link, strings.TrimSpace(id)); !strings.Contains(errs, "queued: 0 % done") {
		t.Errorf("before it is made: %s", errs)
	}
	if _, errs := run(1, "analyse", link, "--no-wait", "--no-model"); !strings.Contains(errs, "another report on this study is being made") {
		t.Errorf("another one: %s", errs)
	}
	if _, errs := run(1, "reports", link, "nothing"); !strings.Contains(errs, "there is no report nothing") {
		t.Errorf("an unknown one: %s", errs)
	}
	run(exitUsage, "analyse", link, "--no-wait", "--csv", t.TempDir())
}
