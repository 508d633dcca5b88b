package store_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/response"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

func TestFingerprints(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	sc, elsewhere := storetest.NewScene(t, s), storetest.NewScene(t, s)
	first, second, third := storetest.Response(t, s, sc.Study, nil), storetest.Response(t, s, sc.Study, nil), storetest.Response(t, s, sc.Study, nil)
	foreign := storetest.Response(t, s, elsewhere.Study, nil)
	save := func(r response.Response, fingerprints ...store.Fingerprint) (copies map[int]int) {
		storetest.Write(t, s, func(tx *store.Tx) (err error) {
			copies, err = tx.SaveFingerprints(t.Context(), r, fingerprints)
			return err
		})
		return copies
	}
	for i, step := range []struct {
		r            response.Response
		fingerprints []store.Fingerprint
		want         map[int]int
	}{
		{foreign, []store.Fingerprint{{Row: 1, Hash: "a"}}, map[int]int{}},
		{second, []store.Fingerprint{{Row: 1, Hash: "a"}, {Row: 2, Hash: "a"}, {Row: 3, Hash: "b"}}, map[int]int{}},
		{third, []store.Fingerprint{{Row: 5, Hash: "a"}, {Row: 6, Hash: "c"}}, map[int]int{5: 1}},
		{first, []store.Fingerprint{{Row: 1, Hash: "a"}}, map[int]int{}}, // it is the earliest, whenever it is stored
		{third, []store.Fingerprint{{Row: 5, Hash: "a"}, {Row: 6, Hash: "b"}}, map[int]int{5: 2, 6: 1}},
		{second, nil, map[int]int{}},
		{third, []store.Fingerprint{{Row: 5, Hash: "a"}, {Row: 6, Hash: "b"}}, map[int]int{5: 1}},
	} {
		if diff := cmp.Diff(step.want, save(step.r, step.fingerprints...)); diff != "" {
			t.Errorf("step %d: copies (-want +got)\n%s", i, diff)
		}
	}
	storetest.Write(t, s, func(tx *store.Tx) error { _, err := tx.CreateDeletion(t.Context(), first); return err })
	if copies := save(third, store.Fingerprint{Row: 5, Hash: "a"}); len(copies) != 0 {
		t.Errorf("a deleted response is counted: %v", copies)
	}
	if save(first, store.Fingerprint{Row: 1, Hash: "a"}); len(save(third, store.Fingerprint{Row: 5, Hash: "a"})) != 0 {
		t.Error("a deleted response got fingerprints")
	}
}
