// Package guardrail judges the words of a follow-up in code before a participant sees them, whoever wrote them.
//
// The rules are lists of words and patterns in the languages of the interface, based on the signs that the literature on
// interviewing gives for leading and double-barrelled questions. They do not understand meaning: docs/moderation.md says how
// often they are right, measured on labelled probes, and what they cannot see.
package guardrail
