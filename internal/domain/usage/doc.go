// Package usage counts what a language model costs, in tokens and in millionths of the operator's currency, and says when
// that is enough: ceilings for one interview, one study, and one day of the whole installation. It holds amounts, never
// words; who reserves and settles them, and where they are kept, is the store's affair.
package usage
