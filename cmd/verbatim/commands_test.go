package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"verbatim/internal/domain/guide/sample"
	"verbatim/internal/platform/store/storetest"
)

// ownFolder is the reason of tests that show nothing more in the run on PostgreSQL.
const ownFolder = "it has a database in a folder of its own, or none"

// command runs a command line in this process and checks its exit code.
func command(t *testing.T, want int, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(t.Context(), args, &out, &errs); code != want {
		t.Fatalf("verbatim %s: exit %d, want %d\n%s%s", strings.Join(args, " "), code, want, out.String(), errs.String())
	}
	return out.String(), errs.String()
}

// object runs a command with --json and decodes the object that it prints.
func object(t *testing.T, args ...string) map[string]any {
	t.Helper()
	out, _ := command(t, 0, append(args, "--json")...)
	var v map[string]any
	if err := json.Unmarshal([]byte(out), &v); err != nil {
		t.Fatalf("%v printed %q: %v", args, out, err)
	}
	return v
}

func text(t *testing.T, v map[string]any, key string) string {
	t.Helper()
	s, ok := v[key].(string)
	if !ok || s == "" {
		t.Fatalf("no %s in %v", key, v)
	}
	return s
}

// TestAccounts runs the commands that an operator needs before the first study.
func TestAccounts(t *testing.T) {
	t.Parallel()
	storetest.OnceOnSQLite(t, ownFolder)
	data := "--data=" + filepath.Join(t.TempDir(), "new", "folder")
	org := text(t, object(t, data, "--create", "org", "create", "Acme"), "id")
	user := text(t, object(t, "user", "create", "--org", org, data, "--email", "Ada@Example.org", "--name", "Ada", "--role", "supervisor"), "id")
	made := object(t, "key", "create", "--org", org, "--user", user, "--name", "laptop", data)
	key := text(t, made, "key")

	listed, _ := command(t, 0, "key", "list", "--org", org, data)
	if strings.Contains(listed, key) || !strings.Contains(listed, text(t, made, "prefix")) {
		t.Errorf("the list must show the prefix and never the key:\n%s", listed)
	}
	if revoked := object(t, "key", "revoke", key, data); revoked["revokedAt"] == nil || revoked["id"] != made["id"] {
		t.Errorf("revoked: %v", revoked)
	}
	members, _ := command(t, 0, "user", "list", "--org", org, data)
	if !strings.Contains(members, "ada@example.org") || !strings.Contains(members, "supervisor") {
		t.Errorf("members:\n%s", members)
	}
	object(t, "user", "remove", "--org", org, "--user", user, data)
	command(t, exitRefused, "user", "remove", "--org", org, "--user", user, data)

	balance := text(t, object(t, "wallet", "create", "Research", data), "id")
	object(t, "wallet", "grant", balance, "--org", org, "--limit", "0", data)
	if w := object(t, "wallet", "deposit", balance, "--account", "project", "12.125", data); w["projectBalance"] != 12.125 {
		t.Errorf("after the deposit: %v", w)
	}
	if w := object(t, "wallet", "withdraw", balance, "--account", "project", "0.125", data); w["projectBalance"] != 12.0 {
		t.Errorf("after the withdrawal: %v", w)
	}
	if _, refused := command(t, exitRefused, "wallet", "withdraw", balance, "--account", "project", "13", data); !strings.Contains(refused, "cannot fund") {
		t.Errorf("withdrawing too much says %q", refused)
	}
	if _, none := command(t, 0, "deletion", "list", data); none != "" {
		t.Errorf("stderr: %q", none)
	}
}

// TestRefusals checks the exit codes 2 for wrong usage and 1 for failure, each with a reason.
func TestRefusals(t *testing.T) {
	t.Parallel()
	data := "--data=" + t.TempDir()
	for name, c := range map[string]struct {
		code int
		args []string
		says string
	}{
		"unknown command":               {exitUsage, []string{"fly"}, "fly"},
		"missing flag":                  {exitUsage, []string{"user", "create"}, "--org"},
		"unknown role":                  {exitUsage, []string{"user", "create", "--org", "x", "--email", "a@b.c", "--name", "A", "--role", "boss"}, "supervisor"},
		"fourth decimal":                {exitUsage, []string{"wallet", "deposit", "x", "--account", "project", "0.0001"}, "three decimals"},
		"bad limit":                     {exitUsage, []string{"wallet", "grant", "x", "--org", "y", "--limit", "some"}, "--limit"},
		"bad base URL":                  {exitUsage, []string{"serve", "--listen", "127.0.0.1:0", "--base-url", "example.org"}, "--base-url"},
		"bad network":                   {exitUsage, []string{"serve", "--listen", "127.0.0.1:0", "--trusted-proxies", "10.0.0.1"}, "10.0.0.1"},
		"bad database":                  {exitRefused, []string{"migrate", "--database", "mysql:x"}, "sqlite:PATH"},
		"no such wallet":                {exitRefused, []string{"wallet", "deposit", "x", "--account", "project", "1"}, `wallet not found: "x"; list them by: verbatim wallet list`},
		"no such org":                   {exitRefused, []string{"user", "create", "--org", "x", "--email", "a@b.c", "--name", "A", "--role", "admin"}, `organization not found: "x"; list them by: verbatim org list`},
		"no e-mail":                     {exitRefused, []string{"user", "create", "--org", "x", "--email", "ada", "--name", "A", "--role", "admin"}, "e-mail"},
		"no such study":                 {exitRefused, []string{"study", "simulate", "nowhere"}, `study not found: "nowhere"; list them by: verbatim study list`},
		"no such key":                   {exitRefused, []string{"key", "revoke", "nothing"}, `API key not found: "nothing"; list them by: verbatim key list`},
		"key is not printed in full":    {exitRefused, []string{"key", "revoke", "012345678901SECRET"}, `API key not found: "012345678901…"; list`},
		"doctor of nothing":             {exitRefused, []string{"doctor", "--data=there-is-none"}, "by --data"},
		"backup of nothing":             {exitRefused, []string{"backup", "copy.db", "--data=there-is-none"}, "there is no database"},
		"secrets of nothing":            {exitRefused, []string{"secret", "list", "--data=there-is-none"}, "there is no database"},
		"no such response":              {exitRefused, []string{"replay", "0199c0de-0000-7000-8000-000000000000"}, "response not found"},
		"preview of no id":              {exitRefused, []string{"llm", "preview", "nowhere"}, `response not found: "nowhere"; give its id, from: verbatim response list`},
		"replay of nothing":             {exitUsage, []string{"replay"}, "--study"},
		"moderation report of no study": {exitRefused, []string{"moderation", "nowhere"}, "study not found"},
		"former name card":              {exitRefused, []string{"card", "nowhere"}, "study not found"},
		"no such deletion":              {exitRefused, []string{"deletion", "retry", "x"}, `deletion not found: "x"; list them by: verbatim deletion list`},
		"no such file":                  {exitRefused, []string{"study", "lint", "nowhere.json"}, "nowhere.json"},
		"no such study grant":           {exitRefused, []string{"grant", "--study", "x", "--user", "y", "start-recruitment"}, `study not found: "x"; list them by: verbatim study list`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, stderr := command(t, c.code, append([]string{data}, c.args...)...)
			if !strings.Contains(stderr, c.says) {
				t.Errorf("stderr %q, want something about %q", stderr, c.says)
			}
		})
	}
}

