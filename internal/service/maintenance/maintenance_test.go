package maintenance_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"verbatim/internal/domain/document"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/fieldwork"
	"verbatim/internal/service/importing"
	"verbatim/internal/service/maintenance"
	"verbatim/internal/service/moderator"
)

// world is a study with two finished interviews, a running one and an imported response. db is a connection without the store's
// rules: through it a test breaks what the program would not.
type world struct {
	storetest.Scene
	db       *sql.DB
	finished response.Response
	imported document.Item
}

func newWorld(t *testing.T) world {
	t.Helper()
	address := storetest.SQLiteAddress(t)
	w := world{Scene: storetest.NewScene(t, storetest.Open(t, address, store.Options{}))}
	var err error
	if w.db, err = sql.Open("sqlite", "file:"+strings.TrimPrefix(address, "sqlite:")+"?_busy_timeout=10000"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.db.Close() })

	field := &fieldwork.Service{Store: w.Store, Moderator: moderator.BuiltIn{}, Price: wallet.Credit}
	for i := range 3 {
		token, view, err := field.Start(t.Context(), w.Study.LinkID, fmt.Sprintf("pid=P%d", i), "")
		if err != nil {
			t.Fatal(err)
		}
		if i == 2 {
			break // this one goes on
		}
		if _, err := field.Answer(t.Context(), token, view.Step.ID, interview.Answer{Text: "Because."}); err != nil {
			t.Fatal(err)
		}
		w.finished = view.Response
	}
	at := time.Date(2025, 1, 2, 3, 4, 5, 0, time.UTC)
	w.imported = document.Item{
		ID: store.NewID(), ReadableID: 9, Progress: "complete", CreatedAt: at, UpdatedAt: at, URLParams: map[string]string{"pid": "P9"},
		AnswersArray: []document.Answer{{AnswerID: "foreign", QuestionID: "why", Question: "Why?", Answer: "So."}},
	}
	file := filepath.Join(t.TempDir(), "items")
	if err := os.WriteFile(file, w.imported.Encode(), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := (&importing.Service{Store: w.Store}).Import(t.Context(), w.Study, file); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w world) exec(t *testing.T, statement string, args ...any) {
	t.Helper()
	result, err := w.db.ExecContext(t.Context(), statement, args...)
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		t.Fatalf("%s: %d rows, %v: nothing was broken", statement, n, err)
	}
}

// wrong returns the checks that find something, each with its finding.
func (w world) wrong(t *testing.T) map[string]maintenance.Finding {
	t.Helper()
	findings, err := (&maintenance.Doctor{Store: w.Store}).Examine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	wrong := map[string]maintenance.Finding{}
	for _, f := range findings {
		if f.Wrong() {
			wrong[f.Check] = f
		}
	}
	return wrong
}

