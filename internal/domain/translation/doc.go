// Package translation owns the translations of a guide: which of its texts participants see (segments), what a translation
// of them must preserve, who has reviewed it, and how an interview is shown in it.
//
// A Translation has one entry per segment, of one revision of a guide in one language. Everything is identified by ids.
// Interviews run on the guide in the study's language: conditions, screening, sampling and what is stored never see a
// translated text, so an interview is the same whatever language it is shown in.
package translation
