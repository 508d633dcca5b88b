// Package uploads takes in what participants send beside words: recordings as they are made, and files. It creates uploads
// within the limits, adds what arrives to them, and clears away what nobody needs.
//
// What one request brings is one object under a name of its own, put before the upload's row moves on by a compare-and-set on
// where it stood. So of several requests at the same offset one wins and the others take away what they put; a process that
// dies between object and row leaves an object that no row names, which the sweep removes; and the request that comes next
// begins where the rows say. What had arrived when a connection broke is kept.
package uploads
