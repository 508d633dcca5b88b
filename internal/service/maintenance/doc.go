// Package maintenance holds what an operator does to keep an installation sound. It rebuilds the documents and counts from the
// rows that they are derived from, and checks the documents, the ledger, the objects, the jobs and the deletions for
// contradictions, and the machine: its clock, its disk, its programs and its connections. It also replays single interviews from
// their logs, and reports over a study how the moderator did.
package maintenance
