package dashboard_test

import (
	"archive/zip"
	"bytes"
	"net/http"
	"strings"
	"testing"

	"verbatim/internal/api/dashboard"
	"verbatim/internal/platform/blob/blobtest"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/erasure"
	"verbatim/internal/service/exporting"
	"verbatim/internal/service/jobs"
)

func (f *fixture) exports() *exporting.Service { return f.Server.Dashboard.(*dashboard.API).Exports }

// write runs the job of an export.
func (f *fixture) write(id string) {
	f.t.Helper()
	if err := (&exporting.Worker{Service: *f.exports()}).Run(f.t.Context(), jobs.New(jobs.ExportArgs{ExportID: id})); err != nil {
		f.t.Fatal(err)
	}
}

// exported asks for a file of a study, and writes it.
func (f *fixture) exported(b *browser, st, body string) (id string) {
	f.t.Helper()
	id = field(f.t, b.do("POST", "/api/dashboard/studies/"+st+"/exports", body), "id")
	f.write(id)
	return id
}

// TestExports: a file is asked for, written, listed, fetched in one piece and in several, and removed; what cannot be is refused.
func TestExports(t *testing.T) {
	t.Parallel()
	f := setup(t)
	b, user := f.member("member")
	at := "/api/dashboard/studies/" + f.study.LinkID + "/exports"
	asked := b.do("POST", at+"?progress=complete&parameter=source%3Dmail&qualityFrom=4", `{"format":"csv","labels":true}`)
	asked.Want(t, 202, "")
	id := field(t, asked, "id")
	if again := b.do("POST", at+"?qualityFrom=4&parameter=source%3Dmail&progress=complete", `{"format":"csv","labels":true,"layout":"wide"}`); field(t, again, "id") != id {
		t.Errorf("asked twice: %s", again.Body)
	}
	b.get(at+"/"+id+"/file").Want(t, 409, "export_not_ready")
	f.write(id)
	listed := b.get(at)
	if got := field(t, listed, "exports", 0, "status"); got != "complete" || field(t, listed, "exports", 0, "done") != "3" || field(t, listed, "exports", 0, "filter") != "parameter=source%3Dmail&progress=complete&qualityFrom=4" {
		t.Errorf("listed: %s", listed.Body)
	}
	file := b.get(at + "/" + id + "/file")
	file.Want(t, 200, "")
	if rows := bytes.Count(file.Body, []byte("\n")); rows != 4 || file.Header.Get("Content-Disposition") != `attachment; filename="`+f.study.LinkID+`.csv"` || !strings.HasPrefix(file.Header.Get("Content-Type"), "text/csv") {
		t.Errorf("%d lines, %v", rows, file.Header)
	}
	part := b.do("GET", at+"/"+id+"/file", "", "Range", "bytes=10-19", "If-Range", file.Header.Get("ETag"), "Accept-Encoding", "gzip")
	if part.Want(t, 206, ""); !bytes.Equal(part.Body, file.Body[10:20]) {
		t.Errorf("a part: %q", part.Body)
	}
	b.do("GET", at+"/"+id+"/file", "", "Range", "bytes=900000-").Want(t, 416, "")
	admin := f.as(f.Admin)
	log := string(admin.get("/api/dashboard/organizations/" + f.Org.ID + "/audit").Body)
	if strings.Count(log, `"responses.exported"`) != 1 || strings.Count(log, `"export.downloaded"`) != 1 || !strings.Contains(log, user.ID) {
		t.Errorf("audit log: %s", log)
	}
	for _, tt := range []struct{ path, body, code string }{
		{"", `{"format":"pdf"}`, "invalid_request_body"},
		{"", `{"format":"sav","layout":"long"}`, "bad_request"},
		{"", `{"format":"sav","labels":true}`, "bad_request"},
		{"", `{"format":"zip","codebook":true}`, "bad_request"},
		{"?progress=red", `{"format":"csv"}`, "bad_request"},
		{"?q=.", `{"format":"csv"}`, "bad_request"},
	} {
		b.do("POST", at+tt.path, tt.body).Want(t, 400, tt.code)
	}
	b.do("DELETE", at+"/"+id, "").Want(t, 204, "")
	b.do("DELETE", at+"/"+id, "").Want(t, 404, "export_not_found")
	b.get(at+"/"+id+"/file").Want(t, 404, "export_not_found")
	b.get(at+"/nothing/file").Want(t, 404, "export_not_found")
	for i := range 10 {
		b.do("POST", at+"?qualityTo="+string(rune('1'+i%5)), `{"format":"`+[]string{"csv", "xlsx"}[i/5]+`"}`).Want(t, 202, "")
	}
	b.do("POST", at, `{"format":"zip"}`).Want(t, 409, "too_many_exports")
	if err := f.exports().Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if left := blobtest.List(t, f.exports().Objects, "exports/"); len(left) != 0 {
		t.Errorf("left behind: %q", left)
	}
}

// TestDeletedResponsesLeaveExports: a deletion removes the files that the response may be in and no others, at once from every reader, and with
// the purge from the store; a file that was being written begins again.
func TestDeletedResponsesLeaveExports(t *testing.T) {
	t.Parallel()
	f := setup(t)
	b, at := f.as(f.Admin), "/api/dashboard/studies/"+f.study.LinkID+"/exports"
	before := f.exported(b, f.study.LinkID, `{"format":"zip"}`)
	later := f.respond()
	with := f.exported(b, f.study.LinkID, `{"format":"csv"}`)
	running := field(t, b.do("POST", at, `{"format":"jsonl"}`), "id")
	storetest.Write(t, f.Store, func(tx *store.Tx) error { _, err := tx.StartStudyExport(t.Context(), running); return err })
	receipts := b.do("POST", "/api/dashboard/studies/"+f.study.LinkID+"/deletions", `{"numbers":[4],"count":1}`)
	b.get(at+"/"+with+"/file").Want(t, 404, "export_not_found")
	kept := b.get(at + "/" + before + "/file")
	kept.Want(t, 200, "")
	if archive, err := zip.NewReader(bytes.NewReader(kept.Body), int64(len(kept.Body))); err != nil || len(archive.File) != 3 {
		t.Errorf("%v, %v", archive, err)
	}
	purge := &erasure.Worker{Store: f.Store, Objects: f.exports().Objects}
	if err := purge.Run(t.Context(), jobs.New(jobs.EraseArgs{DeletionID: field(t, receipts, "receipts", 0, "deletionId")})); err != nil {
		t.Fatal(err)
	}
	for _, name := range blobtest.List(t, f.exports().Objects, "exports/") {
		if !strings.Contains(name, before) {
			t.Errorf("%s is left", name)
		}
	}
	storetest.Write(t, f.Store, func(tx *store.Tx) error {
		done, err := tx.CompleteStudyExport(t.Context(), store.StudyExport{ID: running, Deletions: 0})
		if done {
			t.Error("a file was completed that a deleted response may be in")
		}
		return err
	})
	f.write(running)
	file := b.get(at + "/" + running + "/file")
	if file.Want(t, http.StatusOK, ""); bytes.Contains(file.Body, []byte(later.ID)) || bytes.Count(file.Body, []byte("\n")) != 3 {
		t.Errorf("begun again: %s", file.Body)
	}
}
