// Package postgres tests what only a PostgreSQL server of its own can show: that it restarts under participants, that
// several nodes start at once on an empty database, that it has few connections or a pooler in front of it, that a node stands still, and that a
// standby takes its place. What takes a server, or the processors, to itself does not run beside the others.
package postgres
