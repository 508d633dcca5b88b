package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"verbatim/internal/platform/store/storetest"
)

func writeConfig(t *testing.T, content string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "verbatim.yaml")
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// configRow is a row of verbatim config.
type configRow struct{ value, source string }

func config(t *testing.T, args ...string) map[string]configRow {
	t.Helper()
	rows := map[string]configRow{}
	for _, r := range list(t, append([]string{"config"}, args...)...) {
		rows[r["setting"].(string)] = configRow{r["value"].(string), r["source"].(string)}
	}
	return rows
}

// TestConfigPrecedence checks that flags take precedence over variables, variables over the file, and the file over defaults, and that
// each value is printed with its source.
func TestConfigPrecedence(t *testing.T) {
	storetest.OnceOnSQLite(t, ownFolder)
	file := writeConfig(t, `# comments are fine
listen: 127.0.0.1:9999
rate-limit: 50
starts-at-once: 7
trusted-proxies: [10.0.0.0/8, 192.168.0.0/16]
abandon-after: 90m
auto-approve-translations: true
max-audio:
`)
	t.Setenv("VERBATIM_RATE_LIMIT", "60")
	t.Setenv("VERBATIM_STARTS_AT_ONCE", "8")
	t.Setenv("VERBATIM_DRAIN", "")
	rows := config(t, "--config", file, "--starts-at-once", "9", "--max-file=3GiB")
	for setting, want := range map[string]configRow{
		"config":                    {file, "--config"},
		"listen":                    {"127.0.0.1:9999", "verbatim.yaml, line 2"},
		"base-url":                  {"http://127.0.0.1:9999", "default"},
		"rate-limit":                {"60", "VERBATIM_RATE_LIMIT"},
		"starts-at-once":            {"9", "--starts-at-once"},
		"trusted-proxies":           {"10.0.0.0/8,192.168.0.0/16", "verbatim.yaml, line 5"},
		"abandon-after":             {"1h30m", "verbatim.yaml, line 6"},
		"auto-approve-translations": {"true", "verbatim.yaml, line 7"},
		"max-audio":                 {"256MiB", "default"},
		"max-file":                  {"3GiB", "--max-file"},
		"drain":                     {"0s", "default"},
		"upload-lifetime":           {"24h", "default"},
		"data":                      {"data", "default"},
		"database":                  {"sqlite:" + filepath.Join("data", "verbatim.db"), "default"},
		"blobs":                     {"file:" + filepath.Join("data", "blobs"), "default"},
	} {
		if rows[setting] != want {
			t.Errorf("%s: %v, want %v", setting, rows[setting], want)
		}
	}
	t.Setenv("VERBATIM_CONFIG", file)
	if rows := config(t); rows["listen"].source != "verbatim.yaml, line 2" || rows["config"].source != "VERBATIM_CONFIG" {
		t.Errorf("by the variable: %v, %v", rows["listen"], rows["config"])
	}
	if _, stderr := command(t, exitUsage, "health", "--listen", "nowhere"); !strings.Contains(stderr, "nowhere") {
		t.Errorf("a flag does not win over the file: %s", stderr)
	}
	if got := strings.Fields(firstOf(command(t, exitRefused, "org", "list", "--data", filepath.Join(t.TempDir(), "none")))); len(got) > 0 {
		t.Errorf("another command with the file of serve's settings: %v", got)
	}
}

func firstOf(out, _ string) string { return out }

// TestConfigHasEverySetting checks that config prints every setting of serve, and that a file can set it.
func TestConfigHasEverySetting(t *testing.T) {
	t.Parallel()
	app := model(t)
	rows, settable := config(t), settingFlags(app)
	serve, err := findCommand(app, []string{"serve"})
	if err != nil {
		t.Fatal(err)
	}
	for _, flags := range serve.AllFlags(false) {
		for _, f := range flags {
			if _, printed := rows[f.Name]; len(f.Envs) > 0 && !printed {
				t.Errorf("config does not print %s", f.Name)
			}
			if _, known := settable[f.Name]; len(f.Envs) > 0 && f.Name != "config" && !known {
				t.Errorf("a file cannot set %s", f.Name)
			}
		}
	}
}

// TestConfigHidesSecrets checks that no secret is printed, wherever it was set.
func TestConfigHidesSecrets(t *testing.T) {
	storetest.OnceOnSQLite(t, ownFolder)
	for _, name := range append(slices.Clone(secretVariables), "PGPASSWORD") {
		t.Setenv(name, "hush")
	}
	for _, address := range []string{
		"postgres://u:hush@db.example.com/verbatim?sslmode=require&sslpassword=hush",
		"postgres://db.example.com/verbatim?user=u&password=hush",
		"postgresql://u:hush@a.example.com:5432,b.example.com:5432/verbatim?target_session_attrs=read-write",
		"postgres://u:hu%sh@:hush@/hush",
	} {
		file := writeConfig(t, "database: "+address+"\nllm-url: https://u:hush@llm.example.com/v1?api_key=hush\nblobs: s3://hush:hush@bucket?secret=hush\n")
		for _, form := range [][]string{nil, {"--json"}} {
			out, stderr := command(t, 0, append([]string{"config", "--config", file}, form...)...)
			if stderr != "" || strings.Contains(strings.ReplaceAll(out, "s3://hush:", ""), "hush") || !strings.Contains(out, masked) || !strings.Contains(out, "llm.example.com/v1") {
				t.Errorf("%s: %s%s", address, out, stderr)
			}
		}
		out, stderr := command(t, exitUsage, "serve", "--config", file, "--listen", "nowhere")
		if strings.Contains(out+stderr, "hush") {
			t.Errorf("serve: %s%s", out, stderr)
		}
	}
}

