package maintenance_test

import (
	"testing"

	"verbatim/internal/domain/response"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/blob/blobtest"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/erasure"
	"verbatim/internal/service/maintenance"
)

// TestTombstones: a receipt without its tombstone is reported, and so is a tombstone without its receipt.
func TestTombstones(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	objects := blobtest.Folder(t)
	look := func(objects blob.Store, want string) {
		t.Helper()
		if found := examine(t, maintenance.Doctor{Store: sc.Store, Objects: objects}, "tombstones"); found != want {
			t.Errorf("found %q, want %q", found, want)
		}
	}
	doomed(t, sc)
	look(objects, "") // its tombstone comes with the purge
	if _, err := (&erasure.Worker{Store: sc.Store, Objects: objects}).Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	look(objects, "")

	all, err := sc.Store.View().Deletions(t.Context())
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	lost := "1 deletion(s) have no tombstone beside the objects: a backup of before them would bring the responses back: " + all[0].ID
	look(nil, lost)
	if err := objects.DeletePrefix(t.Context(), response.Tombstones); err != nil {
		t.Fatal(err)
	}
	look(objects, lost)
	if _, err := (erasure.Tombstones{Store: sc.Store, Objects: objects}).Complete(t.Context(), true); err != nil {
		t.Fatal(err)
	}

	other := all[0]
	r := storetest.Response(t, sc.Store, sc.Study, nil)
	other.ID, other.ResponseID = r.ID, r.ID
	blobtest.Put(t, objects, other.Tombstone(), "x")
	look(objects, "1 deletion(s) that have a tombstone are unknown to the database: it was restored from a backup of before them: "+other.ID)
	if done, err := (erasure.Tombstones{Store: sc.Store, Objects: objects}).Replay(t.Context(), true); err != nil || done.Restored != 1 {
		t.Fatal(done, err)
	}
	look(objects, "")
	r = storetest.Response(t, sc.Store, sc.Study, nil)
	other.ID, other.ResponseID, other.OrgID = r.ID, r.ID, r.ID
	blobtest.Put(t, objects, other.Tombstone(), "x")
	look(objects, "1 tombstone(s) are of no response of this installation; remove them: "+other.ID)
}
