package main

import (
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/outage"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/erasure"
	"verbatim/internal/service/jobs"
)

// TestMedia follows a recording through the complete service: stored, linked, served, and erased with its response.
func TestMedia(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	scene := storetest.NewScene(t, s)
	r := storetest.Response(t, s, scene.Study, nil)
	dir := filepath.Join(t.TempDir(), "blobs")
	const base = "https://interviews.example.com"
	node := func() *service {
		t.Helper()
		svc, err := newService(t.Context(), s, "file:"+dir, serviceFlags{BaseURL: base, Price: "1", AbandonAfter: time.Hour}, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		return svc
	}
	one, two := node(), node()
	get := func(svc *service, address string) int {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := inProcess{svc.server.Handler()}.RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode
	}

	name := erasure.ObjectPrefix(r.ID) + "recordings/1.webm"
	if err := one.blobs.Put(t.Context(), name, strings.NewReader("canary-recording"), blob.Unknown, "audio/webm"); err != nil {
		t.Fatal(err)
	}
	link, err := one.blobs.SignedURL(t.Context(), name, blob.Lifetime)
	if err != nil {
		t.Fatal(err)
	}
	if status := get(two, link); status != http.StatusOK {
		t.Errorf("the link that one node made is %d at another", status)
	}
	if status := get(two, link+"x"); status != http.StatusForbidden {
		t.Errorf("another object: %d", status)
	}

	d, err := one.erasure.Request(t.Context(), org.Caller{OrgID: scene.Org.ID}, scene.Study.ID, r.ID)
	if err != nil {
		t.Fatal(err)
	}
	if err := one.runner(jobs.KindErase).Handlers[jobs.KindErase].Run(t.Context(), jobs.New(jobs.EraseArgs{DeletionID: d.ID})); err != nil {
		t.Fatal(err)
	}
	if status := get(two, link); status != http.StatusNotFound {
		t.Errorf("erased, the link answers %d", status)
	}
	err = filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if strings.HasSuffix(name, d.Tombstone()) { // contains only ids
			return nil
		}
		t.Errorf("left of the response: %s", name)
		return nil
	})
	if err != nil {
		t.Error(err)
	}

	if status := get(one, base+"/readyz"); status != http.StatusOK {
		t.Errorf("ready: %d", status)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := one.objects.Check(t.Context()); !errors.Is(err, outage.ErrObjectsUnreachable) {
		t.Errorf("without its folder a look finds %v", err)
	}
	if status := get(one, base+"/readyz"); status != http.StatusOK {
		t.Errorf("without its folder it is not ready, although interviews go on: %d", status)
	}
}

// TestServeRefusesBlobs checks that serve refuses invalid addresses of the objects.
func TestServeRefusesBlobs(t *testing.T) {
	storetest.OnceOnSQLite(t, ownFolder)
	t.Setenv("VERBATIM_S3_ACCESS_KEY", "id")
	t.Setenv("VERBATIM_S3_SECRET_KEY", "hunter2")
	for address, want := range map[string]string{
		"data/blobs":             "file:DIR or s3:",
		"s3://id:hunter2@bucket": "must not hold keys",
	} {
		_, stderr := command(t, exitRefused, "serve", "--listen=127.0.0.1:0", "--data="+t.TempDir(), "--blobs="+address)
		if !strings.Contains(stderr, want) || strings.Contains(stderr, "hunter2") {
			t.Errorf("%s: %s", address, stderr)
		}
	}
}
