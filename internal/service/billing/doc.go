// Package billing does the work on wallets: what an organization sees of them, and what the operator does with them.
// The ledger's shape is package wallet's; holds are placed, settled and released by the work that they pay for.
package billing
