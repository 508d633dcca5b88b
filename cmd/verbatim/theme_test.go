package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestThemes changes the themes of a study from the command line.
func TestThemes(t *testing.T) {
	t.Parallel()
	link, place := simulated(t, 30)
	run := func(want int, args ...string) (string, string) {
		return command(t, want, append(append([]string{"study"}, args...), place...)...)
	}
	if out, _ := run(0, "theme", "list", link); !strings.Contains(out, "make a report first") {
		t.Errorf("before a report: %s", out)
	}
	run(0, "analyse", link)
	listed, _ := run(0, "theme", "list", link, "--json")
	var themes []struct{ QuestionID string }
	if err := json.Unmarshal([]byte(listed), &themes); err != nil || len(themes) == 0 {
		t.Fatalf("%v: %s", err, listed)
	}
	question := themes[0].QuestionID
	changed, _ := run(0, "theme", "rename", link, question, "1", "A better name", "--as", "Ada")
	if !strings.Contains(changed, "A better name") {
		t.Errorf("renamed: %s", changed)
	}
	if _, errs := run(1, "theme", "rename", link, question, "1", "Another", "--if-version", "1"); !strings.Contains(errs, "somebody else changed these themes") {
		t.Errorf("an old version: %s", errs)
	}
	if _, errs := run(exitUsage, "theme", "merge", link, question, "1", "--into", "1"); !strings.Contains(errs, "named twice") {
		t.Errorf("into itself: %s", errs)
	}
	if _, errs := run(1, "theme", "recode", link, question, "99999", "1"); !strings.Contains(errs, "no response 99999") {
		t.Errorf("a response that is not there: %s", errs)
	}
	run(0, "theme", "recode", link, question, "1", "1", "--remove", "--as", "Ada")
	if changes, _ := run(0, "theme", "list", link, "--changes"); !strings.Contains(changes, "rename") || !strings.Contains(changes, "recode") || !strings.Contains(changes, "Ada") {
		t.Errorf("changes: %s", changes)
	}
	if report, _ := run(0, "analyse", link); !strings.Contains(report, "A better name") || !strings.Contains(report, "Ada") {
		t.Error("the report does not have the new name, or who gave it")
	}
	run(0, "theme", "reset", link, question)
	if report, _ := run(0, "analyse", link); strings.Contains(report, "A better name") {
		t.Error("after a reset the report still has the name")
	}
}
