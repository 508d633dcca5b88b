// Package kill tests that a server killed with -9 loses nothing that it acknowledged: it builds the program, drives it over HTTP as
// researchers and participants do, kills it again and again, and then compares what the server returns with what was acknowledged.
package kill
