package store_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/response"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// putItem stores documents of a response: list as it is, and the single one the same. A zero time means the store's next.
func putItem(t *testing.T, s *store.Store, r response.Response, at time.Time, analysed bool, list string) time.Time {
	t.Helper()
	storetest.Write(t, s, func(tx *store.Tx) (err error) {
		if at.IsZero() {
			if at, err = tx.NextUpdate(t.Context(), r.StudyID); err != nil {
				return err
			}
		}
		return tx.PutItem(t.Context(), store.Item{
			StudyID: r.StudyID, ReadableID: r.ReadableID, ResponseID: r.ID, UpdatedAt: at, Analysed: analysed, Hidden: r.Hidden,
			Version: 1, List: []byte(list), Single: []byte(list),
		})
	})
	return at
}

// pageOf reads a page as a handler does: first its position, then its items, two at a time.
func pageOf(t *testing.T, s *store.Store, f store.ItemFilter) (lists []string) {
	t.Helper()
	page, err := s.View().ItemPage(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	promised, bytes := page.Count, 0
	for !page.Done() {
		taken := 0
		err := s.View().NextItems(t.Context(), page, func(list []byte) bool {
			taken++
			bytes += len(list)
			lists = append(lists, string(list))
			return taken == 2
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(lists) != promised || bytes != page.Bytes {
		t.Errorf("the page has %d items of %d bytes, where %d of %d were promised", len(lists), bytes, promised, page.Bytes)
	}
	return lists
}

func TestItemPages(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	start := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for i := range 6 { // 1 to 6, updated in the opposite order; even ones are analysed; 3 is hidden
		r := storetest.Response(t, sc.Store, sc.Study, nil)
		putItem(t, sc.Store, r, start.Add(-time.Duration(i)*time.Second), r.ReadableID%2 == 0, fmt.Sprint(r.ReadableID))
		if r.ReadableID == 3 {
			storetest.Write(t, sc.Store, func(tx *store.Tx) error { return tx.HideResponse(t.Context(), sc.Org.ID, r.ID, true) })
		}
	}
	other := storetest.NewScene(t, sc.Store)
	putItem(t, sc.Store, storetest.Response(t, sc.Store, other.Study, nil), start, true, "other")

	tests := []struct {
		name   string
		filter store.ItemFilter
		want   []string
		count  int
	}{
		{"all in order of readable id", store.ItemFilter{Limit: 10}, []string{"1", "2", "4", "5", "6"}, 5},
		{"second page", store.ItemFilter{Limit: 2, Offset: 2}, []string{"4", "5"}, 5},
		{"behind the end", store.ItemFilter{Limit: 2, Offset: 6}, nil, 5},
		{"analysed", store.ItemFilter{Limit: 10, AnalysedOnly: true}, []string{"2", "4", "6"}, 3},
		{"at or after", store.ItemFilter{Limit: 10, From: start.Add(-3 * time.Second)}, []string{"1", "2", "4"}, 3},
		{"just after", store.ItemFilter{Limit: 10, From: start.Add(-3*time.Second + time.Microsecond)}, []string{"1", "2"}, 2},
		{"updated, second page", store.ItemFilter{Limit: 1, Offset: 1, From: start.Add(-3 * time.Second)}, []string{"2"}, 3},
		{"updated and analysed", store.ItemFilter{Limit: 10, From: start.Add(-3 * time.Second), AnalysedOnly: true}, []string{"2", "4"}, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.filter.OrgID, tt.filter.Study = sc.Org.ID, sc.Study.ID
			if diff := cmp.Diff(tt.want, pageOf(t, sc.Store, tt.filter)); diff != "" {
				t.Errorf("page (-want +got):\n%s", diff)
			}
			if page, err := sc.Store.View().ItemPage(t.Context(), tt.filter); err != nil || page.Total != tt.count {
				t.Errorf("ItemPage = %+v, %v, want %d in total", page, err, tt.count)
			}
		})
	}
}

// TestAPollerMissesNothingThatChangesWhileItReads: one response is on the page, another is not yet; both change after the
// page was found and before it is read.
func TestAPollerMissesNothingThatChangesWhileItReads(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	first, second := storetest.Response(t, sc.Store, sc.Study, nil), storetest.Response(t, sc.Store, sc.Study, nil)
	putItem(t, sc.Store, first, time.Time{}, false, "first")
	latest := map[string]time.Time{"second": putItem(t, sc.Store, second, time.Time{}, false, "second")}
	page, err := sc.Store.View().ItemPage(t.Context(), store.ItemFilter{OrgID: sc.Org.ID, Study: sc.Study.ID, From: latest["second"], Limit: 100})
	if err != nil || page.Count != 1 {
		t.Fatalf("the page has %d items, %v", page.Count, err)
	}
	latest["first again"] = putItem(t, sc.Store, first, time.Time{}, false, "first again")
	latest["second again"] = putItem(t, sc.Store, second, time.Time{}, false, "second again")
	seen := map[string]bool{}
	since := latest["second"]
	read := func(list []byte) bool {
		seen[string(list)] = true
		if at := latest[string(list)]; at.After(since) {
			since = at
		}
		return false
	}
	for !page.Done() {
		if err := sc.Store.View().NextItems(t.Context(), page, read); err != nil {
			t.Fatal(err)
		}
	}
	for _, list := range pageOf(t, sc.Store, store.ItemFilter{OrgID: sc.Org.ID, Study: sc.Study.ID, From: since, Limit: 100}) {
		seen[list] = true
	}
	if !seen["first again"] || !seen["second again"] {
		t.Errorf("a poller saw %v", seen)
	}
}

func TestSingleItem(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	other := storetest.NewScene(t, sc.Store)
	r := storetest.Response(t, sc.Store, sc.Study, nil)
	at := putItem(t, sc.Store, r, time.Time{}, false, `{"a":"first"}`)
	later := putItem(t, sc.Store, r, time.Time{}, true, `{"a":"ä 😀"}`)
	if !later.After(at) {
		t.Errorf("the second update is at %v, not after the first at %v", later, at)
	}
	want := store.Item{
		StudyID: sc.Study.ID, ReadableID: 1, ResponseID: r.ID, UpdatedAt: later, Analysed: true, Version: 1,
		List: []byte(`{"a":"ä 😀"}`), Single: []byte(`{"a":"ä 😀"}`),
	}
	byNumber, err := sc.Store.View().ItemByReadableID(t.Context(), sc.Study.ID, 1)
	if diff := cmp.Diff(want, byNumber); diff != "" || err != nil {
		t.Errorf("ItemByReadableID: %v (-want +got):\n%s", err, diff)
	}
	byID, err := sc.Store.View().ItemByResponse(t.Context(), sc.Study.ID, r.ID)
	if diff := cmp.Diff(want, byID); diff != "" || err != nil {
		t.Errorf("ItemByResponse: %v (-want +got):\n%s", err, diff)
	}
	if _, err := sc.Store.View().ItemByResponse(t.Context(), other.Study.ID, r.ID); !errors.Is(err, response.ErrNotFound) {
		t.Errorf("ItemByResponse of another study = %v, want ErrNotFound", err)
	}
	if _, err := sc.Store.View().ItemByReadableID(t.Context(), sc.Study.ID, 2); !errors.Is(err, response.ErrNotFound) {
		t.Errorf("ItemByReadableID(2) = %v, want ErrNotFound", err)
	}
}

func TestUpdatesNeverGoBackWithTheClock(t *testing.T) {
	t.Parallel()
	address, clock := storetest.Address(t), storetest.NewClock()
	sc := storetest.NewScene(t, storetest.Open(t, address, store.Options{Now: clock.Now}))
	r := storetest.Response(t, sc.Store, sc.Study, nil)
	last := putItem(t, sc.Store, r, time.Time{}, false, "{}")

	clock.Advance(-time.Hour) // as after a restart on a machine with a wrong clock: this process knows no earlier time
	restarted := storetest.Open(t, address, store.Options{Now: clock.Now})
	for range 3 {
		next := putItem(t, restarted, r, time.Time{}, false, "{}")
		if !next.After(last) {
			t.Fatalf("an update is at %v, not after %v", next, last)
		}
		last = next
	}
	clock.Advance(2 * time.Hour)
	if next := putItem(t, restarted, r, time.Time{}, false, "{}"); !next.Equal(clock.Now()) {
		t.Errorf("an update is at %v, want the clock's %v again", next, clock.Now())
	}
}

func TestHidingLeavesListsCountsAndSearches(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	r := completed(t, sc, map[string]string{"pid": "1"})
	hits := func(hidden bool) int {
		t.Helper()
		found, err := sc.Store.View().Search(t.Context(), sc.Org.ID, "pid", "1", hidden, store.SearchCursor{}, 10)
		if err != nil {
			t.Fatal(err)
		}
		return len(found)
	}
	for _, tt := range []struct {
		hidden           bool
		visible, counted int
	}{{true, 0, 0}, {true, 0, 0}, {false, 1, 1}, {false, 1, 1}} {
		storetest.Write(t, sc.Store, func(tx *store.Tx) error { return tx.HideResponse(t.Context(), sc.Org.ID, r.ID, tt.hidden) })
		if got := len(pageOf(t, sc.Store, store.ItemFilter{OrgID: sc.Org.ID, Study: sc.Study.ID, Limit: 10})); got != tt.visible {
			t.Errorf("hidden %v: %d items, want %d", tt.hidden, got, tt.visible)
		}
		if got := hits(false); got != tt.visible {
			t.Errorf("hidden %v: %d hits, want %d", tt.hidden, got, tt.visible)
		}
		if got := hits(true); got != 1 {
			t.Errorf("hidden %v: %d hits with hidden ones, want 1", tt.hidden, got)
		}
		st, err := sc.Store.View().Study(t.Context(), sc.Org.ID, sc.Study.ID)
		if err != nil || st.CompletedCount != tt.counted {
			t.Errorf("hidden %v: CompletedCount = %d, %v, want %d", tt.hidden, st.CompletedCount, err, tt.counted)
		}
		if it, err := sc.Store.View().ItemByResponse(t.Context(), sc.Study.ID, r.ID); err != nil || it.Hidden != tt.hidden {
			t.Errorf("hidden %v: the single item says %v, %v", tt.hidden, it.Hidden, err)
		}
	}
	err := sc.Store.Write(t.Context(), func(tx *store.Tx) error { return tx.HideResponse(t.Context(), store.NewID(), r.ID, true) })
	if !errors.Is(err, response.ErrNotFound) {
		t.Errorf("hiding in another organization = %v, want ErrNotFound", err)
	}
}

// completed adds a response that is complete, was charged and has documents.
func completed(t *testing.T, sc storetest.Scene, params map[string]string) response.Response {
	t.Helper()
	r := storetest.Response(t, sc.Store, sc.Study, params)
	storetest.Write(t, sc.Store, func(tx *store.Tx) error {
		hold := store.Hold{WalletID: sc.Wallet.ID, OrgID: sc.Org.ID, StudyID: sc.Study.ID, ResponseID: r.ID, Amount: 1000}
		if err := tx.PlaceHold(t.Context(), hold); err != nil {
			return err
		}
		r.Progress, r.EndedAt, r.Duration = response.Complete, tx.Now(), 90*time.Second
		if err := tx.SaveProgress(t.Context(), r, tx.Now()); err != nil {
			return err
		}
		if err := tx.SettleHold(t.Context(), r.ID); err != nil {
			return err
		}
		return tx.CountCompleted(t.Context(), sc.Study.ID, 1)
	})
	putItem(t, sc.Store, r, time.Time{}, true, "{}")
	return r
}
