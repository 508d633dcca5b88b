// Package guardrail guards what a moderator asks: the words of a follow-up are judged in code before a participant sees them,
// whoever wrote them.
//
// The rules are lists of words and shapes in the languages of the interface, by the marks that the literature on
// interviewing gives for leading and double-barrelled questions. They read no meaning: see docs/moderation.md for how
// often they are right, measured on labelled probes, and for what they cannot see.
package guardrail