// TestLint checks that the sample is valid, and that every error of an invalid guide is listed with its place.
func TestLint(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name string, body []byte) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, body, 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	if out, _ := command(t, 0, "study", "lint", write("sample.json", sample.Payload)); strings.Contains(out, "error") {
		t.Errorf("the sample: %s", out)
	}
	out, _ := command(t, exitRefused, "study", "lint", write("shape.json", []byte(`{"title":"","studyGuide":[{"type":"flat","title":"","items":[]}]}`)))
	for _, place := range []string{"title", "studyGuide[0].items"} {
		if !strings.Contains(out, place) {
			t.Errorf("no %s in:\n%s", place, out)
		}
	}
	out, _ = command(t, exitRefused, "study", "lint", write("rules.json", []byte(
		`{"title":"T","studyGuide":[{"type":"concept","title":"","items":[{"type":"statement","text":"x"}]}]}`)))
	if !strings.Contains(out, "studyGuide[0]") || !strings.Contains(out, "conceptSamplingConfig") {
		t.Errorf("rules: %s", out)
	}
	if out, _ := command(t, exitRefused, "study", "lint", write("syntax.json", []byte(`{"title":`))); !strings.Contains(out, "error") {
		t.Errorf("syntax: %s", out)
	}
}

// TestDemo checks that the tour is printed, that each of its lines works while the server runs, and that more participants can be
// simulated afterwards.
func TestDemo(t *testing.T) {
	t.Parallel()
	place := []string{"--data", filepath.Join(t.TempDir(), "demo"), "--database", storetest.Address(t)}
	printed := &tourCheck{t: t}
	var errs bytes.Buffer
	if code := run(t.Context(), append([]string{"demo", "--listen", "127.0.0.1:0", "--participants", "5", "--exit"}, place...), printed, &errs); code != 0 {
		t.Fatalf("exit %d: %s%s", code, printed.all.String(), errs.String())
	}
	if printed.lines < 9 {
		t.Errorf("only %d lines of the tour were tried:\n%s", printed.lines, printed.all.String())
	}
	link := regexp.MustCompile(`/s/(\S+)`).FindStringSubmatch(printed.all.String())
	more := object(t, append([]string{"study", "simulate", link[1], "--participants", "6", "--seed", "7"}, place...)...)
	if total := more["complete"].(float64) + more["screenedOut"].(float64) + more["leftHalfWay"].(float64); total != 6 {
		t.Errorf("simulated: %v", more)
	}
}

// tourCheck runs each curl line of the tour as soon as it is printed.
type tourCheck struct {
	t     *testing.T
	all   bytes.Buffer
	lines int
}

var curlLine = regexp.MustCompile(`curl -s (?:-X (\w+) )?-H 'x-api-key: ([^']+)' '([^']+)'`)

// Write implements io.Writer.
func (c *tourCheck) Write(p []byte) (int, error) {
	for _, line := range curlLine.FindAllStringSubmatch(string(p), -1) {
		c.lines++
		method := line[1]
		if method == "" {
			method = http.MethodGet
		}
		request, err := http.NewRequestWithContext(c.t.Context(), method, line[3], nil)
		if err != nil {
			c.t.Fatal(err)
		}
		request.Header.Set("X-Api-Key", line[2])
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			c.t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			c.t.Fatal(err)
		}
		answer.Body.Close()
		gone := bytes.Contains(p, []byte("# It is gone"))
		if !json.Valid(body) || gone != (answer.StatusCode == http.StatusNotFound) || !gone && answer.StatusCode >= 300 {
			c.t.Errorf("%s: %d %s", line[0], answer.StatusCode, body)
		}
	}
	return c.all.Write(p)
}
