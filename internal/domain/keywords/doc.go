// Package keywords groups answers by the words they share, without a model. It is pure and deterministic. A group is a few words
// that occur together in sentences of a sample of the answers: the sentences are vectors of word stems weighted by TF-IDF (Salton
// and Buckley 1988), the most similar are merged by average linkage (UPGMA, Sokal and Michener 1958), and the words that mark a
// merged group stand for it. Only words that
// cohere make a group (mean NPMI, Bouma 2009), and its name is a phrase that was said. Phrases that were said often and belong to no group stand
// for themselves. An answer belongs to each group of which it contains a word, so that anybody can check a count by searching for the words. A
// group is no more than that: it knows no synonyms, no irony and no "not".
package keywords
