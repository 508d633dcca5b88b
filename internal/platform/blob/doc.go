// Package blob keeps objects: recordings, uploads and what is derived from them. The port is Store; Folder keeps objects as
// files, S3 in a bucket of any store that speaks S3. Both are held to one suite, blobtest. Links signs the addresses under
// which the media door serves them.
//
// An object is whole or not there. It is written once under a name that the program makes, and read by that name alone.
package blob
