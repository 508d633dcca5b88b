// Package blob stores objects: recordings, uploads and what is derived from them. The interface is Store; Folder stores
// objects as files, S3 in a bucket of any store that speaks S3. Both must pass one suite, blobtest. Links signs the URLs
// under which package media serves them.
//
// An object is complete or does not exist. It is written once under a name that the program makes, and read by that name
// only.
package blob
