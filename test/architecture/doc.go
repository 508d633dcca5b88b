// Package architecture checks the rules that ARCHITECTURE.md states: which layer may import which, that the domain is pure, and what
// handlers and the race detector ask of the code.
package architecture

// root is the folder of the packages.
const root = "../../internal"
