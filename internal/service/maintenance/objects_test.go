package maintenance_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"verbatim/internal/domain/response"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/blob/blobtest"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/maintenance"
)

const (
	orphans = "orphan objects"
	missing = "missing objects"
	strays  = "stray objects"
)

// examine returns the result of one check as one text, or "" if all is well.
func examine(t *testing.T, d maintenance.Doctor, check string) string {
	t.Helper()
	findings, err := d.Examine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(findings, func(f maintenance.Finding) bool { return f.Check == check })
	if i < 0 || findings[i].Wrong() && findings[i].Remedy == "" {
		t.Fatalf("no check of %s, or no advice for it: %+v", check, findings)
	}
	return strings.Join(findings[i].Violations, "\n")
}

func names(all ...string) func(context.Context) iter.Seq2[string, error] {
	return func(context.Context) iter.Seq2[string, error] {
		return func(yield func(string, error) bool) {
			for _, name := range all {
				if !yield(name, nil) {
					return
				}
			}
		}
	}
}

// doomed returns a response whose deletion is queued.
func doomed(t *testing.T, sc storetest.Scene) response.Response {
	t.Helper()
	r := storetest.Response(t, sc.Store, sc.Study, nil)
	storetest.Write(t, sc.Store, func(tx *store.Tx) error {
		_, err := tx.CreateDeletion(t.Context(), r)
		return err
	})
	return r
}

// TestObjects compares a database with objects in a folder and in a bucket.
func TestObjects(t *testing.T) {
	t.Parallel()
	for kind, address := range map[string]func(testing.TB) string{
		"folder": func(t testing.TB) string { return "file:" + t.TempDir() }, "s3": blobtest.OwnBucket,
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			sc := storetest.NewScene(t, storetest.New(t))
			objects := blobtest.Open(t, address(t))
			folder := func(id string) string { return response.Objects + id + "/" }
			there, going := storetest.Response(t, sc.Store, sc.Study, nil), doomed(t, sc)
			for _, name := range []string{folder(there.ID) + "a.webm", folder(there.ID) + "hls/1.m4s", folder(going.ID) + "a.webm", "others/a"} {
				blobtest.Put(t, objects, name, "x")
			}
			d := maintenance.Doctor{Store: sc.Store, Objects: objects}
			if found := examine(t, d, orphans); found != "" {
				t.Errorf("nothing is wrong, and found is: %s", found)
			}
			d.Expected = names(folder(there.ID)+"a.webm", "others/a", folder(going.ID)+"gone", folder(store.NewID())+"gone")
			if found := examine(t, d, missing); found != "" {
				t.Errorf("nothing is missing, and found is: %s", found)
			}

			for n := range 7 {
				blobtest.Put(t, objects, folder(fmt.Sprintf("nobody-%d", n))+"a.webm", "x")
				blobtest.Put(t, objects, folder(fmt.Sprintf("nobody-%d", n))+"hls/1.m4s", "x")
			}
			blobtest.Put(t, objects, response.Objects+"stray", "x")
			found := examine(t, d, orphans)
			if !strings.HasPrefix(found, "there are objects of 8 response(s) that the database does not have: ") || !strings.HasSuffix(found, " and 3 more") ||
				strings.Count(found, "nobody-") < 4 || strings.Contains(found, there.ID) || strings.Contains(found, going.ID) {
				t.Error(found)
			}
			d.Expected = names(folder(there.ID)+"a.webm", folder(there.ID)+"b.webm", "others/b")
			if found := examine(t, d, missing); found != "2 object(s) that the database names are not there: "+folder(there.ID)+"b.webm, others/b" {
				t.Error(found)
			}
		})
	}
}

