package blob_test

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"verbatim/internal/platform/blob"
)

func TestOpen(t *testing.T) {
	t.Parallel()
	ours := map[string]string{"VERBATIM_S3_ACCESS_KEY": "id", "VERBATIM_S3_SECRET_KEY": "hunter2"}
	amazons := map[string]string{"AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "hunter2"}
	for _, tt := range []struct {
		address string
		env     map[string]string
		wantErr string // empty: it opens
	}{
		{"file:" + filepath.Join(t.TempDir(), "a", "b"), nil, ""},
		{"s3://bucket", ours, ""},
		{"s3://bucket", amazons, ""},
		{"s3://bucket?endpoint=https://minio.example.com:9000&region=eu-central-1&path_style=true", ours, ""},
		{"s3://bucket?endpoint=http://127.0.0.1:9000/&path_style=false", ours, ""},
		{"", nil, "file:DIR or s3:"},
		{"data/blobs", nil, "file:DIR or s3:"},
		{"gs://bucket", ours, "file:DIR or s3:"},
		{"s3://bucket", nil, "VERBATIM_S3_ACCESS_KEY"},
		{"s3://bucket", map[string]string{"VERBATIM_S3_ACCESS_KEY": "id"}, "VERBATIM_S3_SECRET_KEY"},
		{"s3://id:hunter2@bucket", ours, "must not hold keys"},
		{"s3://bucket?endpoint=https://id:hunter2@example.com", ours, "endpoint"},
		{"s3://bucket?endpoint=example.com", ours, "endpoint"},
		{"s3://bucket?endpoint=https://example.com/path", ours, "endpoint"},
		{"s3://bucket?path_style=perhaps", ours, "path_style"},
		{"s3://bucket?secret=hunter2", ours, `unknown parameter "secret"`},
		{"s3://bucket/folder", ours, "s3://BUCKET"},
		{"s3://", ours, "s3://BUCKET"},
		{"s3://bucket?%zz=hunter2", ours, "cannot be parsed"},
		{"s3://bu cket:hunter2", ours, "cannot be parsed"},
	} {
		s, err := blob.Open(tt.address, blob.Options{Getenv: func(name string) string { return tt.env[name] }})
		if tt.wantErr == "" {
			if err != nil || s == nil {
				t.Errorf("%s with %v: %v", tt.address, maps.Keys(tt.env), err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), tt.wantErr) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v, want it to say %q and no secret", tt.address, err, tt.wantErr)
		}
	}
}

// TestFolderIsConfined stores an object where a symbolic link leads out of the folder.
func TestFolderIsConfined(t *testing.T) {
	t.Parallel()
	dir, outside := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, "out")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(outside, "secret"), []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := blob.Open("file:"+dir, blob.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Put(t.Context(), "out/new", strings.NewReader("x"), 1, "text/plain"); err == nil {
		t.Error("put outside")
	}
	if _, err := s.Get(t.Context(), "out/secret", 0, blob.ToEnd); err == nil {
		t.Error("read outside")
	}
	_ = s.DeletePrefix(t.Context(), "out/") // may remove the link itself, or refuse
	if files, err := os.ReadDir(outside); err != nil || len(files) != 1 {
		t.Errorf("outside there are %v (%v)", files, err)
	}
}

func TestFolderErrors(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "blobs")
	s, err := blob.Open("file:"+dir, blob.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"empty": "", "foreign": strings.Repeat("x", 500), "cut": "\xffverbatim", "lying": "\xff\nverbatim-object-1\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Stat(t.Context(), name); err == nil || !strings.Contains(err.Error(), "damaged") {
			t.Errorf("Stat of a file that is no object, %s: %v", name, err)
		}
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := s.Ready(t.Context()); err == nil {
		t.Error("ready without its folder")
	}
}
