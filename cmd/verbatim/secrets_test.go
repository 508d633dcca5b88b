package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"verbatim/internal/platform/llm/llmtest"
	"verbatim/internal/platform/store/storetest"
)

func writeSecret(t *testing.T, content string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestReadSecret(t *testing.T) {
	const variable = "VERBATIM_TEST_OF_A_SECRET"
	file := writeSecret(t, "from the file\r\n\n")
	if got, err := readSecret(variable, "--x-file", file); err != nil || got != "from the file" {
		t.Errorf("%q (%v)", got, err)
	}
	if got, err := readSecret(variable, "--x-file", ""); err != nil || got != "" {
		t.Errorf("%q (%v)", got, err)
	}
	t.Setenv(variable, "from the variable")
	if got, err := readSecret(variable, "--x-file", ""); err != nil || got != "from the variable" {
		t.Errorf("%q (%v)", got, err)
	}
	folder := t.TempDir()
	for name, c := range map[string]struct {
		variable, file string
		says           []string
	}{
		"both":        {variable, file, []string{variable, "--x-file " + file, "both"}},
		"missing":     {"", file + "x", []string{"--x-file " + file + "x", "no such file"}},
		"a folder":    {"", folder, []string{"--x-file " + folder}},
		"empty":       {"", writeSecret(t, "\n"), []string{"empty"}},
		"several":     {"", writeSecret(t, "hush\nhush"), []string{"more than one line"}},
		"a large one": {"", writeSecret(t, strings.Repeat("hush", 20_000)), []string{"65536 bytes"}},
	} {
		_, err := readLine(c.variable, "--x-file", c.file)
		if err == nil || strings.Contains(err.Error(), "hush") || strings.Contains(err.Error(), "from the") {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, part := range c.says {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v says nothing of %q", name, err, part)
			}
		}
	}
}

// TestEverySecretHasAFile checks that each secret can be given by a file, and that no flag takes a secret itself.
func TestEverySecretHasAFile(t *testing.T) {
	t.Parallel()
	envs := map[string]string{}
	for _, leaf := range model(t).Leaves(false) {
		for _, flags := range leaf.AllFlags(false) {
			for _, f := range flags {
				for _, env := range f.Envs {
					envs[env] = f.Name
				}
				name := strings.ReplaceAll(f.Name, "-", "_")
				if strings.HasSuffix(name, "_key") || strings.HasSuffix(name, "secret") || strings.HasSuffix(name, "password") {
					t.Errorf("--%s would show a secret in the list of processes", f.Name)
				}
			}
		}
	}
	for _, secret := range []string{
		"VERBATIM_LLM_KEY", "VERBATIM_SPEECH_KEY", "VERBATIM_S3_ACCESS_KEY", "VERBATIM_S3_SECRET_KEY", "VERBATIM_SECRET", "VERBATIM_DATABASE", "VERBATIM_DATABASE_PASSWORD",
	} {
		flag := envs[secret+"_FILE"]
		if want := strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(secret, "VERBATIM_"), "_", "-")) + "-file"; flag != want {
			t.Errorf("%s_FILE belongs to --%s, want --%s", secret, flag, want)
		}
	}
}

// TestKeyOfAModelFromAFile checks that the key is sent to the service and printed nowhere.
func TestKeyOfAModelFromAFile(t *testing.T) {
	t.Parallel()
	server := llmtest.New()
	var out, errs bytes.Buffer
	args := []string{"llm", "check", "--llm-url", server.Serve(t), "--llm-model", "tiny", "--llm-key-file", writeSecret(t, "hush-hush\n")}
	_ = run(t.Context(), args, &out, &errs) // the fake model does not pass the trials
	asked := server.Asked()
	if len(asked) == 0 || slices.ContainsFunc(asked, func(a llmtest.Asked) bool { return a.Authorization != "Bearer hush-hush" }) {
		t.Errorf("the service was asked %+v\n%s%s", asked, out.String(), errs.String())
	}
	if strings.Contains(out.String()+errs.String(), "hush") {
		t.Errorf("the key is printed:\n%s%s", out.String(), errs.String())
	}
}

// TestNoSecretIsPrinted checks that neither help nor errors contain a secret.
func TestNoSecretIsPrinted(t *testing.T) {
	storetest.OnceOnSQLite(t, ownFolder)
	const hush = "hush-hush-hush-hush-hush-hush-hush-hush"
	for _, variable := range []string{"VERBATIM_LLM_KEY", "VERBATIM_SPEECH_KEY", "VERBATIM_S3_ACCESS_KEY", "VERBATIM_S3_SECRET_KEY", "VERBATIM_SECRET", "PGPASSWORD"} {
		t.Setenv(variable, hush)
	}
	withPassword := "postgres://u:" + hush + "@127.0.0.1:1/db"
	t.Setenv("VERBATIM_DATABASE", withPassword)
	file := writeSecret(t, hush)
	ran := 0
	for _, args := range [][]string{
		{"--help"},
		{"serve", "--help"},
		{"llm", "check", "--help"},
		{"serve", "--llm-key-file", file, "--llm-url", "http://127.0.0.1:1", "--llm-model", "m", "--data", t.TempDir()},
		{"migrate"},
		{"doctor"},
		{"backup", filepath.Join(t.TempDir(), "b")},
		{"secret", "list"},
		{"migrate", "--database", "postgres://u:" + hush + "%zz@h/db"},
		{"migrate", "--database", "postgres://u:" + hush + "/x@h:a/db"},
		{"migrate", "--database", "mysql://u:" + hush + "@h/db"},
		{"migrate", "--database", "host=h password=" + hush},
		{"migrate", "--database-file", writeSecret(t, withPassword)},
		{"migrate", "--database-password-file", file},
		{"secret", "rotate", "--database", "sqlite:" + filepath.Join(t.TempDir(), "verbatim.db")},
		{"secret", "list", "--secret-file", file, "--database", "sqlite:" + filepath.Join(t.TempDir(), "verbatim.db")},
		{"org", "list", "--secret-file", file, "--database", "sqlite:" + filepath.Join(t.TempDir(), "verbatim.db"), "--blobs", "s3://b?endpoint=http://127.0.0.1:1"},
	} {
		var out, errs bytes.Buffer
		code := run(t.Context(), args, &out, &errs)
		if strings.Contains(out.String()+errs.String(), "hush") {
			t.Errorf("%v prints a secret:\n%s%s", args, out.String(), errs.String())
		}
		if code != 0 {
			ran++
		}
	}
	if ran < 10 {
		t.Errorf("only %d commands were refused", ran)
	}
}

// TestMigrateNamesTheDatabase checks that migrate prints the database without its password.
func TestMigrateNamesTheDatabase(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "verbatim.db")
	address := writeSecret(t, "sqlite:"+file+"\n")
	if made := object(t, "migrate", "--database-file", address); made["database"] != "sqlite:"+file {
		t.Errorf("migrated %v", made)
	}
	if _, stderr := command(t, exitUsage, "migrate", "--database-file", address, "--database", "sqlite:"+file); !strings.Contains(stderr, "--database-file "+address) {
		t.Errorf("stderr %q", stderr)
	}
	if _, stderr := command(t, exitUsage, "migrate", "--database", "postgres://u:hush@h/db", "--database-password-file", address); !strings.Contains(stderr, "--database-password-file "+address) || strings.Contains(stderr, "hush") {
		t.Errorf("stderr %q", stderr)
	}
}
