// Package importing brings responses that were interviewed elsewhere into a study: v1 list items, one JSON object a line.
//
// A file is read twice. The first reading checks every line, and the file as a whole against the database; where anything
// is wrong nothing is stored. The second stores the responses in batches. Each batch is all or nothing, and a response
// that is there already is passed over, so that an import which was cut off is finished by running it again.
package importing
