package blob_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"verbatim/internal/blob"
)

func TestLinks(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	links := blob.Links{Base: "https://example.com", Secret: []byte(strings.Repeat("s", 32)), Now: func() time.Time { return now }}
	parts := func(link string) (expiry, signature, name string) {
		t.Helper()
		rest, ok := strings.CutPrefix(link, "https://example.com/m/")
		split := strings.SplitN(rest, "/", 3)
		if !ok || len(split) != 3 {
			t.Fatalf("the link is %s", link)
		}
		return split[0], split[1], split[2]
	}
	check := func(what string, want error, expiry, signature, name string) {
		t.Helper()
		if err := links.Check(expiry, signature, name); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", what, err, want)
		}
	}
	const name = "responses/1/hls/index.m3u8"
	for kind, link := range map[string]string{"object": links.Object(name, blob.Lifetime), "folder": links.Folder(name, blob.Lifetime)} {
		expiry, signature, path := parts(link)
		if expiry != "1800003600" || path != name {
			t.Errorf("%s: %s", kind, link)
		}
		check(kind, nil, expiry, signature, name)
		neighbours := map[string]error{"object": blob.ErrForged, "folder": nil}[kind]
		check(kind+": its neighbour", neighbours, expiry, signature, "responses/1/hls/s1.m4s")
		for _, other := range []string{
			"", "responses/1/hls", "responses/1/hls/", "responses/1/index.m3u8", "responses/1/hls/deeper/index.m3u8", "responses/2/hls/index.m3u8",
			"responses/1/hls/../hls/index.m3u8", "responses/1/hls/../../2/a", "/responses/1/hls/index.m3u8", "responses/1/hls/.put-1",
		} {
			check(kind+": "+other, blob.ErrForged, expiry, signature, other)
		}
		for i := range signature { // each byte counts, to the last bit
			for _, b := range []byte("AB_") {
				if signature[i] != b {
					check(kind+": changed byte", blob.ErrForged, expiry, signature[:i]+string(b)+signature[i+1:], name)
				}
			}
		}
		for _, other := range []string{"1800003601", "01800003600", "+1800003600", "", "x"} {
			check(kind+": expiry "+other, blob.ErrForged, other, signature, name)
		}
		check(kind+": no signature", blob.ErrForged, expiry, "", name)
		check(kind+": more signature", blob.ErrForged, expiry, signature+"A", name)
	}

	expiry, signature, _ := parts(links.Object(name, blob.Lifetime))
	now = now.Add(blob.Lifetime - time.Second)
	check("in the last second", nil, expiry, signature, name)
	now = now.Add(time.Second)
	check("after an hour", blob.ErrExpired, expiry, signature, name)
	check("after an hour, forged", blob.ErrForged, expiry, signature, name+"x")

	// Within a step the link stays the same; it never lasts less than its lifetime.
	now = time.Unix(1_800_000_000, 0).Add(time.Second)
	first := links.Folder(name, blob.Lifetime)
	expiry, signature, _ = parts(first)
	if expiry != "1800004500" {
		t.Errorf("a second later the link ends at %s", expiry)
	}
	now = now.Add(blob.LinkStep - time.Second)
	if again := links.Folder(name, blob.Lifetime); again != first {
		t.Errorf("the same step makes %s and %s", first, again)
	}
	now = now.Add(time.Nanosecond)
	if again := links.Folder(name, blob.Lifetime); again == first {
		t.Error("the next step makes the same link")
	}
	now = time.Unix(1_800_004_499, 0)
	check("in the last second of its step", nil, expiry, signature, name)
	now = now.Add(time.Second)
	check("after its step", blob.ErrExpired, expiry, signature, name)

	links.Secret = []byte(strings.Repeat("t", 32))
	check("another secret", blob.ErrForged, expiry, signature, name)
	for _, secret := range []string{"", "short"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("signed with the secret %q", secret)
				}
			}()
			blob.Links{Secret: []byte(secret), Now: time.Now}.Object(name, time.Hour)
		}()
	}
}
