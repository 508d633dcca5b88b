// Package telemetry shows operators what the program does: metrics for Prometheus, traces over OTLP, and the log. The other
// packages do not import it: server, jobs and fieldwork have hooks that know nothing of it, and cmd/verbatim connects them.
//
// Nothing that a participant said or sent leaves the program through this package. Labels and attributes are route patterns,
// methods, status codes, kinds of jobs and request ids; never a path, a query, a token, a key, a link id or an address.
package telemetry
