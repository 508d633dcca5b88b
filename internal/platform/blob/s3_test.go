package blob_test

import (
	"crypto/rand"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/blob/blobtest"
)

// rawClient returns a client of the test server that bypasses the package.
func rawClient(t *testing.T, address string) (client *minio.Client, bucket string) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	endpoint, err := url.Parse(u.Query().Get("endpoint"))
	if err != nil {
		t.Fatal(err)
	}
	client, err = minio.New(endpoint.Host, &minio.Options{
		Creds:        credentials.NewStaticV4(os.Getenv("VERBATIM_S3_ACCESS_KEY"), os.Getenv("VERBATIM_S3_SECRET_KEY"), ""),
		Secure:       endpoint.Scheme == "https",
		BucketLookup: minio.BucketLookupPath,
	})
	if err != nil {
		t.Fatal(err)
	}
	return client, u.Host
}

// TestVersions deletes in a bucket that keeps what was deleted and replaced.
func TestVersions(t *testing.T) {
	t.Parallel()
	address := blobtest.BucketAddress(t)
	client, shared := rawClient(t, address)
	bucket := "versions-" + strings.ToLower(rand.Text())
	if err := client.MakeBucket(t.Context(), bucket, minio.MakeBucketOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := client.EnableVersioning(t.Context(), bucket); err != nil {
		t.Fatal(err)
	}
	s, err := blob.Open(strings.Replace(address, shared, bucket, 1), blob.Options{Getenv: os.Getenv})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"r/1/a", "r/1/b/c", "r/2/a"} {
		blobtest.Put(t, s, name, "first")
		blobtest.Put(t, s, name, "second")
	}
	left := func(want int) {
		t.Helper()
		versions := 0
		for version := range client.ListObjectsIter(t.Context(), bucket, minio.ListObjectsOptions{Recursive: true, WithVersions: true}) {
			if version.Err != nil {
				t.Fatal(version.Err)
			}
			versions++
		}
		if versions != want {
			t.Errorf("%d versions are left, want %d", versions, want)
		}
	}
	left(6)
	if err := s.DeletePrefix(t.Context(), "r/1/"); err != nil {
		t.Fatal(err)
	}
	left(2)
	if err := s.Delete(t.Context(), "r/2/a"); err != nil {
		t.Fatal(err)
	}
	left(0)
}

// TestBucketLink requests the URLs that a bucket signs itself.
func TestBucketLink(t *testing.T) {
	t.Parallel()
	s := blobtest.Bucket(t)
	space := blobtest.Space()
	blobtest.Put(t, s, space+"a", "the object")
	blobtest.Put(t, s, space+"b", "another")
	sign := func(lifetime time.Duration) string {
		t.Helper()
		link, err := s.SignedURL(t.Context(), space+"a", lifetime)
		if err != nil {
			t.Fatal(err)
		}
		return link
	}
	get := func(link string) (int, string) {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, link, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode, string(body)
	}
	link := sign(blob.Lifetime)
	if status, body := get(link); status != http.StatusOK || body != "the object" {
		t.Errorf("the link answers %d %q", status, body)
	}
	if strings.Contains(link, os.Getenv("VERBATIM_S3_SECRET_KEY")) && os.Getenv("VERBATIM_S3_SECRET_KEY") != "" {
		t.Error("the link holds the secret key")
	}
	last := link[len(link)-1:]
	for what, tampered := range map[string]string{
		"another object":    strings.Replace(link, space+"a", space+"b", 1),
		"another signature": strings.TrimSuffix(link, last) + map[bool]string{true: "1", false: "0"}[last == "0"],
		"another lifetime":  strings.Replace(link, "X-Amz-Expires=3600", "X-Amz-Expires=7200", 1),
		"no signature":      link[:strings.Index(link, "?")],
	} {
		if tampered == link {
			t.Errorf("%s: nothing was changed in %s", what, link)
		}
		if status, body := get(tampered); status != http.StatusForbidden {
			t.Errorf("%s: %d %q", what, status, body)
		}
	}
	short := sign(time.Second)
	ctx := t.Context()
	for tick := time.NewTicker(200 * time.Millisecond); ; {
		if status, _ := get(short); status == http.StatusForbidden {
			tick.Stop()
			break
		}
		select { // until the server, which has its own clock, regards it as expired
		case <-tick.C:
		case <-ctx.Done():
			t.Fatal("the link never expired")
		}
	}
}

func TestBucketUnreachable(t *testing.T) {
	t.Parallel()
	address := blobtest.BucketAddress(t)
	_, bucket := rawClient(t, address)
	s, err := blob.Open(strings.Replace(address, bucket, "there-is-none", 1), blob.Options{Getenv: os.Getenv})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Ready(t.Context()); err == nil || !strings.Contains(err.Error(), "there-is-none") {
		t.Errorf("Ready without a bucket: %v", err)
	}
	if _, err := s.Get(t.Context(), "a", 0, blob.ToEnd); err == nil || strings.Contains(err.Error(), blob.ErrNotFound.Error()) {
		t.Errorf("Get without a bucket: %v, which must not look like a missing object", err)
	}
	wrong := func(name string) string {
		return map[bool]string{true: "wrong", false: os.Getenv(name)}[name == "VERBATIM_S3_SECRET_KEY"]
	}
	if s, err = blob.Open(address, blob.Options{Getenv: wrong}); err != nil {
		t.Fatal(err)
	}
	if err := s.Ready(t.Context()); err == nil {
		t.Error("Ready with a wrong key")
	}
}
