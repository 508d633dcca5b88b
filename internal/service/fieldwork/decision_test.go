package fieldwork_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/wallet"
)

// TestDecisionsAreLogged: each of the moderator's turns is stored with its decision, unchanged, and names the decision's
// provider.
func TestDecisionsAreLogged(t *testing.T) { forEachModerator(t, decisionsAreLogged) }

func decisionsAreLogged(t *testing.T, synchronous bool) {
	f := setup(t, small(), wallet.Credit)
	f.Synchronous = synchronous
	asked := interview.Decision{
		Words: "What did they taste like?", Kind: interview.Descriptive, Reason: "the taste is open", Provider: "models.example", Model: "m-1",
		Prompt: "probe-1", PromptHash: "abc", Seed: 5, Attempts: []interview.Attempt{{Words: "What did they taste like?", Kind: interview.Descriptive}}, PromptTokens: 9,
	}
	declined := interview.Decision{Provider: "models.example", Model: "m-1", Fallback: interview.FallbackTimeout, Reason: "the answer says enough"}
	f.Moderator = &fixedModerator{decisions: []interview.Decision{asked, declined}}
	token, at := f.start("")
	at = f.answer(token, at, yes)
	at = f.answer(token, at, text("They taste good."))
	at = f.answer(token, at, text("Sour."))
	f.answer(token, at, red)

	got, err := f.Store.View().Decisions(t.Context(), at.Response.ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[int]interview.Decision{2: asked, 4: declined}, got); diff != "" {
		t.Errorf("decisions by turn (-want +got):\n%s", diff)
	}
	turns := f.turns(at.Response)
	if turns[2].Probe != asked.Words || turns[2].Provider != "m-1" || turns[4].Kind != interview.TurnDecline || turns[4].Provider != interview.BuiltIn {
		t.Errorf("turns = %+v", turns)
	}
	for seq, turn := range turns {
		if turn.Decided != (seq == 2 || seq == 4) {
			t.Errorf("turn %d says that it is decided: %v", seq, turn.Decided)
		}
	}
}

// fixedModerator returns the given decisions in order.
type fixedModerator struct{ decisions []interview.Decision }

func (m *fixedModerator) Decide(context.Context, interview.Ask) interview.Decision {
	next := m.decisions[0]
	m.decisions = m.decisions[1:]
	return next
}
