package blob_test

import (
	"os"
	"testing"
	"time"

	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/blob/blobtest"
)

func TestMain(m *testing.M) {
	if name := os.Getenv(putterName); name != "" {
		putter(name)
		return
	}
	os.Exit(m.Run())
}

// TestReadyWritesNothing checks that Ready does not write and notices that a folder is gone, and that TryWrite leaves
// nothing behind.
func TestReadyWritesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	store, err := blob.Open("file:"+dir, blob.Options{Links: blobtest.Links, Getenv: func(string) string { return "" }})
	if err != nil {
		t.Fatal(err)
	}
	folder := store.(*blob.Folder)
	long := time.Now().Add(-time.Hour)
	if err := os.Chtimes(dir, long, long); err != nil {
		t.Fatal(err)
	}
	changed := func() bool {
		info, err := os.Stat(dir)
		if err != nil {
			t.Fatal(err)
		}
		return !info.ModTime().Equal(long)
	}
	if err := folder.Ready(t.Context()); err != nil || changed() {
		t.Errorf("ready: %v; the folder was written to: %v", err, changed())
	}
	if err := folder.TryWrite(t.Context()); err != nil || !changed() {
		t.Errorf("a write: %v; the folder was written to: %v", err, changed())
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("the write left %v, %v", left, err)
	}
}

func TestConform(t *testing.T) {
	t.Parallel()
	blobtest.Each(t, func(t *testing.T, s blob.Store) { blobtest.Conform(t, s) })
}
