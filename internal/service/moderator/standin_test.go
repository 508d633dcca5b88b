package moderator

import (
	"testing"

	"verbatim/internal/domain/interview"
)

// Fallback asks what the built-in moderator would, and records that a call was lost. Where the rules forbid a follow-up it asks
// nothing.
func TestStandIn(t *testing.T) {
	t.Parallel()
	in := checkout()
	d := Fallback{}.Decide(t.Context(), in)
	if want := (BuiltIn{}).Decide(t.Context(), in); d.Words != want.Words || d.Words == "" || d.Fallback != interview.FallbackServerDied || d.Provider != interview.BuiltIn {
		t.Errorf("decided %+v, the built-in moderator %q", d, want.Words)
	}
	in.Answer = " "
	if d := (Fallback{}).Decide(t.Context(), in); d.Words != "" || d.Fallback != "" {
		t.Errorf("an answer without words is followed up: %+v", d)
	}
}
