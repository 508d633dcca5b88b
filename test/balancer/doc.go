// Package balancer holds the trial of the proxy that deploy/ describes: three nodes over PostgreSQL behind Caddy, killed with -9 in turn
// while participants take interviews through it. It counts the requests that failed, and compares what was acknowledged with what is there.
package balancer
