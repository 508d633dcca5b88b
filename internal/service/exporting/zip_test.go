package exporting_test

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
	"testing"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/recording"
	"verbatim/internal/domain/response"
	"verbatim/internal/platform/blob/blobtest"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/exporting"
)

// TestArchive: recordings and files stand in the archive under names that no participant chose, and the manifest says what each is, also what
// is gone.
func TestArchive(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storetest.New(t), &guide.Guide{Title: "Files", Blocks: []guide.Block{{ID: "b", Type: guide.BlockFlat, Title: "Files", Items: []guide.Item{
		{ID: "why", Type: guide.OpenEnded, Text: "Why?", FollowUp: guide.FollowUpNone},
		{ID: "../../etc/passwd", Type: guide.FileUpload, Text: "Show us."},
	}}}})
	w.exports.Objects = blobtest.Folder(t)
	ctx, objects := t.Context(), w.exports.Objects
	r := storetest.Response(t, w.store, w.study, nil)
	var file recording.Upload
	storetest.Write(t, w.store, func(tx *store.Tx) error { // which may run again
		iv := w.compiled.Begin(r)
		step := iv.State.Next().ID
		first, err := iv.State.Apply(interview.Submit{StepID: step, Answer: interview.Answer{Text: "So."}}, tx.Now())
		if err != nil {
			return err
		}
		for _, kind := range []recording.Kind{recording.Audio, recording.Video} {
			if err := tx.AddRecording(ctx, recording.Recording{OrgID: r.OrgID, ResponseID: r.ID, StepID: step, Kind: kind, Row: 1}); err != nil {
				return err
			}
		}
		step = iv.State.Next().ID
		limits := recording.Defaults
		if file, err = tx.CreateUpload(ctx, recording.Upload{OrgID: r.OrgID, ResponseID: r.ID, Kind: recording.File, StepID: step, Name: `=cmd\..\evil.PDF`, Size: 8}, limits); err != nil {
			return err
		}
		was := file
		for _, part := range []string{"1", "2"} {
			now := was
			now.Received, now.Parts, now.MediaType = was.Received+4, was.Parts+1, "application/pdf"
			if now.Received == now.Size {
				now.State = recording.Complete
			}
			if err := tx.AppendUpload(ctx, was, now, recording.Part{Name: part, Size: 4}, limits); err != nil {
				return err
			}
			was = now
		}
		if err := tx.UseUpload(ctx, r.ID, step, recording.File, file.ID); err != nil {
			return err
		}
		second, err := iv.State.Apply(interview.Submit{StepID: step, Answer: interview.Answer{Uploads: []string{file.ID}, FileNames: []string{`=cmd\..\evil.PDF`}}}, tx.Now())
		if err != nil {
			return err
		}
		for seq, turn := range []interview.Turn{first, second} {
			if err := tx.AppendTurn(ctx, r.ID, seq, turn); err != nil {
				return err
			}
		}
		if iv.Response, err = tx.AnyResponse(ctx, r.ID); err != nil {
			return err
		}
		iv.Response.Progress, iv.Response.EndedAt = response.Complete, tx.Now()
		_, err = iv.Save(ctx, tx, tx.Now(), nil)
		return err
	})
	blobtest.Put(t, objects, file.Object("1"), "%PDF")
	blobtest.Put(t, objects, file.Object("2"), "-1.4")
	recorded, err := w.store.View().Recordings(ctx, r.ID)
	if err != nil || len(recorded) != 2 {
		t.Fatal(recorded, err)
	}
	storetest.Write(t, w.store, func(tx *store.Tx) error {
		for i := range recorded {
			made := recording.Rendition{MediaType: "audio/mp4", Object: recorded[i].Folder() + "x/sound.m4a"}
			if err := tx.FinishRecording(ctx, recorded[i], made); err != nil {
				return err
			}
		}
		return nil
	})
	blobtest.Put(t, objects, recorded[0].Folder()+"x/sound.m4a", "sound")

	b, sum := w.write(t, exporting.Options{Format: exporting.ZIP})
	if sum.Missing != 1 || sum.Responses != 1 {
		t.Errorf("%+v", sum)
	}
	archive, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	contents := map[string]string{}
	for _, f := range archive.File {
		from, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		read, err := io.ReadAll(from) // also checks the sum
		if err != nil {
			t.Fatal(err)
		}
		contents[f.Name] = string(read)
		if strings.Contains(f.Name, "..") || strings.ContainsAny(f.Name, `\=`) {
			t.Errorf("a dangerous name: %q", f.Name)
		}
	}
	_, manifest := readCSV(t, []byte(contents["manifest.csv"]))
	if len(manifest) != 3 || len(contents) != 5 {
		t.Fatalf("%d files, %q", len(contents), manifest)
	}
	for _, row := range manifest {
		switch row["recorded"] {
		case "file":
			if contents[row["file"]] != "%PDF-1.4" || !strings.HasSuffix(row["file"], ".pdf") || row["original_name"] != `'=cmd\..\evil.PDF` || row["row"] != "2" || row["variable"] != "q2" {
				t.Errorf("the file: %q is %q", row, contents[row["file"]])
			}
		case string(recorded[0].Kind):
			if contents[row["file"]] != "sound" || row["item_id"] != "why" || row["follow_up"] != "no" || row["media_type"] != "audio/mp4" {
				t.Errorf("the recording: %q is %q", row, contents[row["file"]])
			}
		default:
			if row["file"] != "" || row["problem"] != "not stored any more" {
				t.Errorf("a recording that is gone: %q", row)
			}
		}
	}
}
