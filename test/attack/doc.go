// Package attack starts the real server and attacks it, one attack after the other, while innocent participants and researchers go on using
// it. It prints a table: what each attack sent, what it cost the server, and whether the server passed.
//
// The pass marks are memory, bytes, counts and status codes, so that a busy machine changes nothing. The latency of innocent requests is
// always printed, but only the long form (-long) sets it a limit.
//
//	go test ./test/attack                                  the short form
//	go test -timeout 30m ./test/attack -long               the long form, with the attacks that take minutes
//	go test ./test/attack -v -run Attacks/1                the attacks of one point
//	go test ./test/attack -binary bin/verbatim             attack a server that was built before
//	go test ./test/attack -markdown docs/attacks.md        write the table
//	go test -race ./test/attack                            build the server with the race detector, too, and attack what clients share, less
//	go run ./test/withpostgres go test ./test/attack       attack a server on PostgreSQL
package attack
