package blobtest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"

	"verbatim/internal/platform/blob"
)

// List returns the sorted names of the objects whose names begin with prefix.
func List(t testing.TB, s blob.Store, prefix string) (names []string) {
	t.Helper()
	for name, err := range s.List(t.Context(), prefix) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// listError returns the error that a listing ends with.
func listError(list iter.Seq2[string, error]) (last error) {
	for _, err := range list {
		last = err
	}
	return last
}

// listed lists more than a page of objects, in folders whose names must come together.
func listed(t *testing.T, s blob.Store) {
	space := Space()
	var want []string
	for n := range 60 {
		for _, name := range []string{"a", "hls/1.m4s", "hls-2", "hls.3"} {
			want = append(want, fmt.Sprintf("%sresponses/%d/%s", space, n, name))
		}
	}
	for n := range 1010 {
		want = append(want, fmt.Sprintf("%sresponses/many/%d", space, n))
	}
	var puts sync.WaitGroup
	for some := range slices.Chunk(want, len(want)/16+1) {
		puts.Go(func() {
			for _, name := range some {
				if err := s.Put(t.Context(), name, strings.NewReader("x"), 1, "text/plain"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	puts.Wait()
	Put(t, s, space+"responses-beside", "x")

	var found []string
	closed, at := map[string]bool{}, ""
	for name, err := range s.List(t.Context(), space+"responses/") {
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, name)
		folder, _, _ := strings.Cut(strings.TrimPrefix(name, space+"responses/"), "/")
		if folder == at {
			continue
		}
		if closed[folder] {
			t.Errorf("folder %s comes in several pieces", folder)
		}
		closed[folder], at = true, folder
	}
	slices.Sort(found)
	slices.Sort(want)
	if !slices.Equal(found, want) {
		t.Errorf("%d objects are listed, want %d", len(found), len(want))
	}
	if inner := List(t, s, space+"responses/7/hls/"); !slices.Equal(inner, []string{space + "responses/7/hls/1.m4s"}) {
		t.Errorf("in a folder below: %v", inner)
	}
	for _, empty := range []string{"never/", "responses/7/a/", "responses/7/hl/"} {
		if found := List(t, s, space+empty); len(found) > 0 {
			t.Errorf("below %s: %v", empty, found)
		}
	}

	for range s.List(t.Context(), space+"responses/") { // a caller that stops gets no more names
		break
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var last error
	count := 0
	for _, last = range s.List(ctx, space+"responses/") {
		count++
		cancel()
	}
	if !errors.Is(last, context.Canceled) || count > len(want) {
		t.Errorf("cancelled: %v after %d names", last, count)
	}
}

// listedBesidePuts lists while an object is partly stored: the new object is not listed, and the one that it would replace
// still is.
func listedBesidePuts(t *testing.T, s blob.Store) {
	space := Space()
	Put(t, s, space+"old", "as it was")
	var puts sync.WaitGroup
	var open []*io.PipeWriter
	for _, name := range []string{"new", "old", "deep/new"} {
		content, send := io.Pipe()
		open = append(open, send)
		puts.Go(func() {
			if err := s.Put(t.Context(), space+name, content, blob.Unknown, "video/mp4"); err != nil {
				t.Error(err)
			}
		})
		if _, err := send.Write(Bytes(5, 11<<20)); err != nil { // two parts have been sent to a bucket when this returns
			t.Error(err)
		}
	}
	if found := List(t, s, space); !slices.Equal(found, []string{space + "old"}) {
		t.Errorf("while puts are under way: %v", found)
	}
	for _, send := range open {
		send.Close()
	}
	puts.Wait()
	if found := List(t, s, space); !slices.Equal(found, []string{space + "deep/new", space + "new", space + "old"}) {
		t.Errorf("after them: %v", found)
	}
}
