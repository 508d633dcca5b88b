// Package nodes holds the trials of several nodes over one PostgreSQL: killed with -9 in turn behind the proxy that deploy/ describes, and
// of two versions side by side, as in an upgrade.
package nodes
