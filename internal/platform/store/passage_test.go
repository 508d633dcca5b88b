package store_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/response"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// term returns a term that no other word begins like: the index of SQLite stores what neighbouring terms begin with once, so a
// search of its bytes looks for the end.
func term(word string) string {
	sum := sha256.Sum256([]byte(word))
	return hex.EncodeToString(sum[:16])
}

// indexPassages puts passages of a response into the index, whose documents were stored at a time.
func indexPassages(t *testing.T, s *store.Store, r response.Response, at time.Time, passages ...store.Passage) {
	t.Helper()
	source := store.PassageSource{OrgID: r.OrgID, StudyID: r.StudyID, ResponseID: r.ID, UpdatedAt: at}
	storetest.Write(t, s, func(tx *store.Tx) error {
		return tx.IndexPassages(t.Context(), []store.PassageSource{source}, map[string][]store.Passage{r.ID: passages})
	})
}

// indexed adds a completed response with passages.
func indexed(t *testing.T, sc storetest.Scene, passages ...store.Passage) response.Response {
	t.Helper()
	r := completed(t, sc, nil)
	item, err := sc.Store.View().ItemByResponse(t.Context(), r.StudyID, r.ID)
	if err != nil {
		t.Fatal(err)
	}
	indexPassages(t, sc.Store, r, item.UpdatedAt, passages...)
	return r
}

// found returns the responses and rows of the passages that have one of the words.
func found(t *testing.T, sc storetest.Scene, studyID string, words ...string) (places []string) {
	t.Helper()
	q := store.PassageQuery{OrgID: sc.Org.ID, StudyID: studyID}
	for _, word := range words {
		q.Words = append(q.Words, []string{word})
	}
	hits, err := sc.Store.View().SearchPassages(t.Context(), q, 100)
	if err != nil {
		t.Fatal(err)
	}
	responses := map[string]bool{}
	for _, h := range hits {
		responses[h.ResponseID] = true
		places = append(places, fmt.Sprint(h.ReadableID, " row ", h.Row))
	}
	if n, err := sc.Store.View().CountMatching(t.Context(), q); err != nil || n != len(responses) {
		t.Errorf("%v: %d responses are counted, %v, and %d found", words, n, err, len(responses))
	}
	slices.Sort(places)
	return places
}

// TestSearchPassages: a word is found in every script, only in what is the organization's, and neither hidden nor deleted.
func TestSearchPassages(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	sc, other := storetest.NewScene(t, s), storetest.NewScene(t, s)
	second := sc
	second.Study = storetest.Study(t, s, sc.Org.ID, "", "")
	one := indexed(t, sc, store.Passage{Row: 1, Terms: []string{"price", "high", "·pric"}}, store.Passage{Row: 3, Terms: []string{"价格", "السعر", "naïve"}})
	two := indexed(t, sc, store.Passage{Row: 1, Terms: []string{"price", "¿delivery"}})
	indexed(t, second, store.Passage{Row: 2, Terms: []string{"price"}})
	indexed(t, other, store.Passage{Row: 1, Terms: []string{"price"}})
	check := func(studyID string, words []string, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, found(t, sc, studyID, words...)); diff != "" {
			t.Errorf("%q in %q (-want +got):\n%s", words, studyID, diff)
		}
	}
	check(sc.Study.ID, []string{"price"}, "1 row 1", "2 row 1")
	check("", []string{"price"}, "1 row 1", "1 row 2", "2 row 1")
	check(other.Study.ID, []string{"price"})
	check(sc.Study.ID, []string{"价格"}, "1 row 3")
	check(sc.Study.ID, []string{"السعر"}, "1 row 3")
	check(sc.Study.ID, []string{"·pric"}, "1 row 1")
	check(sc.Study.ID, []string{"delivery"})
	check(sc.Study.ID, []string{"¿delivery"}, "2 row 1")
	check(sc.Study.ID, []string{"high", "价格"}, "1 row 1", "1 row 3")
	for _, hostile := range []string{"", "'", `"`, "a'b", `a" OR "price`, "price*", "§o", "a b", "price) | (x", "\x00", "NOT", "·"} {
		check(sc.Study.ID, []string{hostile})
	}

	storetest.Write(t, s, func(tx *store.Tx) error { return tx.HideResponse(t.Context(), sc.Org.ID, two.ID, true) })
	check(sc.Study.ID, []string{"price"}, "1 row 1")
	storetest.Write(t, s, func(tx *store.Tx) error { _, err := tx.CreateDeletion(t.Context(), one); return err })
	check(sc.Study.ID, []string{"price"})
	write, _ := s.Handles()
	var left int
	if err := write.QueryRowContext(t.Context(), `select count(*) from passage where response_id = $1`, one.ID).Scan(&left); err != nil || left != 0 {
		t.Errorf("%d passages of a deleted response are left, %v", left, err)
	}
}

