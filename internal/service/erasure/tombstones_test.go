package erasure_test

import (
	"context"
	"errors"
	"iter"
	"strings"
	"testing"
	"time"

	"verbatim/internal/domain/response"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/blob/blobtest"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/erasure"
)

// TestReplay restores a database to the state before a deletion: the response that a tombstone records is deleted again, with
// its original receipt, and nothing else is.
func TestReplay(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	ctx, view, objects := t.Context(), s.Scene.Store.View(), blobtest.Folder(t)
	kept := storetest.Response(t, s.Scene.Store, s.Study, nil)
	graves := erasure.Tombstones{Store: s.Scene.Store, Objects: objects}
	// The database is as a backup left it; these deletions came later, so it does not know them.
	at := s.Scene.Store.Now().Add(-time.Hour)
	again := response.Deletion{ID: store.NewID(), OrgID: s.Org.ID, StudyID: s.Study.ID, ResponseID: s.response.ID, RequestedAt: at}
	younger := response.Deletion{ID: store.NewID(), OrgID: s.Org.ID, StudyID: s.Study.ID, ResponseID: store.NewID(), RequestedAt: at}
	foreign := response.Deletion{ID: store.NewID(), OrgID: store.NewID(), StudyID: s.Study.ID, ResponseID: kept.ID, RequestedAt: at}
	for _, d := range []response.Deletion{again, younger, foreign} {
		blobtest.Put(t, objects, d.Tombstone(), "x")
	}
	blobtest.Put(t, objects, response.TombstoneDay(at)+"strange", "x")
	blobtest.Put(t, objects, erasure.ObjectPrefix(younger.ResponseID)+"uploads/1/a", "canary")

	done, err := graves.Replay(ctx, false)
	if want := (erasure.Replayed{Tombstones: 4, Restored: 2, Foreign: 2}); err != nil || done != want {
		t.Fatalf("replayed %+v (%v), want %+v", done, err, want)
	}
	if _, _, err := view.ParticipantResponse(ctx, s.response.ID); !errors.Is(err, response.ErrGone) {
		t.Errorf("the response that was deleted meets %v", err)
	}
	if w, err := view.Wallet(ctx, s.Wallet.ID); err != nil || w.Project != s.Wallet.Project {
		t.Errorf("its hold was not released: %+v (%v)", w.Project, err)
	}
	worker := &erasure.Worker{Store: s.Scene.Store, Objects: objects}
	if n, err := worker.Finish(ctx); err != nil || n != 2 {
		t.Errorf("finished %d (%v)", n, err)
	}
	for _, d := range []response.Deletion{again, younger} {
		got, err := s.Status(ctx, s.caller, d.ID)
		if err != nil || got.ResponseID != d.ResponseID || got.Status != response.DeletionCompleted || !got.RequestedAt.Equal(d.RequestedAt) {
			t.Errorf("the receipt is %+v (%v), want %+v", got, err, d)
		}
	}
	blobtest.Gone(t, objects, erasure.ObjectPrefix(younger.ResponseID)+"uploads/1/a")
	if _, err := view.AnyResponse(ctx, kept.ID); err != nil {
		t.Errorf("another organization's tombstone deleted a response: %v", err)
	}
	if done, err := graves.Replay(ctx, true); err != nil || done.Restored != 0 {
		t.Errorf("replayed again %+v (%v)", done, err)
	}
	if violations, err := view.AuditLedger(ctx); err != nil || len(violations) != 0 {
		t.Errorf("the ledger: %q (%v)", violations, err)
	}
}

// listings records the prefixes that are listed.
type listings struct {
	blob.Store
	prefixes []string
}

func (l *listings) List(ctx context.Context, prefix string) iter.Seq2[string, error] {
	l.prefixes = append(l.prefixes, prefix)
	return l.Store.List(ctx, prefix)
}

// TestReplayReadsOnFromTheLast: a start reads the tombstones of a few days, and after the restore of an old backup all since
// then.
func TestReplayReadsOnFromTheLast(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	s := storetest.NewAt(t, clock)
	objects := &listings{Store: blobtest.Folder(t)}
	graves := erasure.Tombstones{Store: s, Objects: objects}
	for _, tt := range []struct {
		later time.Duration
		all   bool
		want  int
		first string
	}{
		{0, false, 1, response.Tombstones},
		{0, false, 5, "tombstones/2026-02-26/"},
		{10 * 24 * time.Hour, false, 15, "tombstones/2026-02-26/"},
		{time.Hour, false, 5, "tombstones/2026-03-08/"},
		{0, true, 1, response.Tombstones},
	} {
		clock.Advance(tt.later)
		objects.prefixes = nil
		if _, err := graves.Replay(t.Context(), tt.all); err != nil {
			t.Fatal(err)
		}
		if len(objects.prefixes) != tt.want || objects.prefixes[0] != tt.first {
			t.Errorf("%v later (all: %v): listed %v", tt.later, tt.all, objects.prefixes)
		}
	}
}

// TestComplete: deletions from before there were tombstones get theirs, and lost tombstones are written again on demand.
func TestComplete(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	d, err := s.Request(t.Context(), s.caller, s.Study.ID, s.response.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (&erasure.Worker{Store: s.Scene.Store}).Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	objects := blobtest.Folder(t)
	graves := erasure.Tombstones{Store: s.Scene.Store, Objects: objects}
	for _, tt := range []struct {
		lose, all bool
		want      int
	}{{false, false, 1}, {false, true, 0}, {true, false, 0}, {true, true, 1}, {false, false, 0}} {
		if tt.lose {
			if err := objects.DeletePrefix(t.Context(), response.Tombstones); err != nil {
				t.Fatal(err)
			}
		}
		if n, err := graves.Complete(t.Context(), tt.all); err != nil || n != tt.want {
			t.Errorf("%+v: wrote %d (%v)", tt, n, err)
		}
	}
	if names := blobtest.List(t, objects, response.Tombstones); len(names) != 1 || names[0] != d.Tombstone() {
		t.Errorf("tombstones %v", names)
	}
	if text := string(blobtest.Content(t, objects, d.Tombstone())); !strings.Contains(text, "keep it") {
		t.Errorf("it says %q", text)
	}
}

// TestSweep: objects of a deleted response that a restored copy brought back are removed, and those of others stay.
func TestSweep(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	objects := blobtest.Folder(t)
	other := storetest.Response(t, s.Scene.Store, s.Study, nil)
	if _, err := s.Request(t.Context(), s.caller, s.Study.ID, s.response.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := (&erasure.Worker{Store: s.Scene.Store, Objects: objects}).Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"uploads/1/a", "uploads/1/b", "recordings/1/c"} {
		blobtest.Put(t, objects, erasure.ObjectPrefix(s.response.ID)+name, "canary")
		blobtest.Put(t, objects, erasure.ObjectPrefix(other.ID)+name, "another's")
	}
	graves := erasure.Tombstones{Store: s.Scene.Store, Objects: objects}
	for _, want := range []int{1, 0} {
		if n, err := graves.Sweep(t.Context()); err != nil || n != want {
			t.Errorf("swept %d (%v), want %d", n, err, want)
		}
	}
	if left := blobtest.List(t, objects, response.Objects); len(left) != 3 {
		t.Errorf("left are %v", left)
	}
}
