// Package generated sends requests that are made from the contract files to a server on SQLite and to one on PostgreSQL: the files'
// examples with the ids of real studies, most of them spoiled in one to three places (NUL, invalid UTF-8, huge numbers, long texts, wrong
// types, lone surrogates, equal keys, other encodings; in paths, queries, headers and bodies).
//
// No answer may be 500 or above, each must be documented and fit its schema, and both engines must answer a request with the same status
// and code and, except for ids and times, with the same headers and body. The requests are the same in each run with the same -seed.
//
//	go test ./test/generated                       20,000 requests
//	go test ./test/generated -requests 200000 -seed 7
package generated
