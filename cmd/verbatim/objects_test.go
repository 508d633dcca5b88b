package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"verbatim/internal/domain/document"
	"verbatim/internal/domain/recording"
	"verbatim/internal/platform/blob/blobtest"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/erasure"
)

// responseWithDocuments creates a response with its documents, as an interview does.
func responseWithDocuments(t *testing.T, sc storetest.Scene, version int) string {
	t.Helper()
	r := storetest.Response(t, sc.Store, sc.Study, nil)
	storetest.Write(t, sc.Store, func(tx *store.Tx) error {
		if err := tx.PutDocument(t.Context(), document.Source{Response: r}); err != nil {
			return err
		}
		item, err := tx.ItemByResponse(t.Context(), sc.Study.ID, r.ID)
		if err != nil {
			return err
		}
		item.Version = version
		return tx.PutItem(t.Context(), item)
	})
	return r.ID
}

// TestDoctorOnObjects checks that doctor finds recordings without a response, in a folder and in a bucket, and creates neither.
func TestDoctorOnObjects(t *testing.T) {
	t.Parallel()
	for kind, address := range map[string]func(testing.TB) string{
		"folder": func(t testing.TB) string { return "file:" + filepath.Join(t.TempDir(), "blobs") }, "s3": blobtest.OwnBucket,
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			database, blobs := storetest.Address(t), address(t)
			sc := storetest.NewScene(t, storetest.Open(t, database, store.Options{}))
			id := responseWithDocuments(t, sc, document.Version)
			doctor := []string{"doctor", "--database=" + database, "--blobs=" + blobs, "--secret-file=" + writeSecret(t, strings.Repeat("s", 40))}
			command(t, 0, doctor...)
			if folder, ok := strings.CutPrefix(blobs, "file:"); ok {
				if _, err := os.Stat(folder); err == nil {
					t.Error("it made the folder that it was to look into")
				}
			}
			objects := blobtest.Open(t, blobs)
			blobtest.Put(t, objects, erasure.ObjectPrefix(id)+"recordings/1.webm", "x")
			if out, _ := command(t, 0, doctor...); strings.Contains(out, "wrong") || !strings.Contains(out, "orphan objects") || !strings.Contains(out, "missing objects") {
				t.Errorf("printed:\\n%s", out)
			}
			blobtest.Put(t, objects, erasure.ObjectPrefix(sc.Study.ID)+"recordings/1.webm", "x")
			out, stderr := command(t, exitRefused, doctor...)
			if !strings.Contains(out, "there are objects of 1 response(s) that the database does not have: "+sc.Study.ID) || !strings.Contains(stderr, "1 check found") {
				t.Errorf("stderr %q:\n%s", stderr, out)
			}
			out, _ = command(t, exitRefused, append(doctor, "--json")...)
			var findings []struct{ Check, State, Fault, Mend string }
			if err := json.Unmarshal([]byte(out), &findings); err != nil {
				t.Fatal(err)
			}
			wrong := 0
			for _, f := range findings {
				if f.State != "wrong" { // tests have no sandbox, which is only advice
					continue
				}
				wrong++
				if f.Check != "orphan objects" || !strings.Contains(f.Fault, sc.Study.ID) || !strings.Contains(f.Mend, "remove the folders responses/ID") {
					t.Errorf("found %+v", f)
				}
			}
			if wrong != 1 {
				t.Errorf("%d things are wrong:\n%s", wrong, out)
			}
		})
	}
}

// TestDoctorOnMissingChunk checks that doctor finds a missing chunk of an upload that an answer uses.
func TestDoctorOnMissingChunk(t *testing.T) {
	t.Parallel()
	database, folder := storetest.Address(t), t.TempDir()
	sc := storetest.NewScene(t, storetest.Open(t, database, store.Options{}))
	id := responseWithDocuments(t, sc, document.Version)
	var u recording.Upload
	storetest.Write(t, sc.Store, func(tx *store.Tx) (err error) {
		u, err = tx.CreateUpload(t.Context(), recording.Upload{ResponseID: id, Kind: recording.File, StepID: "s1", Size: 1}, recording.Defaults)
		if err != nil {
			return err
		}
		is := u
		is.MediaType, is.Received, is.Parts, is.State = "text/plain", 1, 1, recording.Complete
		if err := tx.AppendUpload(t.Context(), u, is, recording.Part{Name: "part", Size: 1}, recording.Defaults); err != nil {
			return err
		}
		return tx.UseUpload(t.Context(), id, "s1", recording.File, u.ID)
	})
	doctor := []string{"doctor", "--database=" + database, "--blobs=file:" + folder}
	if out, _ := command(t, exitRefused, doctor...); !strings.Contains(out, "1 object(s) that the database names are not there: "+u.Object("part")) {
		t.Errorf("printed:\\n%s", out)
	}
	blobtest.Put(t, blobtest.Open(t, "file:"+folder), u.Object("part"), "x")
	command(t, 0, doctor...)
}

// TestDoctorWithoutTheBucket checks that doctor reports unreadable objects and still runs the other checks.
func TestDoctorWithoutTheBucket(t *testing.T) {
	database := storetest.Address(t)
	storetest.NewScene(t, storetest.Open(t, database, store.Options{}))
	t.Setenv("VERBATIM_S3_ACCESS_KEY", "id")
	t.Setenv("VERBATIM_S3_SECRET_KEY", "hunter2")
	out, _ := command(t, exitRefused, "doctor", "--database="+database, "--blobs=s3://bucket?endpoint=http://127.0.0.1:1&path_style=true&region=x")
	if !strings.Contains(out, "the objects cannot be read") || !strings.Contains(out, "deletions") || strings.Contains(out, "hunter2") {
		t.Errorf("printed:\\n%s", out)
	}
}

// TestServeOnOutdatedDocuments checks that a server warns at the start about documents of another version, until they are rebuilt.
func TestServeOnOutdatedDocuments(t *testing.T) {
	t.Parallel()
	database, dir := storetest.Address(t), t.TempDir()
	sc := storetest.NewScene(t, storetest.Open(t, database, store.Options{}))
	responseWithDocuments(t, sc, document.Version-1)
	says := func() bool {
		t.Helper()
		p := startServer(t, "--data="+dir, "--database="+database)
		if err := p.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		<-p.ended
		if err := p.Wait(); err != nil {
			t.Errorf("%v: %s", err, p.logged())
		}
		for line := range strings.Lines(p.logged()) {
			if strings.Contains(line, `"level":"WARN"`) && strings.Contains(line, "verbatim rebuild") {
				return true
			}
		}
		return false
	}
	if !says() {
		t.Error("it says nothing of documents of another version")
	}
	if got := object(t, "rebuild", "--database="+database); got["documentsRewritten"] != 1.0 {
		t.Errorf("rebuilt %v", got)
	}
	if says() {
		t.Error("it still says that documents are of another version")
	}
}
