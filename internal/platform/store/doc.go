// Package store owns the database, its schema, and every SQL statement, each beside the code that reads its
// rows. Services open a transaction with Write and call the methods of Tx, or read through View; every query that a caller of
// the API can reach takes the organization. The SQL is the common part of SQLite and PostgreSQL; dialect.go holds what
// differs.
//
// An error named after a semicolon at the end of a comment is what the function returns if it does not find what it is to
// read or change, or in the case that the error describes: "Response finds a response; response.ErrNotFound".
package store
