package authoring_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/authoring"
)

// TestGuidesFromBeforeTheBounds: a guide that was stored before there were bounds is read and launched unchanged. The bounds
// apply to new payloads, including edits.
func TestGuidesFromBeforeTheBounds(t *testing.T) {
	t.Parallel()
	s := &authoring.Service{Store: storetest.New(t)}
	o := storetest.Org(t, s.Store)
	caller := org.Caller{OrgID: o.ID, UserID: storetest.User(t, s.Store, o.ID, org.Admin).ID, Role: org.Admin}
	options := make([]guide.Option, guide.MaxOptions+1)
	for i := range options {
		id := string(rune('A' + i)) // some letter
		options[i] = guide.Option{ID: id, Text: id}
	}
	g := &guide.Guide{Title: "Large", Blocks: []guide.Block{{ID: "b", Type: guide.BlockFlat, Items: []guide.Item{
		{ID: "q", Type: guide.Ranking, Text: "In which order?", Options: options},
	}}}}
	var draft study.Study
	storetest.Write(t, s.Store, func(tx *store.Tx) (err error) {
		draft, err = tx.CreateStudy(t.Context(), study.Study{OrgID: o.ID, Title: g.Title}, guide.Encode(g))
		return err
	})
	if diff := cmp.Diff(g, latest(t, s, caller, draft.ID)); diff != "" {
		t.Errorf("reading it (-want +got):\n%s", diff)
	}
	if _, _, err := s.Launch(t.Context(), caller, draft.ID, "", org.IdempotencyKey{}, func(authoring.Launched) []byte { return nil }); err != nil {
		t.Errorf("launching it: %v", err)
	}
	err := s.Revise(t.Context(), caller, draft.ID, 1, guide.Encode(g))
	if schema, ok := errors.AsType[*guide.SchemaError](err); !ok || schema.Issues[0].Code != "too_big" {
		t.Errorf("an edit that leaves it too large: %v", err)
	}
	g.Blocks[0].Items[0].Options = options[:guide.MaxOptions]
	if err := s.Revise(t.Context(), caller, draft.ID, 1, guide.Encode(g)); err != nil {
		t.Errorf("an edit that makes it fit: %v", err)
	}
}
