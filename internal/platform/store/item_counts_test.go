package store_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"verbatim/internal/domain/response"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// TestPagesAgainstAModel applies random changes to responses whose readable ids lie in buckets of every size, and compares
// pages of every kind with a plain list.
func TestPagesAgainstAModel(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	ctx := t.Context()
	type item struct {
		r        response.Response
		at       time.Time
		analysed bool
		hidden   bool
	}
	rapid.Check(t, func(rt *rapid.T) {
		sc := storetest.NewScene(t, s)
		model := map[int]*item{}
		ids := func() []int {
			var all []int
			for id := range model {
				all = append(all, id)
			}
			slices.Sort(all)
			return all
		}
		for range rapid.IntRange(1, 25).Draw(rt, "actions") {
			action := rapid.SampledFrom([]string{"add", "add", "add", "update", "hide", "delete"}).Draw(rt, "action")
			if len(model) == 0 {
				action = "add"
			}
			storetest.Write(t, s, func(tx *store.Tx) error {
				if action == "add" {
					if err := tx.SkipReadableIDs(ctx, sc.Study.ID, rapid.SampledFrom([]int{0, 0, 1, 1023, 32767, 1 << 20}).Draw(rt, "gap")); err != nil {
						return err
					}
					r, err := tx.StartResponse(ctx, response.Response{ID: store.NewID(), OrgID: sc.Org.ID, StudyID: sc.Study.ID, Revision: 1, DisclosedAt: tx.Now(), ConsentedAt: tx.Now()}, "h")
					if err != nil {
						return err
					}
					model[r.ReadableID] = &item{r: r}
				}
				id := rapid.SampledFrom(ids()).Draw(rt, "id")
				if action == "add" {
					id = slices.Max(ids())
				}
				it := model[id]
				switch action {
				case "add", "update":
					at, err := tx.NextUpdate(ctx, sc.Study.ID)
					if err != nil {
						return err
					}
					it.at, it.analysed = at, rapid.Bool().Draw(rt, "analysed")
					text := []byte(fmt.Sprint(id))
					return tx.PutItem(ctx, store.Item{
						StudyID: sc.Study.ID, ReadableID: id, ResponseID: it.r.ID, UpdatedAt: at, Analysed: it.analysed, Hidden: it.hidden, Version: 1, List: text, Single: text,
					})
				case "hide":
					it.hidden = !it.hidden
					return tx.HideResponse(ctx, sc.Org.ID, it.r.ID, it.hidden)
				}
				delete(model, id)
				_, err := tx.CreateDeletion(ctx, it.r)
				return err
			})
		}
		if n, err := s.View().MiscountedRuns(ctx, sc.Study.ID); err != nil || n != 0 {
			rt.Fatalf("%d counts are wrong (%v)", n, err)
		}
		f := store.ItemFilter{
			OrgID: sc.Org.ID, Study: sc.Study.ID, AnalysedOnly: rapid.Bool().Draw(rt, "analysed only"), Offset: rapid.IntRange(0, 12).Draw(rt, "offset"), Limit: rapid.IntRange(1, 12).Draw(rt, "limit"),
		}
		if len(model) > 0 && rapid.Bool().Draw(rt, "by time") {
			f.From = model[rapid.SampledFrom(ids()).Draw(rt, "from")].at
		}
		var want []string
		for _, id := range ids() {
			if it := model[id]; !it.hidden && (it.analysed || !f.AnalysedOnly) && !it.at.Before(f.From) {
				want = append(want, fmt.Sprint(id))
			}
		}
		total := len(want)
		want = want[min(f.Offset, total):min(f.Offset+f.Limit, total)]
		page, err := s.View().ItemPage(ctx, f)
		if err != nil || page.Total != total {
			rt.Fatalf("the total is %d (%v), want %d", page.Total, err, total)
		}
		if got := pageOf(t, s, f); !slices.Equal(got, want) {
			rt.Fatalf("the page is %v, want %v", got, want)
		}
	})
}

func TestRecount(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	putItem(t, sc.Store, storetest.Response(t, sc.Store, sc.Study, nil), time.Time{}, true, "{}")
	storetest.Write(t, sc.Store, func(tx *store.Tx) error { return tx.Miscount(t.Context(), sc.Study.ID) })
	if n, err := sc.Store.View().MiscountedRuns(t.Context(), sc.Study.ID); err != nil || n != 3 {
		t.Errorf("MiscountedRuns = %d, %v, want 3", n, err)
	}
	storetest.Write(t, sc.Store, func(tx *store.Tx) error { return tx.RecountItems(t.Context(), sc.Study.ID) })
	if n, err := sc.Store.View().MiscountedRuns(t.Context(), sc.Study.ID); err != nil || n != 0 {
		t.Errorf("MiscountedRuns after RecountItems = %d, %v, want none", n, err)
	}
}
