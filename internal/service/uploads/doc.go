// Package uploads receives what participants send beside text: recordings while they are made, and files. It creates uploads
// within the limits, appends the bytes that arrive, and removes what nobody needs.
//
// Each request stores its chunk as an object with a name of its own, before the upload's row advances by a compare-and-set on
// its previous offset. So of several requests at the same offset one wins and the others delete their objects; a process that
// dies between object and row leaves an object that no row names, which the sweep removes; and the next request resumes at the
// offset in the row. Bytes that arrived before a connection broke are kept.
package uploads
