package results_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"verbatim/internal/domain/document"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/response"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/results"
)

// TestPageWhileItChanges deletes a response of a page, hides another and adds a third between the page's chunks.
func TestPageWhileItChanges(t *testing.T) {
	t.Parallel()
	s := &results.Service{Store: storetest.New(t)}
	scene := storetest.NewScene(t, s.Store)
	long := strings.Repeat("apple ", 60_000) // one item fills a chunk
	var made []response.Response
	respond := func() {
		r := storetest.Response(t, s.Store, scene.Study, nil)
		made = append(made, r)
		storetest.Write(t, s.Store, func(tx *store.Tx) error {
			return tx.PutDocument(t.Context(), document.Source{Response: r, Answers: []interview.Answered{{ItemID: "why", Number: 1, Text: long}}})
		})
	}
	for range 6 {
		respond()
	}
	page, err := s.List(t.Context(), org.Caller{OrgID: scene.Org.ID}, scene.Study.LinkID, results.Filter{PerPage: 5})
	if err != nil || page.Total != 6 || page.Last {
		t.Fatalf("the page is %+v (%v)", page, err)
	}
	var got []int
	err = page.Each(t.Context(), func(list []byte) error {
		item, err := document.DecodeItem(list)
		got = append(got, item.ReadableID)
		if item.ReadableID == 1 {
			respond()
			storetest.Write(t, s.Store, func(tx *store.Tx) error {
				if _, err := tx.CreateDeletion(t.Context(), made[2]); err != nil {
					return err
				}
				return tx.HideResponse(t.Context(), scene.Org.ID, made[3].ID, true)
			})
		}
		return err
	})
	if want := []int{1, 2, 5}; err != nil || !slices.Equal(got, want) {
		t.Errorf("the page held %v (%v), want %v", got, err, want)
	}
}

// TestPageHoldsNoConnection reads from the database while items are handed on, with more readers than the store has
// connections.
func TestPageHoldsNoConnection(t *testing.T) {
	t.Parallel()
	s := &results.Service{Store: storetest.New(t)}
	scene := storetest.NewScene(t, s.Store)
	r := storetest.Response(t, s.Store, scene.Study, nil)
	storetest.Write(t, s.Store, func(tx *store.Tx) error { return tx.PutDocument(t.Context(), document.Source{Response: r}) })
	var nest func(depth int) error
	nest = func(depth int) error {
		if depth == 0 {
			return nil
		}
		page, err := s.List(t.Context(), org.Caller{OrgID: scene.Org.ID}, scene.Study.ID, results.Filter{PerPage: 1})
		if err != nil {
			return err
		}
		return page.Each(t.Context(), func([]byte) error { return nest(depth - 1) })
	}
	if err := nest(100); err != nil {
		t.Error(err)
	}
}

func TestParseRef(t *testing.T) {
	t.Parallel()
	for ref, want := range map[string]error{
		"1": nil, "120": nil, "99999999999999999999": nil, "0198f2c4-51ab-7d1e-9c30-5d1f6a2b7e10": nil, "0198F2C4-51AB-7D1E-9C30-5D1F6A2B7E10": nil,
		"": results.ErrBadRef, "0": results.ErrBadRef, "01": results.ErrBadRef, "1.0": results.ErrBadRef, "+1": results.ErrBadRef,
		"1\n": results.ErrBadRef, "0198f2c4": results.ErrBadRef, "{0198f2c4-51ab-7d1e-9c30-5d1f6a2b7e10}": results.ErrBadRef,
	} {
		if _, err := results.ParseRef(ref); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", ref, err, want)
		}
	}
}
