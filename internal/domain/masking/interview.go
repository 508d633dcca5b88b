package masking

import "verbatim/internal/domain/interview"

// OfInterview returns a Masker that has given out the placeholders of an interview's turns, in their order: a detail has the same
// placeholder in every request about the interview, whichever of the turns the request repeats. Turns of withheld items are left out.
func OfInterview(turns []interview.Exchange, withheld map[string]bool, private []string) *Masker {
	m := New(private...)
	for i := range turns {
		if t := &turns[i]; !withheld[t.ItemID] {
			m.Mask(t.Moderator)
			m.Mask(t.User)
		}
	}
	return m
}
