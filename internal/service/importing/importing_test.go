package importing_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"verbatim/internal/domain/document"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/importing"
)

// sampleItem returns item n of another service.
func sampleItem(n int) document.Item {
	at := time.Date(2025, 5, 1, 8, 0, 0, 0, time.UTC).Add(time.Duration(n) * time.Minute)
	return document.Item{
		ID: fmt.Sprintf("0190a5d0-0000-4000-8000-%012d", n), ReadableID: n, Progress: "complete", DurationSeconds: 61, QualityScore: 4,
		Answers:      document.KeyedAnswers{{Key: document.SummaryKey, Text: "Brief."}, {Key: "Q1: Why?", Text: "So."}},
		AnswersArray: []document.Answer{{AnswerID: fmt.Sprint("foreign-", n), QuestionID: "why", Question: "Why?", Answer: "So."}},
		URLParams:    map[string]string{"pid": fmt.Sprint("P", n)}, Tags: []string{"a"}, Tagline: "So it is", BulletSummary: []string{"So"},
		CreatedAt: at, UpdatedAt: at.Add(time.Minute),
	}
}

func write(t *testing.T, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "items.ndjson")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func lines(items ...document.Item) (all []string) {
	for _, it := range items {
		all = append(all, string(it.Encode()))
	}
	return all
}

func sampleItems(n int) (items []document.Item) {
	for i := range n {
		items = append(items, sampleItem(i+1))
	}
	return items
}

func itemCount(t *testing.T, sc storetest.Scene) int {
	t.Helper()
	st, err := sc.Store.View().Study(t.Context(), sc.Org.ID, sc.Study.ID)
	if err != nil {
		t.Fatal(err)
	}
	return st.CompletedCount
}

func TestImportKeepsEverything(t *testing.T) {
	t.Parallel()
	sc, ctx := storetest.NewScene(t, storetest.New(t)), t.Context()
	items := sampleItems(3)
	items[1].Progress, items[2].Progress = "screened_out", "in_progress"
	service := &importing.Service{Store: sc.Store}
	path := write(t, lines(items...)...)
	result, err := service.Import(ctx, sc.Study, path)
	if err != nil || result.Stored != 3 || result.Skipped != 0 {
		t.Fatalf("Import = %+v, %v", result, err)
	}
	view := sc.Store.View()
	for _, it := range items {
		got, err := view.ItemByReadableID(ctx, sc.Study.ID, it.ReadableID)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.List, it.Encode()) || !bytes.Equal(got.Single, document.SingleOf(&it)) || !got.UpdatedAt.Equal(it.UpdatedAt) || !got.Analysed {
			t.Errorf("stored %s\nwant   %s\nwith %+v", got.List, it.Encode(), got)
		}
		hits, err := view.Search(ctx, sc.Org.ID, "pid", it.URLParams["pid"], false, store.SearchCursor{}, 10)
		if err != nil || len(hits) != 1 || hits[0].ResponseID != it.ID || !hits[0].CreatedAt.Equal(it.CreatedAt) {
			t.Errorf("Search = %+v, %v", hits, err)
		}
	}
	if n := itemCount(t, sc); n != 1 {
		t.Errorf("the study counts %d completed responses", n)
	}
	if next := storetest.Response(t, sc.Store, sc.Study, nil); next.ReadableID != 4 {
		t.Errorf("the next interview has the readable id %d", next.ReadableID)
	}
	if n, err := view.MiscountedRuns(ctx, sc.Study.ID); err != nil || n != 0 {
		t.Errorf("MiscountedRuns = %d, %v", n, err)
	}
	if idle, err := view.IdleResponses(ctx, time.Now().Add(-time.Hour), 10); err != nil || len(idle) != 0 {
		t.Errorf("a sweep would look for participants: %v, %v", idle, err)
	}
	if analysed, pending, err := view.CountAnalyses(ctx, sc.Study.ID); err != nil || analysed+pending != 0 {
		t.Errorf("CountAnalyses = %d, %d, %v", analysed, pending, err)
	}
	again, err := service.Import(ctx, sc.Study, path)
	if err != nil || again.Stored != 0 || again.Skipped != 3 || itemCount(t, sc) != 1 {
		t.Errorf("the second time: %+v, %v", again, err)
	}
}

