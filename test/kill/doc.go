// Package kill holds the test that a server killed with -9 loses nothing it acknowledged: it builds the program, drives
// it over HTTP as researchers and participants do, kills it again and again, and then compares what the server says
// with what was acknowledged.
package kill
