// Package importing imports responses that were collected elsewhere into a study: v1 list items, one JSON object per line.
//
// A file is read twice. The first pass checks every line, and the complete file against the database; if anything is wrong
// nothing is stored. The second pass stores the responses in batches. Each batch is all or nothing, and responses that are
// already there are skipped, so an interrupted import is finished by running it again.
package importing
