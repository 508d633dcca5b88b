package blob_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/blob/blobtest"
)

// TestCopy copies from a folder into a store of each kind and back.
func TestCopy(t *testing.T) {
	t.Parallel()
	blobtest.Each(t, func(t *testing.T, to blob.Store) {
		from, back := blobtest.Folder(t), blobtest.Folder(t)
		space := blobtest.Space()
		prefixes := []string{space + "a/", space + "b/"}
		for n := range 20 {
			blobtest.Put(t, from, fmt.Sprintf("%sa/%d", space, n), strings.Repeat("x", n*100))
		}
		blobtest.Put(t, from, space+"b/large", strings.Repeat("large", 2<<20))
		blobtest.Put(t, from, space+"c/other", "no part of it")
		for i, stores := range [][2]blob.Store{{from, to}, {to, back}} {
			done, err := blob.Copy(t.Context(), stores[0], stores[1], prefixes, nil)
			if want := (blob.Copied{Objects: 21, Bytes: 19*10*100 + 10<<20, New: 21}); err != nil || done != want {
				t.Fatalf("copied %+v, %v, want %+v", done, err, want)
			}
			if i == 0 {
				if err := stores[1].Delete(t.Context(), space+"a/7"); err != nil { // as if it had been interrupted there
					t.Fatal(err)
				}
				if done, err := blob.Copy(t.Context(), stores[0], stores[1], prefixes, nil); err != nil || done.Objects != 21 || done.New != 1 {
					t.Errorf("again: %+v, %v", done, err)
				}
			}
		}
		if names := blobtest.List(t, back, space); len(names) != 21 {
			t.Errorf("back came %v", names)
		}
		blobtest.Put(t, back, space+"a/7", strings.Repeat("y", 700))
		if _, err := blob.Copy(t.Context(), from, back, prefixes, nil); !errors.Is(err, blob.ErrDiffers) || !strings.Contains(err.Error(), "a/7") {
			t.Errorf("over another content: %v", err)
		}
		blobtest.Put(t, to, space+"b/mine", "mine")
		if done, err := blob.Copy(t.Context(), from, to, prefixes, nil); !errors.Is(err, blob.ErrDiffers) || !strings.Contains(err.Error(), "b/mine") {
			t.Errorf("into a store that is used: %+v, %v", done, err)
		}
	})
}
