// Package evidence checks that what is written about a response was said in it. Find tells where a quote stands in the
// participant's words: letter for letter, within one turn. Insert and Loose see to it that every number of a claim was
// counted. It is pure.
//
// A quote and a text are the same when they differ only in what Fold makes one: runs of blanks and line ends, upper and
// lower case (by Unicode's simple folding, so that ß is not ss), letters that are composed of two characters or written as
// one (canonical equivalence), and the typographic forms of quotation marks, apostrophes, dashes and the ellipsis. Those
// change with the keyboard and never the words. All else is told apart: spelling, accents, order, digits, and every other
// sign.
//
// A quote begins and ends where words and numbers do, so that no negation is cut off: "I can" does not stand in "I can't",
// nor "smoker" in "non-smoker", nor "5" in "1.5".
//
// What is found was said. Whether it supports a claim, or what stood before it turns it around, no code can tell: a
// researcher sees the quote in its turn.
package evidence
