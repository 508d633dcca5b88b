package main

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// TestNamedVariablesAreKnown: a variable that the help names is one that the program takes.
func TestNamedVariablesAreKnown(t *testing.T) {
	t.Parallel()
	app := model(t)
	known, named := variables(app), regexp.MustCompile(`VERBATIM_[A-Z0-9_]+`)
	for _, leaf := range app.Leaves(false) {
		for _, flags := range leaf.AllFlags(false) {
			for _, f := range flags {
				for _, name := range named.FindAllString(f.Help, -1) {
					if !slices.Contains(known, name) {
						t.Errorf("--%s names %s, which is refused as unknown", f.Name, name)
					}
				}
			}
		}
	}
}

// TestEmptyVariablesMeanTheDefault checks that an empty variable is like one that is not set.
func TestEmptyVariablesMeanTheDefault(t *testing.T) {
	parsed := func(command []string) cli {
		t.Helper()
		var c cli
		parser, err := kong.New(&c)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parser.Parse(command); err != nil {
			t.Fatalf("%v: %v", command, err)
		}
		return c
	}
	commands := [][]string{{"serve"}, {"demo"}, {"health"}, {"doctor"}, {"secret", "list"}, {"llm", "check"}}
	var without []cli
	names := map[string]bool{"VERBATIM_SECRET": true, "VERBATIM_LLM_KEY": true, "VERBATIM_SPEECH_KEY": true, "VERBATIM_S3_ACCESS_KEY": true}
	for _, leaf := range model(t).Leaves(false) {
		for _, flags := range leaf.AllFlags(false) {
			for _, f := range flags {
				for _, name := range f.Envs {
					names[name] = true
				}
			}
		}
	}
	for name := range names {
		t.Setenv(name, "") // restores the present value at the end
		if err := os.Unsetenv(name); err != nil {
			t.Fatal(err)
		}
	}
	for _, command := range commands {
		without = append(without, parsed(command))
	}
	for name := range names {
		if !strings.HasPrefix(name, "VERBATIM_") {
			t.Errorf("%s is no variable of this program", name)
		}
		if err := os.Setenv(name, ""); err != nil {
			t.Fatal(err)
		}
	}
	command(t, 0, "version")
	for name := range names {
		if value, set := os.LookupEnv(name); set {
			t.Errorf("%s is set to %q", name, value)
		}
	}
	for i, command := range commands {
		if got := parsed(command); !reflect.DeepEqual(got, without[i]) {
			t.Errorf("%v: %+v, want %+v", command, got, without[i])
		}
	}
}

// TestEmptyFlagsAreRefused checks empty values: an empty address would mean every interface, and an empty expiry of a key none.
func TestEmptyFlagsAreRefused(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"serve", "--listen", ""},
		{"serve", "--listen="},
		{"demo", "--exit", "--listen", ""},
		{"health", "--listen", ""},
		{"key", "create", "--org", "x", "--user", "y", "--name", "z", "--expires", ""},
		{"key", "create", "--org", "x", "--user", "y", "--name", "z", "--expires="},
	} {
		if _, stderr := command(t, exitUsage, append(args, "--data", t.TempDir())...); !strings.Contains(stderr, "--listen must be") && !strings.Contains(stderr, "--expires") {
			t.Errorf("%v: %s", args, stderr)
		}
	}
}
