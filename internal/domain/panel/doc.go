// Package panel holds what a study says about the panel that its participants come from: where they go back to, how those addresses are
// signed, what the panel's server is told, and who may take part again. It computes addresses, messages, signatures and codes from them.
package panel
