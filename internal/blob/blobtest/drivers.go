// Package blobtest holds every store of objects to one suite, and gives other tests a store of each kind.
package blobtest

import (
	"os"
	"strings"
	"testing"
	"time"

	"verbatim/internal/blob"
)

// Variable names the environment variable with the address of an empty bucket for tests. scripts/with-s3.sh sets it.
const Variable = "VERBATIM_TEST_S3"

// Links signs for tests.
var Links = blob.Links{Base: "https://interviews.example.com", Secret: []byte(strings.Repeat("secret", 6)), Now: time.Now}

// Each runs a test on a folder, and on the bucket of a real S3 server. Without one the test says that half of it was not
// run and how to run it; in CI it fails.
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

// Folder is a new, empty folder.
func Folder(t testing.TB) blob.Store { return open(t, "file:"+t.TempDir()) }

// Bucket is the bucket of the tests, which they share: begin the names of objects with Space.
func Bucket(t testing.TB) blob.Store { return open(t, BucketAddress(t)) }

// BucketAddress is where the bucket of the tests is; it skips the test, or in CI fails it, where there is none.
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

func open(t testing.TB, address string) blob.Store {
	t.Helper()
	s, err := blob.Open(address, blob.Options{Links: Links, Getenv: os.Getenv})
	if err != nil {
		t.Fatal(err)
	}
	return s
}
