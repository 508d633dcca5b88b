package store_test

import (
	"testing"

	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// BenchmarkSearch finds a hundred responses by a parameter that they share.
func BenchmarkSearch(b *testing.B) {
	sc := storetest.NewScene(b, storetest.New(b))
	const hits = 100
	for range hits {
		storetest.Response(b, sc.Store, sc.Study, map[string]string{"panel": "P1"})
	}
	view := sc.Store.View()
	b.ReportAllocs()
	for b.Loop() {
		found, err := view.Search(b.Context(), sc.Org.ID, "panel", "P1", false, store.SearchCursor{}, hits+1)
		if err != nil || len(found) != hits {
			b.Fatalf("%d hits, %v", len(found), err)
		}
	}
}
