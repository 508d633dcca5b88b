// Package statement checks what a model states about an interview: that its numbers were said, of the same thing; that every
// quotation stands in the participant's words and was not cut where its own sentence turns it around; that it speaks of what was
// said, and of the person who said it. A Checker judges by structure: marks, sentences, clauses, subjects, units, and stems of
// words. It knows ten languages and is pure.
//
// The statement and the interview may be in different languages. Numbers, units, quotations and the sentences around them are
// then checked as well; whether the words mean the same is not, because the package has no dictionary.
package statement
