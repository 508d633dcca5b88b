// Package nodes tests several nodes over one PostgreSQL: killed with -9 in turn behind the proxy that deploy/ describes, and two versions
// side by side, as in an upgrade.
package nodes
