// Package postgres tests what only a PostgreSQL server of its own can show: that it restarts under participants, and that
// several nodes start at once on an empty database.
package postgres
