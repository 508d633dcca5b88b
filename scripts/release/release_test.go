package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestReleaseIsReproducible builds one platform from two copies of the source in different folders, and compares every byte.
func TestReleaseIsReproducible(t *testing.T) {
	t.Parallel()
	platform := runtime.GOOS + "/" + runtime.GOARCH
	var made [2]*release
	sources := [2]string{copySource(t), copySource(t)} // both before either is built, since somebody may be editing
	for i := range made {
		made[i] = &release{Root: sources[i], Out: t.TempDir(), Version: "1.2.3", Commit: strings.Repeat("ab", 20), At: time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC)}
		files, err := made[i].build(t.Context(), platform)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := made[i].checksums(files); err != nil {
			t.Fatal(err)
		}
	}
	name := "verbatim_1.2.3_" + runtime.GOOS + "_" + runtime.GOARCH
	for _, file := range []string{name + ".tar.gz", name + ".cdx.json", "SHA256SUMS"} {
		one, two := read(t, made[0].Out, file), read(t, made[1].Out, file)
		if !bytes.Equal(one, two) {
			t.Errorf("%s has %d bytes and %d, and they differ", file, len(one), len(two))
		}
	}

	found := map[string][]byte{}
	unzipped, err := gzip.NewReader(bytes.NewReader(read(t, made[0].Out, name+".tar.gz")))
	if err != nil {
		t.Fatal(err)
	}
	for archive := tar.NewReader(unzipped); ; {
		header, err := archive.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if !header.ModTime.Equal(made[0].At) || header.Uid != 0 || header.Uname != "" {
			t.Errorf("%s carries the machine's time, user or group: %+v", header.Name, header)
		}
		if found[header.Name], err = io.ReadAll(archive); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{"verbatim", "LICENSE", "THIRD-PARTY-LICENSES.txt", "docs/self-hosting.md", "deploy/verbatim.service"} {
		if len(found[name+"/"+file]) == 0 {
			t.Errorf("the archive has no %s", file)
		}
	}
	if texts := string(found[name+"/THIRD-PARTY-LICENSES.txt"]); !strings.Contains(texts, "jackc/pgx") || !strings.Contains(texts, "Redistribution and use in source and binary forms") {
		t.Error("the licences of others are missing")
	}
	binary := filepath.Join(t.TempDir(), "verbatim")
	if err := os.WriteFile(binary, found[name+"/verbatim"], 0o700); err != nil {
		t.Fatal(err)
	}
	said, err := exec.CommandContext(t.Context(), binary, "--version").Output()
	if err != nil || string(said) != "verbatim 1.2.3\n" {
		t.Errorf("--version prints %q, %v", said, err)
	}

	var b bill
	if err := json.Unmarshal(read(t, made[0].Out, name+".cdx.json"), &b); err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	for _, c := range b.Components {
		if c.Version == "" || !strings.HasPrefix(c.Purl, "pkg:") {
			t.Errorf("the bill of materials does not say what %+v is", c)
		}
		names[c.Name] = c.Version
	}
	if names["modernc.org/libc"] == "" || names["std"] != strings.TrimPrefix(runtime.Version(), "go") || names["preact"] == "" || b.Format != "CycloneDX" || len(b.Dependencies) != 1 {
		t.Errorf("the bill of materials has %d parts, libc %q, std %q, preact %q", len(names), names["modernc.org/libc"], names["std"], names["preact"])
	}
}

