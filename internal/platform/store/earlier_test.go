package store_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"verbatim/internal/platform/store/storetest"
)

// TestEarlierStatements checks the statements of the latest release against the present schema: each must still be valid, so
// that nodes of that release keep working while they are replaced. testdata/statements-N.sql has the statements that the
// release sent on both engines when its suites ran, one a line, with lists shortened; the files of one engine have the rest.
// docs/releasing.md says when they are made again.
func TestEarlierStatements(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t).Handles()
	engine := "sqlite"
	if storetest.OnPostgres() {
		engine = "postgres"
	}
	checked := 0
	for _, name := range []string{"statements-16.sql", "statements-16-" + engine + ".sql"} {
		read, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		for statement := range strings.Lines(string(read)) {
			statement = strings.TrimSpace(statement)
			checked++
			if engine == "postgres" {
				prepared, err := db.PrepareContext(t.Context(), statement)
				if err != nil {
					t.Errorf("%v: %s", err, statement)
					continue
				}
				prepared.Close()
				continue
			}
			rows, err := db.QueryContext(t.Context(), "explain "+statement, make([]any, places(statement))...) // SQLite prepares nothing before it runs
			if err != nil {
				t.Errorf("%v: %s", err, statement)
				continue
			}
			rows.Close()
		}
	}
	if checked < 250 {
		t.Errorf("%d statements: the release sent more", checked)
	}
	if _, err := db.QueryContext(t.Context(), "explain select no_such_column from study"); err == nil {
		t.Error("a column that is not there is understood: this test finds nothing")
	}
}

var numberedPlace = regexp.MustCompile(`\$(\d+)`)

// places returns how many arguments a statement takes.
func places(statement string) int {
	limit := 0
	for _, found := range numberedPlace.FindAllStringSubmatch(statement, -1) {
		n, _ := strconv.Atoi(found[1]) // digits
		limit = max(limit, n)
	}
	return limit + strings.Count(statement, "?")
}
