package blob_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/blob/blobtest"
)

// The environment makes the test program a process that stores its standard input.
const (
	putterName    = "VERBATIM_BLOB_PUTTER_NAME"
	putterAddress = "VERBATIM_BLOB_PUTTER_ADDRESS"
)

// putter stores what it is sent, and writes a byte for each read to report how much it has read.
func putter(name string) {
	s, err := blob.Open(os.Getenv(putterAddress), blob.Options{Links: blobtest.Links, Getenv: os.Getenv})
	if err == nil {
		err = s.Put(context.Background(), name, io.TeeReader(os.Stdin, counted{}), blob.Unknown, "video/mp4")
	}
	fmt.Fprintln(os.Stderr, "the put ended:", err)
}

type counted struct{}

func (counted) Write(p []byte) (int, error) {
	_, err := fmt.Fprintln(os.Stdout, len(p))
	return len(p), err
}

// killPut begins to store an object in a process of its own and kills that process after it has read so many bytes.
func killPut(t *testing.T, address, name string, count int) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Env = append(os.Environ(), putterName+"="+name, putterAddress+"="+address)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		_, _ = in.Write(blobtest.Bytes(9, count)) // without an end: the Put does not finish
	}()
	for got := 0; got < count; {
		var n int
		if _, err := fmt.Fscanln(out, &n); err != nil {
			t.Fatalf("the process took %d bytes: %v: %s", got, err, said.String())
		}
		got += n
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-sent
	if err := cmd.Wait(); err == nil || said.Len() > 0 {
		t.Fatalf("the process was not killed: %v %s", err, said.String())
	}
}

// testKilled kills the Put of a new object and one that would replace an object. check is called before the folder is
// deleted, with true, and after.
func testKilled(t *testing.T, address string, check func(space string, left bool)) {
	s, err := blob.Open(address, blob.Options{Links: blobtest.Links, Getenv: os.Getenv})
	if err != nil {
		t.Fatal(err)
	}
	space := blobtest.Space()
	blobtest.Put(t, s, space+"old", "as it was")
	for _, name := range []string{"new", "old"} {
		killPut(t, address, space+name, 11<<20)
	}
	blobtest.Gone(t, s, space+"new")
	if got := blobtest.Content(t, s, space+"old"); string(got) != "as it was" {
		t.Errorf("the object that was to be replaced reads %d bytes", len(got))
	}
	if found := blobtest.List(t, s, space); len(found) != 1 || found[0] != space+"old" {
		t.Errorf("listed are %v", found)
	}
	check(space, true)
	if err := s.DeletePrefix(t.Context(), space); err != nil {
		t.Fatal(err)
	}
	check(space, false)
}

func TestKilledFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	testKilled(t, "file:"+dir, func(space string, left bool) {
		files := 0
		err := filepath.WalkDir(filepath.Join(dir, space), func(_ string, entry fs.DirEntry, err error) error {
			if err == nil && entry.Type().IsRegular() {
				files++
			}
			return err
		})
		if want := map[bool]int{true: 3}[left]; files != want || (err == nil) != left {
			t.Errorf("there are %d files (%v), want %d: the object and the two beginnings, then nothing", files, err, want)
		}
	})
}

func TestKilledBucket(t *testing.T) {
	t.Parallel()
	address := blobtest.BucketAddress(t)
	client, bucket := rawClient(t, address)
	testKilled(t, address, func(space string, left bool) {
		uploads := 0
		for upload := range client.ListIncompleteUploads(t.Context(), bucket, space, true) {
			if upload.Err != nil {
				t.Fatal(upload.Err)
			}
			uploads++
		}
		if want := map[bool]int{true: 2}[left]; uploads != want {
			t.Errorf("%d uploads are unfinished, want %d", uploads, want)
		}
	})
}