// TestSourceOutlivesItsDocument: the list document is the source; once it is encoded in another form, the source is kept
// separately.
func TestSourceOutlivesItsDocument(t *testing.T) {
	t.Parallel()
	sc, ctx := storetest.NewScene(t, storetest.New(t)), t.Context()
	service, path := &importing.Service{Store: sc.Store}, write(t, lines(sampleItem(1))...)
	if _, err := service.Import(ctx, sc.Study, path); err != nil {
		t.Fatal(err)
	}
	storetest.Write(t, sc.Store, func(tx *store.Tx) error {
		it, err := tx.ItemByReadableID(ctx, sc.Study.ID, 1)
		for _, form := range []string{"one", "another"} {
			if err == nil {
				err = tx.SaveSource(ctx, it.ResponseID)
			}
			if it.List = []byte(form); err == nil {
				err = tx.PutItem(ctx, it)
			}
		}
		return err
	})
	if body, err := sc.Store.View().ImportedItem(ctx, sampleItem(1).ID); err != nil || !bytes.Equal(body, sampleBytes(1)) {
		t.Errorf("ImportedItem = %s, %v", body, err)
	}
	if again, err := service.Import(ctx, sc.Study, path); err != nil || again.Skipped != 1 {
		t.Errorf("the second time: %+v, %v", again, err)
	}
	interviewed := storetest.Response(t, sc.Store, sc.Study, nil)
	if body, err := sc.Store.View().ImportedItem(ctx, interviewed.ID); err != nil || body != nil {
		t.Errorf("ImportedItem of an interview = %s, %v", body, err)
	}
}

// TestInterruptedImportIsFinished interrupts an import after each of its batches, as a kill does, and runs it again.
func TestInterruptedImportIsFinished(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	const all = 600
	path := write(t, lines(sampleItems(all)...)...)
	batches := 0
	for run := 0; ; run++ {
		ctx, kill := context.WithCancel(t.Context())
		stored := 0
		service := &importing.Service{Store: sc.Store, Progress: func(stage importing.Stage, _, _ int64) {
			if stage == importing.Storing {
				if stored++; stored > batches {
					kill()
				}
			}
		}}
		_, err := service.Import(ctx, sc.Study, path)
		kill()
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		batches++
	}
	if batches < 2 || itemCount(t, sc) != all {
		t.Errorf("%d responses after %d kills", itemCount(t, sc), batches)
	}
	page, err := sc.Store.View().ItemPage(t.Context(), store.ItemFilter{OrgID: sc.Org.ID, Study: sc.Study.ID, Limit: 1})
	if err != nil || page.Total != all {
		t.Errorf("the list has %d, %v", page.Total, err)
	}
}

// TestViolationsNameTheirLines: every violation is reported with its line, and nothing is stored.
func TestViolationsNameTheirLines(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	sc, other := storetest.NewScene(t, s), storetest.NewScene(t, s)
	ctx, service := t.Context(), &importing.Service{Store: s}
	if _, err := service.Import(ctx, other.Study, write(t, lines(sampleItem(50))...)); err != nil {
		t.Fatal(err)
	}
	erased := sampleItem(60)
	if _, err := service.Import(ctx, other.Study, write(t, lines(erased)...)); err != nil {
		t.Fatal(err)
	}
	storetest.Write(t, s, func(tx *store.Tx) error {
		r, err := tx.Response(ctx, other.Org.ID, erased.ID)
		if err == nil {
			_, err = tx.CreateDeletion(ctx, r)
		}
		if err == nil {
			err = tx.Purge(ctx, erased.ID)
		}
		return err
	})
	live := storetest.Response(t, s, sc.Study, nil) // has the readable id 1
	if _, err := service.Import(ctx, sc.Study, write(t, lines(sampleItem(9))...)); err != nil {
		t.Fatal(err)
	}
	before := itemCount(t, sc)

	edit := func(n int, change func(*document.Item)) string {
		it := sampleItem(n)
		change(&it)
		return string(it.Encode())
	}
	twin := sampleItem(3)
	twin.ID = "0190a5d0-0000-4000-8000-00000000ffff"
	path := write(t, append(lines(sampleItem(2), sampleItem(3)), // 1, 2
		"", // 3
		strings.Replace(string(sampleBytes(4)), `"answer":"So."`, `"answer":5`, 1), // 4
		string(sampleBytes(2)), // 5
		string(twin.Encode()),  // 6
		edit(5, func(it *document.Item) { it.URLParams["_x"] = "1" }),                      // 7
		edit(6, func(it *document.Item) { it.UpdatedAt = time.Now().Add(48 * time.Hour) }), // 8
		string(sampleBytes(50)), // 9
		string(sampleBytes(60)), // 10
		string(sampleBytes(1)),  // 11
		edit(9, func(it *document.Item) { it.Tagline = "Other" }), // 12
		`{"id":`, // 13
		edit(7, func(it *document.Item) { it.URLParams["long"] = strings.Repeat("x", 2001) }), // 14
	)...)
	_, err := service.Import(ctx, sc.Study, path)
	violations, ok := errors.AsType[*importing.ViolationsError](err)
	if !ok {
		t.Fatalf("Import = %v", err)
	}
	var got []string
	for _, f := range violations.Violations {
		got = append(got, f.String())
	}
	for _, want := range []string{
		"line 4: answersArray.0.answer: Expected string, received number",
		"line 5: id: line 1 has the same",
		"line 5: readableId: line 1 has the same, 2",
		"line 6: readableId: line 2 has the same, 3",
		"line 7: urlParams._x: names that begin with _ belong to the service",
		"line 8: updatedAt: is in the future",
		"line 9: id: a response of another study has it",
		"line 10: id: the response was deleted and cannot be brought back",
		"line 11: readableId: response " + live.ID + " of the study has it, 1",
		"line 12: id: the study has this response already, with other contents",
		"line 13: unexpected end of JSON input (column 7)",
		"line 14: urlParams.long: the value is longer than 2000 bytes",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("no violation %q", want)
		}
	}
	if len(got) != 12 || violations.Total != 12 || violations.Unreadable || !slices.IsSortedFunc(violations.Violations, func(a, b importing.Violation) int { return a.Line - b.Line }) {
		t.Errorf("violations:\n%s", strings.Join(got, "\n"))
	}
	if n := itemCount(t, sc); n != before {
		t.Errorf("a refused file stored %d responses", n-before)
	}
	if last, err := s.View().LastReadableID(ctx, sc.Study.ID); err != nil || last != 9 {
		t.Errorf("LastReadableID = %d, %v", last, err)
	}
}

