package backup

import (
	"errors"
	"path/filepath"
	"testing"

	"verbatim/internal/domain/response"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/blob/blobtest"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// TestMove moves a database with its objects, and then refuses to move another one over them. The target stays usable.
func TestMove(t *testing.T) {
	t.Parallel()
	source := func() string {
		address := "sqlite:" + filepath.Join(t.TempDir(), "verbatim.db")
		sc := storetest.NewScene(t, storetest.Open(t, address, store.Options{}))
		storetest.Response(t, sc.Store, sc.Study, nil)
		if err := sc.Store.Close(); err != nil {
			t.Fatal(err)
		}
		return address
	}
	objects, name := "file:"+t.TempDir(), response.Objects+"a/recordings/b/c.webm"
	blobtest.Put(t, blobtest.Open(t, objects), name, "words")
	progress := map[string]int64{}
	m := Move{
		From: source(), To: "sqlite:" + filepath.Join(t.TempDir(), "moved.db"), Options: func(string) (store.Options, error) { return store.Options{}, nil },
		ObjectsFrom: objects, ObjectsTo: "file:" + t.TempDir(),
		OpenObjects: func(address string) (blob.Store, error) { return blob.Open(address, blob.Options{}) },
		Progress:    func(what string, done int64) { progress[what] = done },
	}
	done, err := m.Run(t.Context())
	if err != nil || len(done.Tables) < 20 || done.Objects.Objects != 1 || progress["response"] != 1 {
		t.Errorf("moved %+v with progress %v, %v", done, progress, err)
	}
	if _, ok := progress["objects"]; !ok {
		t.Error("no progress of the objects")
	}
	if got := string(blobtest.Content(t, blobtest.Open(t, m.ObjectsTo), name)); got != "words" {
		t.Errorf("the object holds %q", got)
	}
	target := storetest.Open(t, m.To, store.Options{})
	if n, err := target.View().CountResponses(t.Context()); err != nil || n != 1 {
		t.Errorf("%d responses, %v", n, err)
	}
	if err := target.Close(); err != nil {
		t.Fatal(err)
	}
	m.From = source()
	if _, err := m.Run(t.Context()); !errors.Is(err, store.ErrNotEmpty) {
		t.Errorf("over another database: %v", err)
	}
}
