// Package faults starts the real program as three nodes over PostgreSQL, an S3 server and Caddy, and breaks the nodes and what they depend
// on, one fault after the other, while participants answer and a researcher polls. It prints a table: how long people were without an
// answer, how many requests failed, and how many acknowledged answers were lost or doubled, each beside its pass mark.
//
// After every fault the ledger must balance, every job must be done, every acknowledged answer must be readable once, all nodes must return
// the same, and the poller must have seen the last version of every response. Pass marks on time hold in the long form alone.
//
//	scripts/with-s3.sh go test ./test/faults                             the short form
//	scripts/with-s3.sh go test -timeout 60m ./test/faults -long -v       the long form
//	scripts/with-s3.sh go test ./test/faults -v -run 'Faults/kill'       one row
//	scripts/with-s3.sh go test -timeout 30m ./test/faults -v -run Storm -long -storm 10m -interviews 1000
package faults
