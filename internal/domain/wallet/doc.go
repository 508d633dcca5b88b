// Package wallet owns credits: their amounts, the wallets that hold them, which wallet a launch is billed to, and the
// double-entry form of every movement. Amounts are integers in thousandths of a credit, never floats.
package wallet
