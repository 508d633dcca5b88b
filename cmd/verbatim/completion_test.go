package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"verbatim/internal/platform/store/storetest"
)

// TestBashCompletion runs the completion function in bash.
func TestBashCompletion(t *testing.T) {
	t.Parallel()
	script, _ := command(t, 0, "completion", "bash")
	file := filepath.Join(t.TempDir(), "completion.bash")
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	const ask = `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _verbatim; echo "${COMPREPLY[@]}"`
	for line, want := range map[string]string{
		"verbatim wal":                               "wallet",
		"verbatim wallet |":                          "create list grant deposit withdraw statement",
		"verbatim wallet deposit --acc":              "--account",
		"verbatim wallet deposit X --account |":      "project recruitment",
		"verbatim serve --log-format = j":            "json",
		"verbatim --data d org |":                    "create list update",
		"verbatim grant --st":                        "--study",
		"verbatim completion |":                      "bash zsh fish",
		"verbatim user create --role |":              "admin supervisor member",
		"verbatim serve --config |":                  "", // names of files, by the shell
		"verbatim key create --user wallet --name |": "",
	} {
		words := strings.Fields(strings.ReplaceAll(line, " =", " ="))
		if i := slices.Index(words, "|"); i >= 0 {
			words[i] = ""
		}
		out, err := exec.CommandContext(t.Context(), "bash", append([]string{"--norc", "-c", ask, file}, words...)...).CombinedOutput()
		if err != nil || strings.TrimSpace(string(out)) != want {
			t.Errorf("%s: %q (%v), want %q", line, out, err, want)
		}
	}
}

// TestCompletionIsComplete checks that each script has every command and every flag of every command.
func TestCompletionIsComplete(t *testing.T) {
	t.Parallel()
	scripts := map[string]string{}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		scripts[shell], _ = command(t, 0, "completion", shell)
	}
	for _, leaf := range model(t).Leaves(true) {
		path := leaf.FullPath()[len("verbatim "):]
		for shell, script := range scripts {
			if !strings.Contains(script, "'"+path+"'") {
				t.Errorf("%s does not know %s", shell, path)
			}
		}
		for _, f := range leaf.Flags {
			if f.Hidden {
				continue
			}
			for shell, name := range map[string]string{"bash": "--" + f.Name, "zsh": "'--" + f.Name + ":", "fish": " -l " + f.Name + " "} {
				if !strings.Contains(scripts[shell], name) {
					t.Errorf("%s does not know --%s of %s", shell, f.Name, path)
				}
			}
		}
	}
	command(t, exitUsage, "completion", "tcsh")
}

// TestManualPages checks that every command has a page with its arguments and flags, and that no text is taken for a roff request.
func TestManualPages(t *testing.T) {
	t.Parallel()
	storetest.OnceOnSQLite(t, ownFolder)
	dir := filepath.Join(t.TempDir(), "man")
	command(t, 0, "man", "--dir", dir)
	for _, leaf := range model(t).Leaves(true) {
		page, err := os.ReadFile(filepath.Join(dir, strings.ReplaceAll(leaf.FullPath(), " ", "-")+".1"))
		if err != nil {
			t.Error(err)
			continue
		}
		text := strings.NewReplacer(`\-`, "-", `\(aq`, "'", `\fB`, "", `\fI`, "", `\fR`, "").Replace(string(page))
		if shown, _ := command(t, 0, append([]string{"man"}, strings.Fields(leaf.FullPath())[1:]...)...); shown != string(page) {
			t.Errorf("man %s prints another page than it writes", leaf.FullPath())
		}
		for _, f := range slices.Concat(leaf.AllFlags(true)...) {
			if !strings.Contains(text, "\n--"+f.Name) || !strings.Contains(text, "\n"+f.Help) {
				t.Errorf("the page of %s has no --%s", leaf.FullPath(), f.Name)
			}
		}
		for _, argument := range leaf.Positional {
			if !strings.Contains(text, ".I "+argument.Name+"\n"+argument.Help) {
				t.Errorf("the page of %s has no %s", leaf.FullPath(), argument.Name)
			}
		}
		for _, line := range strings.Split(string(page), "\n") {
			if strings.HasPrefix(line, "'") || strings.HasPrefix(line, ".") && !strings.Contains(".TH .SH .TP .B .I .BR", strings.Fields(line)[0]) {
				t.Errorf("the page of %s has the line %q", leaf.FullPath(), line)
			}
		}
	}
	command(t, exitUsage, "man", "nothing")
	command(t, exitUsage, "man", "serve", "--dir", dir)
}
