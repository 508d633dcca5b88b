package blobtest

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"verbatim/internal/platform/blob"
)

// Space returns a folder name that no other test uses, with a trailing slash.
func Space() string { return "test/" + rand.Text() + "/" }

// Put stores a text as an object.
func Put(t testing.TB, s blob.Store, name, content string) {
	t.Helper()
	if err := s.Put(t.Context(), name, strings.NewReader(content), int64(len(content)), "text/plain"); err != nil {
		t.Fatal(err)
	}
}

// Content returns the full content of an object.
func Content(t testing.TB, s blob.Store, name string) []byte {
	t.Helper()
	content, err := read(t.Context(), s, name, 0, blob.ToEnd)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func read(ctx context.Context, s blob.Store, name string, offset, length int64) ([]byte, error) {
	body, err := s.Get(ctx, name, offset, length)
	if err != nil {
		return nil, err
	}
	content, err := io.ReadAll(body)
	return content, errors.Join(err, body.Close())
}

// Gone fails the test if the object exists.
func Gone(t testing.TB, s blob.Store, name string) {
	t.Helper()
	if info, err := s.Stat(t.Context(), name); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("Stat of %s = %+v, %v; want ErrNotFound", name, info, err)
	}
	if _, err := read(t.Context(), s, name, 0, blob.ToEnd); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("Get of %s = %v, want ErrNotFound", name, err)
	}
}

// Bytes returns n bytes that look random and are the same for the same seed.
func Bytes(seed byte, n int) []byte {
	b := make([]byte, n)
	x := uint32(seed)*2654435761 + 1
	for i := range b {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		b[i] = byte(x)
	}
	return b
}

// large is more than two parts of a bucket, and not a multiple of a part.
const large = 12<<20 + 12345

// Conform tests that a store keeps the contract of blob.Store, except SignedURL, which the tests of package media cover as
// well.
func Conform(t *testing.T, s blob.Store) {
	for name, test := range map[string]func(*testing.T, blob.Store){
		"round trip": roundTrip, "ranges": ranges, "refused": refused, "broken off": brokenOff, "replaced": replaced,
		"at once": atOnce, "deleted": deleted, "deleted by prefix": deletedByPrefix, "listed": listed, "listed beside puts": listedBesidePuts, "reader": reader, "ready": ready,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, s)
		})
	}
}

func roundTrip(t *testing.T, s blob.Store) {
	for _, size := range []int{0, 1, 100_000, 5 << 20, 5<<20 + 1, large} {
		for _, known := range []bool{true, false} {
			name := fmt.Sprintf("%sobject-%d-%t.webm", Space(), size, known)
			content, announced := Bytes(1, size), int64(size)
			if !known {
				announced = blob.Unknown
			}
			const kind = "video/webm;codecs=vp8,opus"
			begun := time.Now()
			if err := s.Put(t.Context(), name, io.MultiReader(bytes.NewReader(content)), announced, kind); err != nil {
				t.Fatalf("%d bytes, known %t: %v", size, known, err)
			}
			info, err := s.Stat(t.Context(), name)
			if err != nil || info.Size != int64(size) || info.ContentType != kind || info.ModTime.Sub(begun).Abs() > time.Minute {
				t.Errorf("Stat = %+v, %v", info, err)
			}
			if got := Content(t, s, name); !bytes.Equal(got, content) {
				t.Errorf("%d bytes, known %t: got %d other bytes", size, known, len(got))
			}
		}
	}
}

func ranges(t *testing.T, s blob.Store) {
	name, content := Space()+"a", Bytes(2, large)
	if err := s.Put(t.Context(), name, bytes.NewReader(content), large, "video/mp4"); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ offset, length, end int64 }{
		{0, 1, 1},
		{0, large, large},
		{0, large + 1, large},
		{1, 2, 3},
		{5<<20 - 3, 6, 5<<20 + 3},
		{large - 1, 1, large},
		{large - 1, blob.ToEnd, large},
		{large - 10, 100, large},
		{large - 10, 1<<63 - 1, large},
	} {
		got, err := read(t.Context(), s, name, tt.offset, tt.length)
		if err != nil || !bytes.Equal(got, content[tt.offset:tt.end]) {
			t.Errorf("%d from %d: %d bytes, %v", tt.length, tt.offset, len(got), err)
		}
	}
	for _, tt := range []struct{ offset, length int64 }{{large, 1}, {large, blob.ToEnd}, {large + 5, 5}, {-1, 5}, {0, 0}, {0, -2}} {
		if got, err := read(t.Context(), s, name, tt.offset, tt.length); !errors.Is(err, blob.ErrRange) {
			t.Errorf("%d from %d: %d bytes, %v, want ErrRange", tt.length, tt.offset, len(got), err)
		}
	}
	empty := Space() + "empty"
	Put(t, s, empty, "")
	if got, err := read(t.Context(), s, empty, 0, 10); err != nil || len(got) != 0 {
		t.Errorf("a range of nothing: %q, %v", got, err)
	}
	if _, err := read(t.Context(), s, empty, 1, 10); !errors.Is(err, blob.ErrRange) {
		t.Errorf("past the end of nothing: %v", err)
	}
}