// copySource copies the source that the program is built from into a folder of its own.
func copySource(t *testing.T) string {
	t.Helper()
	root, to := filepath.Join("..", ".."), t.TempDir()
	for _, name := range []string{"go.mod", "go.sum", "LICENSE", "README.md", "CHANGELOG.md", "cmd", "internal", "openapi", "deploy", "docs", "web"} {
		from := filepath.Join(root, name)
		info, err := os.Stat(from)
		if err != nil {
			t.Fatal(err)
		}
		if !info.IsDir() {
			write(t, filepath.Join(to, name), read(t, root, name))
			continue
		}
		err = filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && (d.Name() == "node_modules" || d.Name() == "testdata" && !strings.Contains(path, "openapi")) {
				return filepath.SkipDir
			}
			if d.Type().IsRegular() {
				relative, err := filepath.Rel(root, path)
				if err != nil {
					return err
				}
				write(t, filepath.Join(to, relative), read(t, root, relative))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return to
}

func read(t *testing.T, dir, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestZipIsReproducible(t *testing.T) {
	t.Parallel()
	r := release{At: time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC)}
	entries := []entry{{"LICENSE", []byte("text"), false}, {"verbatim.exe", []byte("program"), true}}
	one, err := r.zip("folder", entries)
	if err != nil {
		t.Fatal(err)
	}
	two, err := r.zip("folder", entries)
	if err != nil || !bytes.Equal(one, two) {
		t.Errorf("the same files make different archives, %v", err)
	}
	archive, err := zip.NewReader(bytes.NewReader(one), int64(len(one)))
	if err != nil || len(archive.File) != 2 || archive.File[1].Name != "folder/verbatim.exe" || archive.File[1].Mode() != 0o755 {
		t.Errorf("the archive holds %+v, %v", archive, err)
	}
}

// TestDescribeNeedsATag prepares a repository for a release step by step: each error names what is still missing.
func TestDescribeNeedsATag(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	do := func(args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir, "-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	refused := func(want string) {
		t.Helper()
		if _, err := describe(t.Context(), dir, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("describe: %v, want %q", err, want)
		}
	}
	write(t, filepath.Join(dir, "cmd", "verbatim", "version.go"), []byte("package main\n\nconst number = \"1.2.3\"\n"))
	write(t, filepath.Join(dir, "CHANGELOG.md"), []byte("# Changelog\n\n## Unreleased\n"))
	do("init", "-q")
	do("add", "-A")
	do("commit", "-qm", "Begin")
	refused("tag v1.2.3")
	if r, err := describe(t.Context(), dir, true); err != nil || !strings.HasPrefix(r.Version, "1.2.3-dev+") || len(r.Commit) != 40 {
		t.Errorf("a trial: %+v, %v", r, err)
	}
	do("tag", "v1.2.3")
	refused("CHANGELOG.md does not begin")
	write(t, filepath.Join(dir, "CHANGELOG.md"), []byte("# Changelog\n\n## 1.2.3 (2026-11-22)\n"))
	refused("not the tagged commit")
	do("commit", "-qam", "Release 1.2.3")
	refused("tag v1.2.3")
	do("tag", "-f", "v1.2.3")
	if r, err := describe(t.Context(), dir, false); err != nil || r.Version != "1.2.3" || r.At.IsZero() {
		t.Errorf("a release: %+v, %v", r, err)
	}
}

// TestSignaturesAreFound signs with a key of the test's own, and has ssh-keygen verify it as docs/releasing.md says.
func TestSignaturesAreFound(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	key := filepath.Join(dir, "key")
	if out, err := exec.CommandContext(t.Context(), "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", key).CombinedOutput(); err != nil {
		t.Fatalf("ssh-keygen: %v\n%s", err, out)
	}
	sums := filepath.Join(dir, "SHA256SUMS")
	write(t, sums, []byte("sums\n"))
	for range 2 { // the second run replaces the first one's signature
		if err := sign(t.Context(), key, sums); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(dir, "allowed"), append([]byte("releases@verbatim "), read(t, dir, "key.pub")...))
	verify := func() error {
		cmd := exec.CommandContext(t.Context(), "ssh-keygen", "-Y", "verify", "-f", filepath.Join(dir, "allowed"), "-I", "releases@verbatim", "-n", "verbatim-release", "-s", sums+".sig")
		cmd.Stdin = bytes.NewReader(read(t, dir, "SHA256SUMS"))
		return cmd.Run()
	}
	if err := verify(); err != nil {
		t.Errorf("the signature is not accepted: %v", err)
	}
	write(t, sums, []byte("others\n"))
	if verify() == nil {
		t.Error("the signature is accepted for other sums")
	}
}