// TestStrayObjects: an old object that lies among the uploads and belongs to none is reported.
func TestStrayObjects(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	sc := storetest.NewScene(t, storetest.NewAt(t, clock))
	r := storetest.Response(t, sc.Store, sc.Study, nil)
	objects := blobtest.Folder(t)
	stray := response.Objects + r.ID + "/uploads/" + store.NewID() + "/part"
	for _, name := range []string{stray, response.Objects + r.ID + "/a.webm"} {
		blobtest.Put(t, objects, name, "x")
	}
	info, err := objects.Stat(t.Context(), stray)
	if err != nil {
		t.Fatal(err)
	}
	d := maintenance.Doctor{Store: sc.Store, Objects: objects}
	clock.Advance(info.ModTime.Sub(clock.Now()) + time.Hour)
	if found := examine(t, d, strays); found != "" {
		t.Errorf("young: %s", found)
	}
	clock.Advance(48 * time.Hour)
	if found := examine(t, d, strays); found != "1 object(s) belong to no upload and no recording: "+stray {
		t.Error(found)
	}
	findings, err := d.Examine(t.Context())
	if err != nil || slices.ContainsFunc(findings, func(f maintenance.Finding) bool { return f.Check == strays && f.Wrong() }) {
		t.Errorf("it counts as wrong: %+v, %v", findings, err)
	}
}

// listing is an object store that lists what a test provides.
type listing struct {
	blob.Store
	names   func(context.Context) iter.Seq2[string, error]
	statErr error
}

func (l listing) List(ctx context.Context, _ string) iter.Seq2[string, error] { return l.names(ctx) }

func (l listing) Stat(context.Context, string) (blob.Info, error) { return blob.Info{}, l.statErr }

func failing(err error) func(context.Context) iter.Seq2[string, error] {
	return func(context.Context) iter.Seq2[string, error] {
		return func(yield func(string, error) bool) { _ = yield(response.Objects+"nobody/a", nil) && yield("", err) }
	}
}

// TestObjectsInBatches checks more responses and more objects than one batch holds.
func TestObjectsInBatches(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	there := storetest.Response(t, sc.Store, sc.Study, nil)
	var all []string
	for n := range 1203 {
		id := fmt.Sprintf("nobody-%d", n)
		if n == 600 {
			id = there.ID
		}
		all = append(all, response.Objects+id+"/a", response.Objects+id+"/b")
	}
	d := maintenance.Doctor{Store: sc.Store, Objects: listing{names: names(all...)}}
	if found := examine(t, d, orphans); !strings.Contains(found, "of 1202 response(s)") || !strings.HasSuffix(found, "and 1197 more") {
		t.Error(found)
	}
	d.Objects = listing{names: names(all...), statErr: blob.ErrNotFound} // all were deleted since they were listed
	if found := examine(t, d, orphans); found != "" {
		t.Error(found)
	}
	var lost []string
	for n := range 100 {
		lost = append(lost, fmt.Sprintf("%s%s/%d", response.Objects, there.ID, n))
	}
	d.Expected = names(append(all, lost...)...)
	for what, objects := range map[string]blob.Store{"empty": d.Objects, "none": nil} {
		d.Objects = objects
		if found := examine(t, d, missing); !strings.HasPrefix(found, "102 object(s)") {
			t.Errorf("%s: %s", what, found)
		}
	}
}

// TestObjectsUnreachable: what cannot be read and what cannot be checked is a violation, and the other checks are still made.
func TestObjectsUnreachable(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	down := errors.New("the bucket is down")
	d := maintenance.Doctor{Store: sc.Store, Objects: listing{names: failing(down), statErr: down}, Expected: names("a")}
	if found := examine(t, d, orphans); !strings.Contains(found, "of 1 response(s)") || !strings.Contains(found, "cannot be read: the bucket is down") {
		t.Error(found)
	}
	if found := examine(t, d, missing); found != "the objects cannot be read: the bucket is down" {
		t.Error(found)
	}
	if found := examine(t, d, "deletions"); found != "" {
		t.Error(found)
	}
	d.Expected = failing(down)
	if found := examine(t, d, missing); found != "could not be checked: the bucket is down" {
		t.Error(found)
	}
	if found := examine(t, d, "deletions"); found != "" {
		t.Error(found)
	}
	ctx, cancel := context.WithCancel(t.Context())
	d.Expected, d.Objects = nil, listing{names: func(context.Context) iter.Seq2[string, error] { cancel(); return failing(context.Canceled)(ctx) }}
	if _, err := d.Examine(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
