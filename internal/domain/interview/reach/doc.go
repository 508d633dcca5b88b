// Package reach finds answers that lead an interview to an item of its guide, for previews. It runs the engine with candidate answers to
// the questions that decide whether the item is shown, and with any answer to the others, within a bound.
package reach