func sampleBytes(n int) []byte { it := sampleItem(n); return it.Encode() }

func TestViolationsAreBounded(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	_, err := (&importing.Service{Store: sc.Store}).Import(t.Context(), sc.Study, write(t, slices.Repeat([]string{"nonsense"}, 500)...))
	violations, ok := errors.AsType[*importing.ViolationsError](err)
	if !ok || violations.Total != 500 || len(violations.Violations) != importing.MaxViolations || violations.Violations[0].Line != 1 || !violations.Unreadable {
		t.Errorf("Import = %v", err)
	}
}

// TestInterviewsBeginMeanwhile: an interview that begins between the check and the storing keeps its readable id.
func TestInterviewsBeginMeanwhile(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	var taken response.Response
	service := &importing.Service{Store: sc.Store}
	service.Progress = func(stage importing.Stage, _, _ int64) {
		if stage == importing.Checking && taken.ID == "" {
			taken = storetest.Response(t, sc.Store, sc.Study, nil)
		}
	}
	_, err := service.Import(t.Context(), sc.Study, write(t, lines(sampleItem(1), sampleItem(2))...))
	if violations, ok := errors.AsType[*importing.ViolationsError](err); !ok || !strings.Contains(violations.Error(), "line 1: readableId: an interview that began meanwhile has it, 1") {
		t.Errorf("Import = %v", err)
	}
	if _, err := service.Import(t.Context(), sc.Study, write(t, lines(sampleItem(5))...)); err != nil {
		t.Errorf("another file: %v", err)
	}
}

func TestImportIntoADraft(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	o := storetest.Org(t, s)
	draft := storetest.Draft(t, s, o.ID, "")
	if _, err := (&importing.Service{Store: s}).Import(t.Context(), draft, write(t, lines(sampleItems(2)...)...)); err != nil {
		t.Fatal(err)
	}
	r, err := s.View().Response(t.Context(), o.ID, sampleItem(1).ID)
	if err != nil || r.Revision != 1 || r.Progress != response.Complete {
		t.Errorf("Response = %+v, %v", r, err)
	}
}

func TestImportRefusesIrregularFiles(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	service := &importing.Service{Store: sc.Store}
	for _, path := range []string{t.TempDir(), filepath.Join(t.TempDir(), "none")} {
		if _, err := service.Import(t.Context(), sc.Study, path); err == nil {
			t.Errorf("%s: no error", path)
		}
	}
	if result, err := service.Import(t.Context(), sc.Study, write(t)); err != nil || result.Stored != 0 {
		t.Errorf("an empty file: %+v, %v", result, err)
	}
	if _, err := service.Import(t.Context(), study.Study{ID: store.NewID()}, write(t)); !errors.Is(err, study.ErrNotFound) {
		t.Errorf("an unknown study: %v", err)
	}
}
