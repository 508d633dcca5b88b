package exporting_test

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"testing"
	"time"

	"verbatim/internal/domain/org"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/blob/blobtest"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/exporting"
	"verbatim/internal/service/jobs"
)

// TestFilesExpire: a file can be fetched for seven days, and is removed then; one that could not be written is shown as failed.
func TestFilesExpire(t *testing.T) {
	t.Parallel()
	var passed atomic.Int64
	begin := time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)
	s := storetest.Open(t, storetest.Address(t), store.Options{Now: func() time.Time { return begin.Add(time.Duration(passed.Load())) }})
	w := newWorld(t, s, sampleGuide(t))
	w.fill(t, 2)
	w.exports.Objects = blobtest.Folder(t)
	ctx, caller := t.Context(), org.Caller{OrgID: w.study.OrgID}
	ask := func(f exporting.Format) exporting.File {
		t.Helper()
		made, err := w.exports.Ask(ctx, caller, w.study, exporting.Request{Format: f})
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	worker, written, failed := &exporting.Worker{Service: *w.exports}, ask(exporting.XLSX), ask(exporting.CSV)
	for range 2 { // a job may run twice
		if err := worker.Run(ctx, jobs.New(jobs.ExportArgs{ExportID: written.ID})); err != nil {
			t.Fatal(err)
		}
	}
	storetest.Write(t, s, func(tx *store.Tx) error {
		return worker.Discard(ctx, tx, jobs.New(jobs.ExportArgs{ExportID: failed.ID}))
	})
	removed := ask(exporting.JSONL)
	worker.Service.Objects = removing{w.exports.Objects, func() {
		if err := w.exports.Remove(ctx, caller, w.study, removed.ID); err != nil {
			t.Error(err)
		}
		if err := w.exports.Sweep(ctx); err != nil {
			t.Error(err)
		}
	}}
	if err := worker.Run(ctx, jobs.New(jobs.ExportArgs{ExportID: removed.ID})); err != nil {
		t.Errorf("removed while it was written: %v", err)
	}
	passed.Store(int64(exporting.Kept - time.Minute))
	if err := w.exports.Sweep(ctx); err != nil {
		t.Fatal(err)
	}
	all, err := w.exports.List(ctx, w.study)
	if err != nil || len(all) != 2 || all[0].Status != store.ExportFailed || all[1].Status != store.ExportComplete || all[1].Done != 2 || all[1].Size == 0 {
		t.Errorf("before: %+v, %v", all, err)
	}
	if names := blobtest.List(t, w.exports.Objects, "exports/"); len(names) != 1 {
		t.Errorf("objects: %q", names)
	}
	passed.Store(int64(exporting.Kept + time.Second))
	if _, err := w.exports.Open(ctx, caller, w.study, written.ID, true); !errors.Is(err, exporting.ErrNoExport) {
		t.Errorf("opened after its time: %v", err)
	}
	if err := w.exports.Sweep(ctx); err != nil {
		t.Fatal(err)
	}
	if names := blobtest.List(t, w.exports.Objects, "exports/"); len(names) != 0 {
		t.Errorf("left behind: %q", names)
	}
	if all, err = w.exports.List(ctx, w.study); err != nil || len(all) != 0 {
		t.Errorf("after: %+v, %v", all, err)
	}
}

// removing is an object store that calls remove before it returns from Put.
type removing struct {
	blob.Store
	remove func()
}

func (r removing) Put(ctx context.Context, name string, from io.Reader, size int64, contentType string) error {
	err := r.Store.Put(ctx, name, from, size, contentType)
	r.remove()
	return err
}
