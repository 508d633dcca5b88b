// Package blobtest is the conformance suite for object stores, and provides stores of each kind for other tests.
package blobtest

import (
	"context"
	"crypto/rand"
	"errors"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"verbatim/internal/domain/signing"
	"verbatim/internal/platform/blob"
)

// Variable is the name of the environment variable with the address of an empty bucket for tests. scripts/with-s3.sh sets
// it.
const Variable = "VERBATIM_TEST_S3"

// Links signs URLs in tests.
var Links = blob.Links{Base: "https://interviews.example.com", Keys: Keys(strings.Repeat("secret", 6)), Now: time.Now}

// Keys returns a function that always returns the ring of one key, for Links.Keys. It panics for a secret that signing.NewKey
// refuses.
func Keys(secret string) func() signing.Ring {
	key, err := signing.NewKey(secret)
	if err != nil {
		panic(err)
	}
	return func() signing.Ring { return signing.NewRing(key) }
}

// Each runs a test on a folder, and on the bucket of a real S3 server. If there is no server the test logs that this half
// was not run and how to run it; in CI it fails.
func Each(t *testing.T, test func(t *testing.T, s blob.Store)) {
	t.Helper()
	t.Run("folder", func(t *testing.T) {
		t.Parallel()
		test(t, Folder(t))
	})
	t.Run("s3", func(t *testing.T) {
		t.Parallel()
		test(t, Bucket(t))
	})
}

// Folder returns a new, empty folder.
func Folder(t testing.TB) blob.Store { return Open(t, "file:"+t.TempDir()) }

// Bucket returns the bucket that all tests share: begin the names of objects with Space.
func Bucket(t testing.TB) blob.Store { return Open(t, BucketAddress(t)) }

// BucketAddress returns the address of the test bucket. If there is none it skips the test, or in CI fails it.
func BucketAddress(t testing.TB) string {
	t.Helper()
	address := os.Getenv(Variable)
	if address == "" {
		const missing = "not run: no S3 server. Run it with: scripts/with-s3.sh go test ./internal/..."
		if os.Getenv("CI") == "true" {
			t.Fatal(missing)
		}
		t.Skip(missing)
	}
	return address
}

// OwnBucket returns the address of an empty bucket that is removed with the test, for tests that look at everything in it.
func OwnBucket(t testing.TB) string {
	t.Helper()
	address := BucketAddress(t)
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	endpoint, err := url.Parse(u.Query().Get("endpoint"))
	if err != nil {
		t.Fatal(err)
	}
	client, err := minio.New(endpoint.Host, &minio.Options{
		Creds:        credentials.NewStaticV4(os.Getenv("VERBATIM_S3_ACCESS_KEY"), os.Getenv("VERBATIM_S3_SECRET_KEY"), ""),
		Secure:       endpoint.Scheme == "https",
		BucketLookup: minio.BucketLookupPath,
	})
	if err != nil {
		t.Fatal(err)
	}
	u.Host = "own-" + strings.ToLower(rand.Text())
	if err := client.MakeBucket(t.Context(), u.Host, minio.MakeBucketOptions{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx := context.WithoutCancel(t.Context())
		for object := range client.ListObjectsIter(ctx, u.Host, minio.ListObjectsOptions{Recursive: true}) {
			if err := errors.Join(object.Err, client.RemoveObject(ctx, u.Host, object.Key, minio.RemoveObjectOptions{})); err != nil {
				t.Error(err)
				return
			}
		}
		if err := client.RemoveBucket(ctx, u.Host); err != nil {
			t.Error(err)
		}
	})
	return u.String()
}

// Open opens a store by its address.
func Open(t testing.TB, address string) blob.Store {
	t.Helper()
	s, err := blob.Open(address, blob.Options{Links: Links, Getenv: os.Getenv})
	if err != nil {
		t.Fatal(err)
	}
	return s
}
