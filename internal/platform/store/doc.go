// Package store remembers: it owns the database, its schema, and every SQL statement, each beside the code that reads its
// rows. Services open a transaction with Write and call the methods of Tx, or read through View; every query that a caller of
// the API can reach takes the organization. The SQL is the common part of SQLite and PostgreSQL; dialect.go holds what
// differs.
package store
