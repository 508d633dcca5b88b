// Package analysis writes the analyses of finished responses. Its Worker takes one job per response, has an Analyst read the
// interview, and commits the analysis together with the response's documents. The program chooses the Analyst: BuiltIn needs no
// model (see package textanalysis), and Model has a language model write and verifies what it wrote. Each claim is stored with
// the words of the participant that it rests on.
package analysis
