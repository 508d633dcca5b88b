package blob_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"time"

	"verbatim/internal/domain/signing"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/blob/blobtest"
)

func TestLinks(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	links := blob.Links{Base: "https://example.com", Keys: blobtest.Keys(strings.Repeat("s", 32)), Now: func() time.Time { return now }}
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

	// Within a step the link stays the same; it always lasts at least its lifetime.
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

	links.Keys = blobtest.Keys(strings.Repeat("t", 32))
	check("another secret", blob.ErrForged, expiry, signature, name)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("signed without a secret")
			}
		}()
		blob.Links{Keys: func() signing.Ring { return signing.Ring{} }, Now: time.Now}.Object(name, time.Hour)
	}()
}

// TestLinksEnd checks that a link that expires later than any that the service makes is refused, even if it is signed.
func TestLinksEnd(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	links := blob.Links{Keys: blobtest.Keys(strings.Repeat("s", 32)), Now: func() time.Time { return now }}
	const name = "responses/1/a.mp4"
	for lifetime, want := range map[time.Duration]error{blob.Lifetime: nil, blob.Lifetime + 5*time.Minute: nil, 2 * blob.Lifetime: blob.ErrForged, 100 * 365 * 24 * time.Hour: blob.ErrForged} {
		for _, link := range []string{links.Object(name, lifetime), links.Folder(name, lifetime)} {
			parts := strings.SplitN(strings.TrimPrefix(link, "/m/"), "/", 3)
			if err := links.Check(parts[0], parts[1], parts[2]); !errors.Is(err, want) {
				t.Errorf("a link for %v: %v, want %v", lifetime, err, want)
			}
		}
	}
}

// TestLinksOfEarlierVersions checks that links signed before key ids were introduced are served until their secret ends.
func TestLinksOfEarlierVersions(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	ring, err := signing.Parse(strings.Repeat("n", 32) + "," + strings.Repeat("o", 52) + " until=2027-01-15T09:00:00Z for=links-1") // an hour from now
	if err != nil {
		t.Fatal(err)
	}
	links := blob.Links{Keys: func() signing.Ring { return ring }, Now: func() time.Time { return now }}
	const name = "responses/1/a.mp4"
	mac := hmac.New(sha256.New, []byte(strings.Repeat("o", 52)))
	mac.Write([]byte("object\n1800003500\n" + name))
	signature := base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
	if err := links.Check("1800003500", signature, name); err != nil {
		t.Errorf("a link of the version before: %v", err)
	}
	if err := links.Check("1800003500", signature, name+"x"); !errors.Is(err, blob.ErrForged) {
		t.Errorf("to another object: %v", err)
	}
	now = now.Add(time.Hour)
	if err := links.Check("1800003500", signature, name); !errors.Is(err, blob.ErrForged) {
		t.Errorf("after its secret's end: %v", err)
	}
}
