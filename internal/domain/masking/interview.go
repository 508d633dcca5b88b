package masking

import "verbatim/internal/domain/interview"

// maxRead is four times what a moderator's request repeats.
const maxRead = 64 << 10

// OfInterview returns a Masker that has given out the placeholders of an interview's turns, in their order: a detail has the same
// placeholder in every request about the interview, whichever of the turns the request repeats. Turns of withheld items are left out.
// Of an interview with more than maxRead bytes only the beginning is read, so that nobody's answers cost much at every follow-up;
// details that occur later get their placeholders in the order of each request.
func OfInterview(turns []interview.Exchange, withheld map[string]bool, private []string) *Masker {
	m, read := New(private...), 0
	for i := range turns {
		t := &turns[i]
		if read += len(t.Moderator) + len(t.User); read > maxRead {
			break
		}
		if !withheld[t.ItemID] {
			m.Mask(t.Moderator)
			m.Mask(t.User)
		}
	}
	return m
}
