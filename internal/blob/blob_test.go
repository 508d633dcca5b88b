package blob_test

import (
	"os"
	"testing"

	"verbatim/internal/blob"
	"verbatim/internal/blob/blobtest"
)

func TestMain(m *testing.M) {
	if name := os.Getenv(putterName); name != "" {
		putter(name)
		return
	}
	os.Exit(m.Run())
}

func TestConform(t *testing.T) {
	t.Parallel()
	blobtest.Each(t, func(t *testing.T, s blob.Store) { blobtest.Conform(t, s) })
}
