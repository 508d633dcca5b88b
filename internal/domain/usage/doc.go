// Package usage counts what language models cost, in tokens and in millionths of the operator's currency, and checks
// ceilings: for one interview, one study, and one day of the entire installation. It holds amounts, never words; the store
// keeps, reserves and settles them.
package usage
