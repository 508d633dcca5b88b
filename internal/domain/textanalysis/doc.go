// Package textanalysis is the analyst that needs no model. It reads one interview and writes its summary, tagline, bullets, tags,
// short transcript and quality score by counting, choosing and quoting. It is pure and deterministic: the same interview gives
// the same bytes on any node. It never puts words into a participant's mouth: everything between “ and ” stands letter for letter
// in the answers (a cut is marked with […] after the quotation) or in the guide. The sentences around the quotations are English,
// whatever the language of the interview.
//
// The quality score looks at effort, specificity, completeness and attention, and is bounded by signs that an interview is not
// somebody's own honest answers. It does not look at spelling, grammar or how well somebody writes the language of the interview.
package textanalysis
