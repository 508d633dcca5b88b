package store_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/interview"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

func TestAStudyIsReadInChunks(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	const people = 70 // more than one statement reads
	var ids []string
	for range people {
		ids = append(ids, storetest.Response(t, sc.Store, sc.Study, nil).ID)
	}
	other := storetest.Response(t, sc.Store, storetest.Study(t, sc.Store, sc.Org.ID, "", ""), nil)
	storetest.Write(t, sc.Store, func(tx *store.Tx) error {
		for i, id := range ids[1:] {
			for seq := range i%3 + 1 {
				turn := interview.Turn{StepID: "s", Kind: interview.TurnAnswer, ItemID: "why", Answer: interview.Answer{Text: id}, At: tx.Now()}
				if err := tx.AppendTurn(t.Context(), id, seq, turn); err != nil {
					return err
				}
			}
		}
		return tx.HideResponse(t.Context(), sc.Org.ID, ids[2], true)
	})
	storetest.Write(t, sc.Store, func(tx *store.Tx) error {
		r, err := tx.Response(t.Context(), sc.Org.ID, ids[4])
		if err != nil {
			return err
		}
		_, err = tx.CreateDeletion(t.Context(), r)
		return err
	})
	view := sc.Store.View()
	var read []string
	for after := 0; ; {
		some, err := view.StudyResponses(t.Context(), sc.Study.ID, after, 30)
		if err != nil {
			t.Fatal(err)
		}
		if len(some) == 0 {
			break
		}
		for _, r := range some {
			read = append(read, r.ID)
		}
		after = some[len(some)-1].ReadableID
	}
	want := append(append([]string{}, ids[:4]...), ids[5:]...) // includes the hidden one, but not the deleted one
	if diff := cmp.Diff(want, read); diff != "" {
		t.Error(diff)
	}
	logs, err := view.TurnsOf(t.Context(), append(read, other.ID))
	if err != nil {
		t.Fatal(err)
	}
	if len(logs) != len(read)-1 {
		t.Errorf("%d logs; the first response and the one of the other study have none", len(logs))
	}
	for id, log := range logs {
		alone, err := view.Turns(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(alone, log); diff != "" {
			t.Errorf("%s: %s", id, diff)
		}
	}
	if revisions, err := view.RevisionsUsed(t.Context(), sc.Study.ID); err != nil || len(revisions) != 1 || revisions[0] != sc.Study.PublishedRevision {
		t.Errorf("revisions %v (%v)", revisions, err)
	}
}