// items returns everything that reads depend on, as one text.
func (w world) items(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, query := range []string{
		`select * from response_item order by study_id, readable_id`, `select * from url_param order by org_id, name, value`,
		`select * from item_tally where live > 0 order by study_id, size, bucket`, `select completed_count from study`,
	} {
		rows, err := w.db.QueryContext(t.Context(), query)
		if err != nil {
			t.Fatal(err)
		}
		columns, err := rows.Columns()
		if err != nil {
			t.Fatal(err)
		}
		values := make([]any, len(columns))
		for i := range values {
			values[i] = new(any)
		}
		for rows.Next() {
			if err := rows.Scan(values...); err != nil {
				t.Fatal(err)
			}
			for _, v := range values {
				fmt.Fprintf(&all, "%v|", *v.(*any))
			}
			all.WriteByte('\n')
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		rows.Close()
	}
	return all.String()
}

// TestViolationsAreFoundAndRepaired plants each violation, expects the right check to report it, and, if rebuild repairs it, expects
// everything to be as it was.
func TestViolationsAreFoundAndRepaired(t *testing.T) {
	t.Parallel()
	const anyID = "0190a5d0-0000-4000-8000-000000000001"
	for name, tt := range map[string]struct {
		check, says string
		plant       func(t *testing.T, w world)
		repaired    bool // by rebuild
	}{
		"no documents": {"documents", "has no documents", func(t *testing.T, w world) {
			w.exec(t, `delete from response_item where response_id = ?`, w.finished.ID)
		}, true},
		"stray documents": {"documents", "have no response", func(t *testing.T, w world) {
			w.exec(t, `insert into response_item (study_id, readable_id, response_id, updated_at, analysed, hidden, version, list_item, single_item)
				values (?, 77, ?, 1, true, false, ?, '{}', '{}')`, w.Study.ID, anyID, document.Version)
		}, true},
		"filed wrongly": {"documents", "filed wrongly", func(t *testing.T, w world) {
			w.exec(t, `update response_item set hidden = true where response_id = ?`, w.finished.ID)
		}, true},
		"old version": {"documents", "another version", func(t *testing.T, w world) {
			w.exec(t, `update response_item set version = 0`)
		}, true},
		"other contents": {"contents", "do not say what its rows say", func(t *testing.T, w world) {
			w.exec(t, `update response_item set list_item = replace(list_item, 'Because', 'Perhaps') where response_id = ?`, w.finished.ID)
		}, true},
		"other contents of an imported one": {"contents", "do not say what its rows say", func(t *testing.T, w world) {
			w.exec(t, `update response_item set single_item = '"x":1}' where response_id = ?`, w.imported.ID)
		}, true},
		"source of an imported one in another form": {"contents", "do not say what its rows say", func(t *testing.T, w world) {
			w.exec(t, `update response_item set list_item = replace(list_item, '"id":', '"id": ') where response_id = ?`, w.imported.ID)
		}, true},
		"search entry missing": {"contents", "search entries", func(t *testing.T, w world) {
			w.exec(t, `delete from url_param where response_id = ?`, w.finished.ID)
		}, true},
		"search entry hidden": {"search", "differ from it", func(t *testing.T, w world) {
			w.exec(t, `update url_param set hidden = true where response_id = ?`, w.finished.ID)
		}, true},
		"search entry of nobody": {"search", "have no response", func(t *testing.T, w world) {
			w.exec(t, `insert into url_param values (?, 'pid', 'X', 1, ?, false, ?, 78)`, w.Org.ID, anyID, w.Study.ID)
		}, true},
		"completed count": {"counts", "completed responses", func(t *testing.T, w world) {
			w.exec(t, `update study set completed_count = completed_count + 1`)
		}, true},
		"live count": {"counts", "of the items of study", func(t *testing.T, w world) {
			w.exec(t, `update item_tally set live = live + 1 where size = 1024`)
		}, true},
		"ledger": {"ledger", "differs from its entries", func(t *testing.T, w world) {
			w.exec(t, `update ledger_account set balance = balance + 1 where role = 'available' and kind = 'project'`)
		}, false},
		"foreign key": {"database", "names a row of response", func(t *testing.T, w world) {
			w.exec(t, `insert into turn (response_id, seq, step_id, kind, item_id, concept_id, body, created_at) values (?, 0, 's', 'answer', 'why', '', '{}', 1)`, anyID)
		}, false},
		"rest of an erased one": {"erasure", "still has rows", func(t *testing.T, w world) {
			w.exec(t, `insert into deletion (id, org_id, study_id, response_id, status, requested_at, completed_at) values (?, ?, ?, ?, 'completed', 1, 2)`, anyID, w.Org.ID, w.Study.ID, w.finished.ID)
		}, false},
		"dead job": {"jobs", "given up after 7 attempts: no model", func(t *testing.T, w world) {
			w.exec(t, `update job set state = 'dead', attempt = 7, error = 'no model'`)
		}, false},
		"abandoned job": {"jobs", "process that no longer runs", func(t *testing.T, w world) {
			w.exec(t, `update job set state = 'running', lease_until = 1`)
		}, false},
		"job that waits": {"jobs", "more than ten minutes", func(t *testing.T, w world) {
			w.exec(t, `update job set state = 'ready', run_at = 1`)
		}, false},
		"failed deletion": {"deletions", "failed", func(t *testing.T, w world) {
			w.exec(t, `insert into deletion (id, org_id, study_id, response_id, status, requested_at, completed_at) values (?, ?, ?, 'r', 'failed', 1, null)`, anyID, w.Org.ID, w.Study.ID)
		}, false},
		"slow deletion": {"deletions", "more than a minute", func(t *testing.T, w world) {
			w.exec(t, `insert into deletion (id, org_id, study_id, response_id, status, requested_at, completed_at) values (?, ?, ?, 'r', 'running', 1, null)`, anyID, w.Org.ID, w.Study.ID)
		}, false},
		"older schema": {"schema", "the database is at version", func(t *testing.T, w world) {
			w.exec(t, `delete from goose_db_version where version_id = (select max(version_id) from goose_db_version)`)
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			if wrong := w.wrong(t); len(wrong) > 0 {
				t.Fatalf("before: %+v", wrong)
			}
			before := w.items(t)
			tt.plant(t, w)
			found := w.wrong(t)[tt.check]
			if !strings.Contains(strings.Join(found.Violations, "\n"), tt.says) || found.Remedy == "" {
				t.Errorf("%s found %+v, want %q", tt.check, found, tt.says)
			}
			if !tt.repaired {
				return
			}
			if found.Remedy != "verbatim rebuild" {
				t.Errorf("the advice is %q", found.Remedy)
			}
			if _, err := maintenance.Rebuild(t.Context(), w.Store, func(int, int) {}); err != nil {
				t.Fatal(err)
			}
			if wrong := w.wrong(t); len(wrong) > 0 {
				t.Errorf("after the rebuild: %+v", wrong)
			}
			if after := w.items(t); after != before {
				t.Errorf("before:\n%s\nafter the rebuild:\n%s", before, after)
			}
		})
	}
}

// TestRebuildWritesNothingTwice: what is right is not written again.
func TestRebuildWritesNothingTwice(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	seen := 0
	done, err := maintenance.Rebuild(t.Context(), w.Store, func(done, total int) { seen = done*10 + total })
	if want := (maintenance.Rebuilt{Responses: 4, Studies: 1}); err != nil || !reflect.DeepEqual(done, want) || seen != 44 {
		t.Errorf("Rebuild = %+v, %v (progress %d)", done, err, seen)
	}
}

// TestRebuildBesideAnswers lets participants answer while documents are rebuilt again and again. No document may be older than
// the answers.
func TestRebuildBesideAnswers(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	field := &fieldwork.Service{Store: sc.Store, Moderator: moderator.BuiltIn{}, Price: wallet.Credit}
	ctx := t.Context()
	finished := make(chan error, 1)
	const interviews = 30
	go func() {
		for range interviews {
			token, view, err := field.Start(ctx, sc.Study.LinkID, "", "")
			if err == nil {
				_, err = field.Answer(ctx, token, view.Step.ID, interview.Answer{Text: "Because."})
			}
			if err != nil {
				finished <- err
				return
			}
		}
		finished <- nil
	}()
	for running := true; running; {
		select {
		case err := <-finished:
			if err != nil {
				t.Fatal(err)
			}
			running = false
		default:
		}
		if _, err := maintenance.Rebuild(ctx, sc.Store, func(int, int) {}); err != nil {
			t.Fatal(err)
		}
	}
	for n := 1; n <= interviews; n++ {
		it, err := sc.Store.View().ItemByReadableID(ctx, sc.Study.ID, n)
		if err != nil || !bytes.Contains(it.List, []byte("Because.")) || !bytes.Contains(it.List, []byte(`"complete"`)) {
			t.Errorf("document %d: %s, %v", n, it.List, err)
		}
	}
	findings, err := (&maintenance.Doctor{Store: sc.Store, All: true}).Examine(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		if f.Wrong() {
			t.Errorf("%+v", f)
		}
	}
}
