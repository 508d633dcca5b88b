package main

import (
	"net/http"
	"strings"
	"testing"

	"verbatim/internal/platform/store/storetest"
)

// TestServeWithoutObjects checks that a server starts and is ready although its bucket cannot be reached, and reports it.
func TestServeWithoutObjects(t *testing.T) {
	storetest.OnceOnSQLite(t, ownFolder)
	t.Setenv("VERBATIM_S3_ACCESS_KEY", "hunter2") // replaces the keys of a store that the test suite may use
	t.Setenv("VERBATIM_S3_SECRET_KEY", "hunter2")
	p := startServer(t, "--data", t.TempDir(), "--metrics-listen", "127.0.0.1:0",
		"--blobs", "s3://bucket?endpoint=http://127.0.0.1:1&path_style=true&region=x")
	if status, body := get(t, p.url+"/readyz"); status != http.StatusOK || !strings.Contains(body, `"objects":"away"`) {
		t.Errorf("ready: %d %s", status, body)
	}
	if _, page := get(t, p.metrics); !strings.Contains(page, "verbatim_objects_reachable 0") {
		t.Error("the metrics do not say that the objects are away")
	}
	if !strings.Contains(p.logged(), "recordings and uploads cannot be reached") {
		t.Errorf("the log does not say that the objects are away:\n%s", p.logged())
	}
}
