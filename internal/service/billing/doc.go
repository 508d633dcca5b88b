// Package billing manages wallets: what an organization sees of them, and what the operator does with them. Package wallet
// defines the ledger; the services that use credits place, settle and release holds.
package billing
