package store_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/interview"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// TestDecisions: a decision is read back as it was stored, by its turn, and is deleted with the response.
func TestDecisions(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	r := storetest.Response(t, sc.Store, sc.Study, nil)
	other := storetest.Response(t, sc.Store, sc.Study, nil)
	want := map[int]interview.Decision{
		1: {
			Words: "What do you mean by “fine”?", Kind: interview.Clarifying, Reason: "open", Provider: "models.example", Model: "m-1",
			Prompt: "probe-1", PromptHash: "abc", Seed: 1<<64 - 1,
			Attempts: []interview.Attempt{
				{Words: "Was it good? Or bad?", Kind: interview.Clarifying, Violations: []interview.Violation{{Kind: "several_questions", Detail: "two"}, {Kind: "leading"}}},
				{Words: "What do you mean by “fine”?", Kind: interview.Clarifying, Reason: "open"},
			},
			FirstWords: 400 * time.Millisecond, Took: 1200 * time.Millisecond, PromptTokens: 900, CompletionTokens: 80, MicroCost: 1 << 40,
		},
		3: {Provider: interview.BuiltIn, Reason: "nothing is open", Fallback: interview.FallbackTimeout},
	}
	ctx := t.Context()
	storetest.Write(t, sc.Store, func(tx *store.Tx) error {
		for seq := range 4 {
			turn := interview.Turn{StepID: "s", Kind: interview.TurnAnswer, ItemID: "why", At: tx.Now()}
			d, decided := want[seq]
			if decided {
				turn.Kind, turn.Probe, turn.Decided, turn.Provider = interview.TurnDecline, d.Words, true, d.Source()
			}
			if err := tx.AppendTurn(ctx, r.ID, seq, turn); err != nil {
				return err
			}
			if !decided {
				continue
			}
			if err := tx.AppendDecision(ctx, r.ID, seq, d); err != nil {
				return err
			}
		}
		return nil
	})
	view := sc.Store.View()
	got, err := view.Decisions(ctx, r.ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("decisions (-want +got):\n%s", diff)
	}
	turns, err := view.Turns(ctx, r.ID)
	if err != nil || turns[0].Decided || !turns[1].Decided || turns[1].Provider != "m-1" || turns[3].Provider != interview.BuiltIn {
		t.Errorf("turns = %+v, %v", turns, err)
	}
	if none, err := view.Decisions(ctx, other.ID); err != nil || len(none) != 0 {
		t.Errorf("another response has %v, %v", none, err)
	}
	if ids, err := view.ResponseIDs(ctx, sc.Study.ID); err != nil || !cmp.Equal(ids, []string{r.ID, other.ID}) {
		t.Errorf("ResponseIDs = %v, %v", ids, err)
	}
	remove(t, sc.Store, r)
	if left, err := view.Decisions(ctx, r.ID); err != nil || len(left) != 0 {
		t.Errorf("after the purge: %v, %v", left, err)
	}
	if ids, err := view.ResponseIDs(ctx, sc.Study.ID); err != nil || !cmp.Equal(ids, []string{other.ID}) {
		t.Errorf("after the purge: ResponseIDs = %v, %v", ids, err)
	}
}
