// Package wallet owns credits: their amounts, the wallets that hold them, which wallet a launch is billed to, and the
// double-entry shape of every movement. Amounts are integers of a thousandth of a credit, never floats.
package wallet
