// Package telemetry tells operators what the program does: metrics for Prometheus, traces over OTLP, and the log. It is a
// leaf: server, jobs and fieldwork have hooks that know nothing of it, and the program's wiring joins them.
//
// Nothing that a participant said or sent leaves through here. Labels and attributes are route patterns, methods, status
// codes, kinds of jobs and request ids; never a path, a query, a token, a key, a link id or an address.
package telemetry