func refused(t *testing.T, s blob.Store) {
	for _, name := range []string{
		"", ".", "..", "/", "/etc/passwd", "a/", "a//b", "a/../b", "../a", "a/./b", ".hidden", "a/.put-1", `a\b`, "a b", "a\x00", "ä", "a%2fb",
		strings.Repeat("a", 201), strings.Repeat("abcdefghi/", 91) + "a",
	} {
		_, statErr := s.Stat(t.Context(), name)
		_, getErr := s.Get(t.Context(), name, 0, blob.ToEnd)
		_, linkErr := s.SignedURL(t.Context(), name, time.Hour)
		for method, err := range map[string]error{
			"Put":  s.Put(t.Context(), name, strings.NewReader("x"), 1, "text/plain"),
			"Stat": statErr, "Get": getErr, "SignedURL": linkErr,
			"Delete":       s.Delete(t.Context(), name),
			"DeletePrefix": s.DeletePrefix(t.Context(), name+"/"),
			"List":         listError(s.List(t.Context(), name+"/")),
		} {
			if !errors.Is(err, blob.ErrName) {
				t.Errorf("%s of the name %q: %v, want ErrName", method, name, err)
			}
		}
	}
	if err := s.DeletePrefix(t.Context(), "test"); !errors.Is(err, blob.ErrName) {
		t.Errorf("DeletePrefix without a slash: %v", err)
	}
	if err := listError(s.List(t.Context(), "test")); !errors.Is(err, blob.ErrName) {
		t.Errorf("List without a slash: %v", err)
	}
	for _, kind := range []string{"", "text", "/", "text/", "text/plain\r\nX-Evil: 1", "text/ä", "text/" + strings.Repeat("a", 255)} {
		if err := s.Put(t.Context(), Space()+"a", strings.NewReader("x"), 1, kind); !errors.Is(err, blob.ErrType) {
			t.Errorf("the type %q: %v", kind, err)
		}
	}
}

// brokenOff stores content that ends early, late or with an error, small and in parts, as a new object and over an existing
// one.
func brokenOff(t *testing.T, s blob.Store) {
	broken := errors.New("the sender is gone")
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, size := range []int{0, 10, large} {
		content := Bytes(3, size)
		failing := func(err error) io.Reader { return io.MultiReader(bytes.NewReader(content), iotest.ErrReader(err)) }
		for what, tt := range map[string]struct {
			ctx  context.Context
			r    io.Reader
			size int64
			want error
		}{
			"too short":                {t.Context(), bytes.NewReader(content), int64(size) + 1, blob.ErrSize},
			"too long":                 {t.Context(), io.MultiReader(bytes.NewReader(content), strings.NewReader("x")), int64(size), blob.ErrSize},
			"failing":                  {t.Context(), failing(broken), int64(size) + 1, broken},
			"failing, size unknown":    {t.Context(), failing(broken), blob.Unknown, broken},
			"broken off":               {t.Context(), failing(io.ErrUnexpectedEOF), int64(size) + 1, io.ErrUnexpectedEOF},
			"broken off, size unknown": {t.Context(), failing(io.ErrUnexpectedEOF), blob.Unknown, io.ErrUnexpectedEOF},
			"cancelled":                {cancelled, bytes.NewReader(content), int64(size), context.Canceled},
			"negative":                 {t.Context(), bytes.NewReader(content), -2, blob.ErrSize},
		} {
			name := Space() + "a"
			if err := s.Put(tt.ctx, name, tt.r, tt.size, "video/mp4"); !errors.Is(err, tt.want) {
				t.Errorf("%s, %d bytes: %v, want %v", what, size, err, tt.want)
			}
			Gone(t, s, name)
			if found := List(t, s, path.Dir(name)+"/"); len(found) > 0 {
				t.Errorf("%s, %d bytes: %v is listed", what, size, found)
			}
		}
	}
	name := Space() + "a"
	Put(t, s, name, "the first")
	if err := s.Put(t.Context(), name, io.MultiReader(strings.NewReader("the sec"), iotest.ErrReader(broken)), 10, "video/mp4"); !errors.Is(err, broken) {
		t.Error(err)
	}
	if got := Content(t, s, name); string(got) != "the first" {
		t.Errorf("after a put that failed the object reads %q", got)
	}
}

