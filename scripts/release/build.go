package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// entry is a file of an archive.
type entry struct {
	name    string
	content []byte
	program bool
}

// build writes the archive and the bill of materials of one platform, and returns their names.
func (r *release) build(ctx context.Context, platform string) ([]string, error) {
	system, processor, ok := strings.Cut(platform, "/")
	if !ok {
		return nil, errors.New("a platform is a system and a processor, such as linux/amd64")
	}
	name := fmt.Sprintf("verbatim_%s_%s_%s", r.Version, system, processor)
	work, err := os.MkdirTemp("", "verbatim-release-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	binary := filepath.Join(work, "verbatim")
	if err := r.compile(ctx, system, processor, binary); err != nil {
		return nil, err
	}
	built, err := buildinfo.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	program, err := os.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	shipped, err := r.components(ctx, built)
	if err != nil {
		return nil, err
	}
	bill, err := r.bill(name, program, built, shipped)
	if err != nil {
		return nil, err
	}
	entries, err := r.entries(system, program, licences(shipped))
	if err != nil {
		return nil, err
	}
	var packed []byte
	archive := name + ".tar.gz"
	if system == "windows" {
		archive = name + ".zip"
		packed, err = r.zip(name, entries)
	} else {
		packed, err = r.tar(name, entries)
	}
	if err != nil {
		return nil, err
	}
	for file, content := range map[string][]byte{archive: packed, name + ".cdx.json": bill} {
		if err := os.WriteFile(filepath.Join(r.Out, file), content, 0o644); err != nil {
			return nil, err
		}
	}
	return []string{archive, name + ".cdx.json"}, nil
}

// compile builds the program so that neither the machine nor the time changes its bytes.
func (r *release) compile(ctx context.Context, system, processor, binary string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-mod=readonly",
		"-ldflags", fmt.Sprintf("-s -w -buildid= -X main.stampedVersion=%s -X main.stampedCommit=%s", r.Version, r.Commit), "-o", binary, "./cmd/verbatim")
	cmd.Dir = r.Root
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(variable string) bool {
		return strings.HasPrefix(variable, "GO") && (strings.HasPrefix(variable, "GOFLAGS=") || strings.HasPrefix(variable, "GOEXPERIMENT=") ||
			strings.HasPrefix(variable, "GOAMD64=") || strings.HasPrefix(variable, "GOARM64="))
	}), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+processor, "GOFLAGS=", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	return nil
}

// entries returns the program, the texts that must go with it, and the files of deploy/.
func (r *release) entries(system string, program, licences []byte) ([]entry, error) {
	name := "verbatim"
	if system == "windows" {
		name += ".exe"
	}
	all := []entry{{name, program, true}, {"THIRD-PARTY-LICENSES.txt", licences, false}}
	files := []string{"LICENSE", "README.md", "CHANGELOG.md", "docs/self-hosting.md"}
	err := filepath.WalkDir(filepath.Join(r.Root, "deploy"), func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == "secrets" { // an operator's own
			return filepath.SkipDir
		}
		if d.Type().IsRegular() {
			relative, err := filepath.Rel(r.Root, file)
			if err != nil {
				return err
			}
			files = append(files, filepath.ToSlash(relative))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		content, err := os.ReadFile(filepath.Join(r.Root, filepath.FromSlash(file)))
		if err != nil {
			return nil, err
		}
		all = append(all, entry{file, content, false})
	}
	slices.SortFunc(all, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	return all, nil
}

func (e entry) mode() fs.FileMode {
	if e.program {
		return 0o755
	}
	return 0o644
}

func (r *release) tar(folder string, entries []entry) ([]byte, error) {
	var packed bytes.Buffer
	compressed, err := gzip.NewWriterLevel(&packed, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(compressed)
	for _, e := range entries {
		header := &tar.Header{
			Typeflag: tar.TypeReg, Name: path.Join(folder, e.name), Size: int64(len(e.content)), Mode: int64(e.mode()), ModTime: r.At, Format: tar.FormatUSTAR,
		}
		if err := w.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := w.Write(e.content); err != nil {
			return nil, err
		}
	}
	if err := errors.Join(w.Close(), compressed.Close()); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}

func (r *release) zip(folder string, entries []entry) ([]byte, error) {
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	for _, e := range entries {
		header := &zip.FileHeader{Name: path.Join(folder, e.name), Method: zip.Deflate, Modified: r.At}
		header.SetMode(e.mode())
		file, err := w.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := file.Write(e.content); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}

// checksums writes SHA256SUMS, which sha256sum --check reads, and returns its path.
func (r *release) checksums(files []string) (string, error) {
	slices.Sort(files)
	var sums strings.Builder
	for _, file := range files {
		content, err := os.ReadFile(filepath.Join(r.Out, file))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(content), file)
	}
	to := filepath.Join(r.Out, "SHA256SUMS")
	return to, os.WriteFile(to, []byte(sums.String()), 0o644)
}
