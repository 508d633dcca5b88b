package exporting_test

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"verbatim/internal/domain/annotation"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/exporting"
)

// TestAnnotations: what people noted and highlighted is in the row of its response, and in a table of its own; no cell is a formula.
func TestAnnotations(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storetest.New(t), sampleGuide(t))
	all := w.fill(t, 2)
	storetest.Write(t, w.store, func(tx *store.Tx) error {
		tag := annotation.Tag{ID: store.NewID(), OrgID: w.study.OrgID, StudyID: w.study.ID, Name: "=Price", Colour: "teal"}
		if err := tx.CreateTag(t.Context(), tag, ""); err != nil {
			return err
		}
		return tx.AddAnnotation(t.Context(), w.study.OrgID, annotation.Annotation{
			ID: store.NewID(), StudyID: w.study.ID, ResponseID: all[1].ID, Row: 1, Words: "the 🍏\nsmell", End: 13, Begins: time.Second, Ends: 2500 * time.Millisecond, Note: "=1+1", Tags: []string{tag.ID},
		})
	})
	b, _ := w.write(t, exporting.Options{Format: exporting.CSV})
	_, rows := readCSV(t, b)
	if rows[0]["given_tags"] != "" || rows[1]["given_tags"] != "'=Price" || rows[1]["highlights"] != "“the 🍏 smell” [=Price] =1+1" {
		t.Errorf("the columns are %q, %q", rows[1]["given_tags"], rows[1]["highlights"])
	}
	b, _ = w.write(t, exporting.Options{Format: exporting.XLSX})
	book, err := excelize.OpenReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	noted, err := book.GetRows("Highlights")
	if err != nil || len(noted) != 2 || strings.Join(noted[1][2:8], "|") != "1|the 🍏\nsmell|1|2.5|=Price|=1+1" {
		t.Errorf("the table is %q, %v", noted, err)
	}
	for without, want := range map[string]bool{"": true, "highlights": false} {
		o := exporting.Options{Format: exporting.ZIP}
		if without != "" {
			o.Without = []string{without}
		}
		b, _ = w.write(t, o)
		archive, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, f := range archive.File {
			if f.Name == "highlights.csv" {
				r, err := f.Open()
				if err != nil {
					t.Fatal(err)
				}
				text, err := io.ReadAll(r)
				found = err == nil && strings.Contains(string(text), "'=1+1")
			}
		}
		if found != want {
			t.Errorf("without %q: highlights.csv is there: %t", without, found)
		}
	}
}