func replaced(t *testing.T, s blob.Store) {
	name := Space() + "a"
	Put(t, s, name, "the first, which is longer")
	if err := s.Put(t.Context(), name, strings.NewReader("the second"), blob.Unknown, "audio/mp4"); err != nil {
		t.Fatal(err)
	}
	info, err := s.Stat(t.Context(), name)
	if got := Content(t, s, name); string(got) != "the second" || err != nil || info.ContentType != "audio/mp4" || info.Size != 10 {
		t.Errorf("replaced: %q, %+v, %v", got, info, err)
	}
}

// atOnce stores many objects, and one name many times while it is read: every read returns one complete object.
func atOnce(t *testing.T, s blob.Store) {
	space := Space()
	contents := make([][]byte, 8)
	var puts sync.WaitGroup
	for i := range contents {
		contents[i] = bytes.Repeat([]byte{byte('a' + i)}, 300_000)
		for _, name := range []string{"shared", fmt.Sprintf("deep/er/%d", i)} {
			puts.Go(func() {
				if err := s.Put(t.Context(), space+name, bytes.NewReader(contents[i]), 300_000, "text/plain"); err != nil {
					t.Error(err)
				}
				got, err := read(t.Context(), s, space+"shared", 0, blob.ToEnd)
				if errors.Is(err, blob.ErrNotFound) && name != "shared" {
					return
				}
				if err != nil || len(got) != 300_000 || !bytes.Equal(got, bytes.Repeat(got[:1], 300_000)) {
					t.Errorf("read %d bytes of several objects (%v)", len(got), err)
				}
			})
		}
	}
	puts.Wait()
	for i, want := range contents {
		if got := Content(t, s, fmt.Sprintf("%sdeep/er/%d", space, i)); !bytes.Equal(got, want) {
			t.Errorf("object %d is another", i)
		}
	}
}

func deleted(t *testing.T, s blob.Store) {
	space := Space()
	for _, name := range []string{"a", "ab", "c/d"} {
		Put(t, s, space+name, name)
	}
	for range 2 {
		for _, name := range []string{"a", "c", "c/d", "c/d/e", "never"} {
			if err := s.Delete(t.Context(), space+name); err != nil {
				t.Errorf("Delete of %s: %v", name, err)
			}
			if name == "c" && string(Content(t, s, space+"ab")) != "ab" {
				t.Error("Delete took another object")
			}
		}
		Gone(t, s, space+"a")
		Gone(t, s, space+"c/d")
	}
	Put(t, s, space+"c/d", "again")
	if got := Content(t, s, space+"c/d"); string(got) != "again" {
		t.Errorf("put again it reads %q", got)
	}
}

func deletedByPrefix(t *testing.T, s blob.Store) {
	space := Space()
	doomed := []string{"responses/1/a", "responses/1/b", "responses/1/hls/init.mp4", "responses/1/hls/s1.m4s"}
	kept := []string{"responses/10/a", "responses/2/a", "other", "plain"}
	for _, name := range append(doomed, kept...) {
		Put(t, s, space+name, name)
	}
	for range 2 { // it may be repeated
		for _, prefix := range []string{"responses/1/", "plain/", "never/"} {
			if err := s.DeletePrefix(t.Context(), space+prefix); err != nil {
				t.Errorf("DeletePrefix of %s: %v", prefix, err)
			}
		}
		for _, name := range doomed {
			Gone(t, s, space+name)
		}
		for _, name := range kept {
			if got := Content(t, s, space+name); string(got) != name {
				t.Errorf("%s reads %q", name, got)
			}
		}
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.DeletePrefix(cancelled, space+"responses/2/"); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// reader reads by seeking, across the chunks that a Reader requests.
func reader(t *testing.T, s blob.Store) {
	name, content := Space()+"a", Bytes(4, 2<<20)
	if err := s.Put(t.Context(), name, bytes.NewReader(content), 2<<20, "video/mp4"); err != nil {
		t.Fatal(err)
	}
	r := blob.NewReader(t.Context(), s, name, 2<<20)
	if err := iotest.TestReader(r, content); err != nil {
		t.Error(err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	longer := blob.NewReader(t.Context(), s, name, 3<<20)
	if got, err := io.ReadAll(longer); err == nil || len(got) != 2<<20 {
		t.Errorf("an object shorter than was said: %d bytes, %v", len(got), err)
	}
}

func ready(t *testing.T, s blob.Store) {
	if err := s.Ready(t.Context()); err != nil {
		t.Error(err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Ready(cancelled); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
