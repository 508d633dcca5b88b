// Package postgres tests what needs a PostgreSQL server of its own: restarts during interviews, several nodes that start at once on an
// empty database, few connections or a pooler, a frozen node, and a standby that takes over. Tests that need a server or the processors to
// themselves do not run in parallel.
package postgres
