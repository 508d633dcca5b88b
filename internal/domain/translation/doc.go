// Package translation knows what a guide in another language is: which of its texts are for participants (segments), what a
// translation of them must keep, who has looked at it, and how an interview is shown in it.
//
// A translation is a sheet: one entry a segment, of one revision of a guide in one language. Everything is bound to ids. The
// guide in the study's language is the one that runs: conditions, screening, sampling and what is stored never see a translated
// text, so an interview is the same whatever language it is shown in.
package translation
