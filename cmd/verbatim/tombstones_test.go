package main

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"log/slog"
	"strings"
	"testing"

	"verbatim/internal/domain/response"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/blob/blobtest"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/erasure"
)

// awayStore is a store of objects that cannot be reached while err is set.
type awayStore struct {
	blob.Store
	err error
}

func (s *awayStore) List(ctx context.Context, prefix string) iter.Seq2[string, error] {
	if s.err != nil {
		return func(yield func(string, error) bool) { yield("", s.err) }
	}
	return s.Store.List(ctx, prefix)
}

// TestReplayWaitsForTheObjects checks that a server starts without the objects and logs it, and repeats the deletions once they are back.
func TestReplayWaitsForTheObjects(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	r := storetest.Response(t, sc.Store, sc.Study, nil)
	objects := &awayStore{Store: blobtest.Folder(t), err: errors.New("the bucket is away")}
	d := response.Deletion{ID: store.NewID(), OrgID: sc.Org.ID, StudyID: sc.Study.ID, ResponseID: r.ID, RequestedAt: sc.Store.Now()}
	blobtest.Put(t, objects.Store, d.Tombstone(), "x")
	var log bytes.Buffer
	svc := &service{tombstones: erasure.Tombstones{Store: sc.Store, Objects: objects}, log: slog.New(slog.NewTextHandler(&log, nil))}
	there := func() bool {
		t.Helper()
		_, err := sc.Store.View().AnyResponse(t.Context(), r.ID)
		if err != nil && !errors.Is(err, response.ErrNotFound) {
			t.Fatal(err)
		}
		return err == nil
	}
	svc.replayTombstonesAtStart(t.Context())
	if !there() || !strings.Contains(log.String(), "could not be read") || svc.tombstonesReplayed {
		t.Errorf("while they are away: there %v, %s", there(), &log)
	}
	objects.err = nil
	svc.completeTombstones(t.Context())
	if there() || !strings.Contains(log.String(), "deletions=1") || !svc.tombstonesReplayed {
		t.Errorf("when they are back: there %v, %s", there(), &log)
	}
}
