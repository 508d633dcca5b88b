// Package speaking turns what the moderator says into sound, by a speech service of the operator's. Only the words of an interview's current step
// are spoken: nobody can have other texts read at the operator's cost.
//
// The texts of guides are the same for all participants, so their sounds are kept beside the objects, as many as fit in a bound; those that are
// stored for longest make room. Follow-ups repeat participants' words: their sounds are kept in memory alone, for who asks for one again.
// What the author keeps from services, and a follow-up that repeats a detail of a person, is sent to none; the page speaks it with a voice
// of the browser, or shows it.
package speaking
