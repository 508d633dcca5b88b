package store_test

import (
	"fmt"
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

// TestLookalikes: answers of earlier responses that share hashes are found, the most alike first, and two at most.
func TestLookalikes(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	sc := storetest.NewScene(t, s)
	var all [5]response.Response
	for i, sketch := range [][]string{{"0-a", "1-b", "2-c"}, {"0-a", "1-x", "2-c"}, {"0-a", "1-b", "2-y"}, {"0-z"}} {
		all[i] = storetest.Response(t, s, sc.Study, nil)
		storetest.Write(t, s, func(tx *store.Tx) error {
			_, err := tx.SaveFingerprints(t.Context(), all[i], []store.Fingerprint{{Row: 2, Hash: "h", Sketch: sketch}})
			return err
		})
	}
	all[4] = storetest.Response(t, s, sc.Study, nil)
	got, err := s.View().Lookalikes(t.Context(), all[4], []store.Fingerprint{{Row: 7, Hash: "h", Sketch: []string{"0-a", "1-b", "2-c"}}, {Row: 8, Sketch: []string{"0-z", "1-b"}}}, 2)
	if err != nil || len(got) != 2 {
		t.Fatalf("%+v, %v", got, err)
	}
	if first := (store.Lookalike{Row: 7, ResponseID: all[0].ID, EarlierRow: 2, Common: 3}); got[0] != first || got[1].Common != 2 {
		t.Errorf("%+v", got)
	}
	if got, err := s.View().Lookalikes(t.Context(), all[0], []store.Fingerprint{{Row: 7, Sketch: []string{"0-a", "1-b"}}}, 1); err != nil || len(got) != 0 {
		t.Errorf("later responses are found: %+v, %v", got, err)
	}
}

// TestFingerprintsWithoutStudyLock: participants who answer do not wait while an analysis stores fingerprints, nor it for them.
func TestFingerprintsWithoutStudyLock(t *testing.T) {
	t.Parallel()
	if !storetest.OnPostgres() {
		t.Skip("SQLite has one writer")
	}
	s := storetest.New(t)
	sc := storetest.NewScene(t, s)
	r := storetest.Response(t, s, sc.Study, nil)
	storetest.Write(t, s, func(tx *store.Tx) error {
		if _, err := tx.NextUpdate(t.Context(), sc.Study.ID); err != nil { // locks the study
			return err
		}
		return s.Write(t.Context(), func(tx *store.Tx) error {
			_, err := tx.SaveFingerprints(t.Context(), r, []store.Fingerprint{{Row: 1, Hash: "a", Sketch: make([]string, 40)}})
			return err
		})
	})
}

// TestManyFingerprints: more answers and hashes than one statement takes are stored and found.
func TestManyFingerprints(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	sc := storetest.NewScene(t, s)
	first, second := storetest.Response(t, s, sc.Study, nil), storetest.Response(t, s, sc.Study, nil)
	var all []store.Fingerprint
	for row := range 20 {
		all = append(all, store.Fingerprint{Row: row, Hash: fmt.Sprint("h", row), Sketch: []string{fmt.Sprint("0-", row), fmt.Sprint("1-", row)}})
	}
	for _, r := range []response.Response{first, second} {
		storetest.Write(t, s, func(tx *store.Tx) error {
			copies, err := tx.SaveFingerprints(t.Context(), r, all)
			if want := map[string]int{first.ID: 0, second.ID: len(all)}[r.ID]; len(copies) != want {
				t.Errorf("%d answers are copies, not %d", len(copies), want)
			}
			return err
		})
	}
	alike, err := s.View().Lookalikes(t.Context(), second, all, 2)
	if err != nil || len(alike) != len(all) {
		t.Errorf("%d of %d answers have a lookalike: %v", len(alike), len(all), err)
	}
}
