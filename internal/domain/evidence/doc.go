// Package evidence checks that what is written about a response was said in it. Find returns where a quote stands in the
// participant's words: letter for letter, within one turn. The package is pure.
//
// A quote and a text are equal if they differ only in what Fold ignores: runs of spaces and line ends, upper and lower case (by
// Unicode's simple folding, so that ß is not ss), composed and decomposed letters (canonical equivalence), and the typographic
// forms of quotation marks, apostrophes, dashes and the ellipsis. These change with the keyboard and never change the words.
// Everything else is a difference: spelling, accents, order, digits, and every other character.
//
// A quote begins and ends where words and numbers do, so that no negation is cut off: "I can" does not stand in "I can't", nor
// "smoker" in "non-smoker", nor "5" in "1.5".
//
// What is found was said. Whether its own sentence turns it around is for package statement; whether it supports a claim is for a
// researcher, who sees the quote in its turn.
package evidence
