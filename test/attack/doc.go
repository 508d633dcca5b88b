// Package attack starts the real server and attacks it, one attack after the other, while innocent participants and researchers go on
// using it. It prints a table: what each attack sent, what it cost the server, and whether the server passed.
//
// The pass marks are memory, bytes, counts and status codes, so that a busy machine changes nothing. The latency of innocent requests
// is always printed, and held to a mark in the long form (-long) alone.
//
//	go test ./test/attack                                  the short form
//	go test -timeout 30m ./test/attack -long               the long form, with the attacks that take minutes
//	go test ./test/attack -v -run Attacks/1                the attacks of one point
//	go test ./test/attack -binary bin/verbatim             on a server that was built before
//	go test ./test/attack -markdown docs/attacks.md        write the table
//	go test -race ./test/attack                            the server is built with the race detector, too, and attacked with less
//	go run ./test/withpostgres go test ./test/attack       on PostgreSQL
package attack
