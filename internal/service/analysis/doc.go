// Package analysis writes about finished responses: its worker takes a job for each, has an analyst read the interview,
// and commits the analysis together with the response's documents. The analyst is whoever the program hands in: package
// builtin is the one that needs no model, and Model has one write and verifies what it wrote. Each claim is stored with
// what was said that it rests on.
package analysis
