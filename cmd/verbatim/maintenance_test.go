package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

const itemLine = `{"id":"0190a5d0-0000-4000-8000-000000000001","readableId":1,"progress":"complete","responseDurationSeconds":61,"qualityScore":4,` +
	`"answers":{"Summary":"Brief.","Q1: Why?":"So."},"answersArray":[{"answerId":"a1","discussionGuideQuestionId":"why","conceptId":null,` +
	`"question":"Why?","answer":"So."}],"urlParams":{"pid":"P1"},"tags":[],"tagline":null,"bulletSummary":[],"shortTranscript":null,` +
	`"createdAt":"2025-05-01T08:00:00Z","updatedAt":"2025-05-01T08:01:01Z"}` + "\n"

// TestMaintenance imports, backs up and restores, and finds and repairs damage.
func TestMaintenance(t *testing.T) {
	t.Parallel()
	storetest.OnceOnSQLite(t, ownFolder)
	dir := t.TempDir()
	database := "--database=sqlite:" + filepath.Join(dir, "v.db")
	sc := storetest.NewScene(t, storetest.Open(t, strings.TrimPrefix(database, "--database="), store.Options{}))
	file := filepath.Join(dir, "items.ndjson")
	write := func(content string) {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}

	write(strings.Replace(itemLine, `"answer":"So."`, `"answer":5`, 1))
	if _, stderr := command(t, exitRefused, "import", sc.Study.LinkID, file, database); !strings.Contains(stderr, "line 1: answersArray.0.answer: Expected string") ||
		!strings.Contains(stderr, "is invalid: 1 error; nothing was stored") || !strings.Contains(stderr, "one JSON object per line") {
		t.Errorf("refused: %s", stderr)
	}
	if _, stderr := command(t, exitRefused, "import", sc.Study.LinkID, file+".gz", database); !strings.Contains(stderr, "no such file or directory; nothing was stored") {
		t.Errorf("a file that is not there: %s", stderr)
	}
	write(itemLine)
	if got := object(t, "import", sc.Study.LinkID, file, database); got["stored"] != 1.0 || got["skipped"] != 0.0 {
		t.Errorf("import: %v", got)
	}
	if got := object(t, "import", sc.Study.ID, file, database); got["stored"] != 0.0 || got["skipped"] != 1.0 {
		t.Errorf("the second time: %v", got)
	}
	if out, _ := command(t, 0, "doctor", "--all", database); strings.Contains(out, "wrong") || !strings.Contains(out, "ledger") {
		t.Errorf("doctor:\n%s", out)
	}
	copied := filepath.Join(dir, "backup.db")
	if out, _ := command(t, 0, "backup", copied, database); !strings.Contains(out, "blobs") {
		t.Errorf("backup does not say what it leaves out:\n%s", out)
	}
	if _, stderr := command(t, exitRefused, "backup", copied, database); !strings.Contains(stderr, "exists already") {
		t.Errorf("a second backup into the file: %s", stderr)
	}

	// The copy is an independent database: it is damaged and repaired here.
	restored := "--database=sqlite:" + copied
	storetest.Write(t, storetest.Open(t, "sqlite:"+copied, store.Options{}), func(tx *store.Tx) error {
		return tx.CountCompleted(t.Context(), sc.Study.ID, 5)
	})
	out, stderr := command(t, exitRefused, "doctor", "--json", restored)
	var findings []map[string]any
	if err := json.Unmarshal([]byte(out), &findings); err != nil {
		t.Fatal(err)
	}
	found := false
	for _, f := range findings {
		found = found || f["check"] == "counts" && f["state"] == "wrong" && f["mend"] == "verbatim rebuild"
	}
	if !found || !strings.Contains(stderr, "1 check found") {
		t.Errorf("doctor: stderr %q, %s", stderr, out)
	}
	if got := object(t, "rebuild", restored); got["responses"] != 1.0 || got["studiesRecounted"] != 1.0 {
		t.Errorf("rebuild: %v", got)
	}
	command(t, 0, "doctor", restored)
}

// TestMaintenanceNeedsADatabase checks that backup, doctor and secret list do not create a missing database.
func TestMaintenanceNeedsADatabase(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, args := range [][]string{{"doctor"}, {"secret", "list"}, {"backup", filepath.Join(dir, "b")}} {
		if _, stderr := command(t, exitRefused, append(args, "--data="+dir)...); !strings.Contains(stderr, "there is no database "+dir) || !strings.Contains(stderr, "--data") {
			t.Errorf("%v: stderr %q", args, stderr)
		}
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 0 {
		t.Errorf("made %v, %v", files, err)
	}
}
