package store_test

import (
	"crypto/rand"
	"encoding/hex"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/response"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// TestSearchPagesOverEqualTimes starts responses in one transaction, so that they have the same time, and reads them in pages
// of every size.
func TestSearchPagesOverEqualTimes(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	ctx := t.Context()
	var want []string
	for range 3 { // three times, three responses at each
		var ids []string
		storetest.Write(t, sc.Store, func(tx *store.Tx) error {
			for range 3 {
				r, err := tx.StartResponse(ctx, response.Response{
					ID: store.NewID(), OrgID: sc.Org.ID, StudyID: sc.Study.ID, Revision: 1, URLParams: map[string]string{"pid": "7"},
					DisclosedAt: tx.Now(), ConsentedAt: tx.Now(),
				}, "h")
				if err != nil {
					return err
				}
				ids = append(ids, r.ID)
			}
			return nil
		})
		want = append(want, ids...)
	}
	slices.Reverse(want)
	for limit := 1; limit <= len(want)+1; limit++ {
		var got []string
		var place store.SearchCursor
		for {
			hits, err := sc.Store.View().Search(ctx, sc.Org.ID, "pid", "7", false, place, limit)
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range hits {
				got = append(got, h.ResponseID)
				place = store.SearchCursor{CreatedAt: h.CreatedAt, ResponseID: h.ResponseID}
			}
			if len(hits) < limit {
				break
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("limit %d (-want +got):\n%s", limit, diff)
		}
	}
}

func TestSearchIsExact(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	r := storetest.Response(t, sc.Store, sc.Study, map[string]string{"pid": "Ab", "empty": "", "_own": "Ab"})
	long := make([]byte, 1000)
	_, _ = rand.Read(long)
	name, value := hex.EncodeToString(long), hex.EncodeToString(long[1:]) // as long as links may have them, and no engine can compress them
	storetest.Response(t, sc.Store, sc.Study, map[string]string{name: value})
	foreign := storetest.NewScene(t, sc.Store)
	for _, tt := range []struct {
		name, org, param, value string
		found                   bool
	}{
		{"the value", sc.Org.ID, "pid", "Ab", true},
		{"another case", sc.Org.ID, "pid", "ab", false},
		{"a part", sc.Org.ID, "pid", "A", false},
		{"a pattern", sc.Org.ID, "pid", "A%", false},
		{"an empty value", sc.Org.ID, "empty", "", true},
		{"another parameter", sc.Org.ID, "PID", "Ab", false},
		{"the service's own", sc.Org.ID, "_own", "Ab", false},
		{"a long value", sc.Org.ID, name, value, true},
		{"another long value", sc.Org.ID, name, value + "0", false},
		{"another organization", foreign.Org.ID, "pid", "Ab", false},
	} {
		hits, err := sc.Store.View().Search(t.Context(), tt.org, tt.param, tt.value, true, store.SearchCursor{}, 10)
		if err != nil || (len(hits) == 1) != tt.found {
			t.Errorf("%s: %v, %v, want found %v", tt.name, hits, err, tt.found)
		}
		if len(hits) == 1 && tt.param != name {
			want := response.Hit{ResponseID: r.ID, ReadableID: 1, StudyID: sc.Study.ID, LinkID: sc.Study.LinkID, CreatedAt: r.CreatedAt}
			if diff := cmp.Diff(want, hits[0]); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.name, diff)
			}
		}
	}
}

// TestSearchPassesOverDeletedStudies: hits in deleted studies are left out, and leave no gap in a page.
func TestSearchPassesOverDeletedStudies(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	ctx := t.Context()
	gone := storetest.Study(t, sc.Store, sc.Org.ID, sc.User.ID, "")
	params := map[string]string{"pid": "7"}
	var want []string
	for n := range 12 {
		if n%3 == 0 {
			want = append(want, storetest.Response(t, sc.Store, sc.Study, params).ID)
			continue
		}
		storetest.Response(t, sc.Store, gone, params)
	}
	slices.Reverse(want)
	write, _ := sc.Store.Handles()
	if _, err := write.ExecContext(ctx, `update study set deleted_at = 1 where id = $1`, gone.ID); err != nil {
		t.Fatal(err)
	}
	for limit := 1; limit <= len(want)+1; limit++ {
		hits, err := sc.Store.View().Search(ctx, sc.Org.ID, "pid", "7", false, store.SearchCursor{}, limit)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, h := range hits {
			if h.LinkID != sc.Study.LinkID {
				t.Errorf("a hit has the link id %q, want %q", h.LinkID, sc.Study.LinkID)
			}
			got = append(got, h.ResponseID)
		}
		if diff := cmp.Diff(want[:min(limit, len(want))], got); diff != "" {
			t.Errorf("limit %d (-want +got):\n%s", limit, diff)
		}
	}
}
