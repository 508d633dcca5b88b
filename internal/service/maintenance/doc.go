// Package maintenance is what an operator does to keep an installation sound: it makes the documents and the counts again
// from the rows they say the same as, and finds where the two, the ledger, the objects, the jobs or the deletions are not
// in order. It rebuilds single interviews from their logs, too, and counts over a study how the interviewer did.
package maintenance