// TestConfigRefusals checks that every command refuses an invalid configuration file and names the line.
func TestConfigRefusals(t *testing.T) {
	t.Parallel()
	storetest.OnceOnSQLite(t, ownFolder)
	for content, want := range map[string]string{
		"\nlisen: x":                    `line 2: the setting "lisen" is unknown; did you mean listen?`,
		"llm-key: hush":                 "did you mean llm-key-file?",
		"json: true":                    `the setting "json" is unknown`,
		"config: other.yaml":            `the setting "config" is unknown`,
		"listen: {port: 8080}":          "line 1: listen: expected one value",
		"listen: [a, b]":                "line 1: listen: expected one value",
		"trusted-proxies: {a: b}":       "trusted-proxies: expected a value or a list",
		"trusted-proxies: [[a]]":        "trusted-proxies: expected a list of plain values",
		"rate-limit: many":              `line 1: rate-limit: expected a valid 64 bit int but got "many"`,
		"max-file: 3GB":                 `max-file: "3GB" is no size`,
		"log-format: xml":               `log-format: must be one of json, text, and is "xml"`,
		"listen: a\nlisten: b":          "line 2: listen was set in line 1",
		"- listen":                      "expected settings",
		"listen":                        "expected settings",
		"\"unclosed":                    "unexpected end",
		strings.Repeat("# hush\n", 2e5): "more than 1048576 bytes",
	} {
		file := writeConfig(t, content)
		for _, args := range [][]string{{"config"}, {"org", "list"}, {"serve"}} {
			_, stderr := command(t, exitUsage, append(args, "--config", file)...)
			if !strings.Contains(strings.ReplaceAll(stderr, `\"`, `"`), want) || strings.Contains(stderr, "hush") {
				t.Errorf("%v of %.40q: %s", args, content, stderr)
			}
		}
	}
	for _, content := range []string{"", "# nothing\n", "---\n", "listen: 127.0.0.1:1\n", "listen: &a 127.0.0.1:1\nbase-url: http://x.example\n"} {
		command(t, 0, "config", "--config", writeConfig(t, content))
	}
}

// TestUnknownVariables checks that an unknown variable is refused with a suggestion. Variables of tests are allowed.
func TestUnknownVariables(t *testing.T) {
	storetest.OnceOnSQLite(t, ownFolder)
	t.Setenv("VERBATIM_TEST_ANYTHING", "x")
	t.Setenv("VERBATIM_HOST", "interviews.example.com")
	command(t, 0, "config")
	for name, nearest := range map[string]string{
		"VERBATIM_LISTN":                   "did you mean VERBATIM_LISTEN?",
		"VERBATIM_LLM":                     "did you mean VERBATIM_LLM_",
		"VERBATIM_S3_SECRET_KEY_FILES":     "did you mean VERBATIM_S3_SECRET_KEY_FILE?",
		"VERBATIM_SOMETHING_QUITE_STRANGE": "VERBATIM_SOMETHING_QUITE_STRANGE is unknown\n",
	} {
		t.Setenv(name, "x")
		if _, stderr := command(t, exitUsage, "config"); !strings.Contains(stderr, name) || !strings.Contains(stderr, nearest) {
			t.Errorf("%s: %s", name, stderr)
		}
		for _, args := range [][]string{{"version"}, {"help"}, {"help", "serve"}, {"--help"}, {"completion", "fish"}} {
			command(t, 0, args...)
		}
		if err := os.Unsetenv(name); err != nil {
			t.Fatal(err)
		}
	}
}

// TestBadVariableIsNamed checks that the error for an invalid value names the variable.
func TestBadVariableIsNamed(t *testing.T) {
	t.Setenv("VERBATIM_RATE_LIMIT", "many")
	if _, stderr := command(t, exitUsage, "config"); !strings.HasPrefix(stderr, "verbatim: VERBATIM_RATE_LIMIT (as --rate-limit): ") {
		t.Errorf("stderr %s", stderr)
	}
}

// TestConfigRefusesWhatServeRefuses: whoever tries a command line with config is told of what serve would not start with.
func TestConfigRefusesWhatServeRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ args, says string }{
		{"--price=0", "--price must be more than zero"},
		{"--drain=-1s", "--drain must not be negative"},
		{"--transcode-workers=0", "--transcode-workers must be at least 1"},
		{"--body-memory=1", "--body-memory must be at least"},
		{"--max-connections=-1", "must not be negative"},
		{"--starts-at-once=-1", "must not be negative"},
		{"--max-study=1MiB", "--max-study must not be less"},
		{"--speech-max-day=-1s", "must not be negative"},
		{"--llm-max-day=cost=1", "a cost limit needs prices"},
		{"--trusted-proxies=here", "--trusted-proxies"},
		{"--base-url=here", "--base-url"},
	} {
		if out, stderr := command(t, exitUsage, "config", tt.args); !strings.Contains(stderr, tt.says) || !strings.Contains(out, "rate-limit") {
			t.Errorf("%s: stderr %q, want %q after the settings", tt.args, stderr, tt.says)
		}
	}
}