// TestPassagesAreReplaced: what was said before is not found any more, and what is indexed late is not what has changed since.
func TestPassagesAreReplaced(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	r := indexed(t, sc, store.Passage{Row: 1, Terms: []string{"before"}})
	due := func() int {
		t.Helper()
		list, err := sc.Store.View().ToIndex(t.Context(), sc.Study.ID, 0, 10)
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	if due() != 0 {
		t.Errorf("%d responses are to be indexed, want none", due())
	}
	at := putItem(t, sc.Store, r, time.Time{}, true, `{"v":2}`)
	if due() != 1 {
		t.Errorf("%d responses are to be indexed after a change, want 1", due())
	}
	indexPassages(t, sc.Store, r, at.Add(-1000), store.Passage{Row: 1, Terms: []string{"outdated"}})
	if got := found(t, sc, "", "outdated"); got != nil || due() != 1 {
		t.Errorf("passages of outdated documents are stored: %v", got)
	}
	indexPassages(t, sc.Store, r, at, store.Passage{Row: 1, Terms: []string{"after"}})
	if before, after := found(t, sc, "", "before"), found(t, sc, "", "after"); before != nil || len(after) != 1 || due() != 0 {
		t.Errorf("found %v of before and %v of after", before, after)
	}
	if ended, have, err := sc.Store.View().CountIndexed(t.Context(), sc.Org.ID, ""); ended != 1 || have != 1 || err != nil {
		t.Errorf("%d of %d responses are indexed, %v", have, ended, err)
	}
	storetest.Write(t, sc.Store, func(tx *store.Tx) error { return tx.Purge(t.Context(), r.ID) })
	indexPassages(t, sc.Store, r, at, store.Passage{Row: 1, Terms: []string{"ghost"}})
	if got := found(t, sc, "", "ghost"); got != nil {
		t.Errorf("a deleted response came back: %v", got)
	}
}

// TestEarlierProgramsRemovePassages: a program that does not know the table removes a response, and its passages with it.
func TestEarlierProgramsRemovePassages(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	r := indexed(t, sc, store.Passage{Row: 1, Terms: []string{"price"}})
	write, _ := sc.Store.Handles()
	for _, statement := range []string{`delete from response_item where response_id = $1`, `update hold set response_id = null where response_id = $1`, `delete from response where id = $1`} {
		if _, err := write.ExecContext(t.Context(), statement, r.ID); err != nil {
			t.Fatal(err)
		}
	}
	for _, table := range []string{"passage", "passage_source"} {
		var left int
		if err := write.QueryRowContext(t.Context(), `select count(*) from `+table).Scan(&left); err != nil || left != 0 {
			t.Errorf("%s has %d rows, %v", table, left, err)
		}
	}
}

// TestIndexOfSQLiteKeepsNoDeletedWord fills the index to several segments, removes most of it in many ways, and looks at the bytes
// of the files and at what the engine says of its index.
func TestIndexOfSQLiteKeepsNoDeletedWord(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	sc := storetest.NewScene(t, storetest.Open(t, "sqlite:"+filepath.Join(dir, "v.db"), store.Options{}))
	var all []response.Response
	const responses, each = 60, 40
	words := func(r int) (terms []string) {
		for w := range each {
			terms = append(terms, term(fmt.Sprint(r, " ", w)))
		}
		return append(terms, "shared")
	}
	for i := range responses {
		all = append(all, indexed(t, sc, store.Passage{Row: 1, Terms: words(i)}))
	}
	for i, r := range all {
		if i%4 != 0 {
			remove(t, sc.Store, r)
		}
	}
	if err := sc.Store.Scrub(t.Context()); err != nil {
		t.Fatal(err)
	}
	var content []byte
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, file := range files {
		read, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		content = append(content, read...)
	}
	left := map[bool]int{}
	for i := range responses {
		for _, word := range words(i)[:each] {
			if bytes.Contains(content, []byte(word[8:])) {
				left[i%4 == 0]++
			}
		}
	}
	if left[false] > 0 || left[true] != responses/4*each {
		t.Errorf("of the deleted responses %d words are left, of the others %d of %d", left[false], left[true], responses/4*each)
	}
	if got := found(t, sc, "", "shared"); len(got) != responses/4 {
		t.Errorf("found %d responses, want %d", len(got), responses/4)
	}
	write, _ := sc.Store.Handles()
	if _, err := write.ExecContext(t.Context(), `insert into passage_index (passage_index, rank) values ('integrity-check', 1)`); err != nil {
		t.Errorf("the index differs from the table: %v", err)
	}
}
