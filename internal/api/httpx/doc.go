// Package httpx is what every door shares: the error envelope, the table that turns the errors of the work into status
// and code, tables of routes, request ids, queries, bodies with a limit, conditional and streamed answers, and repeats. It
// knows no door and no work.
package httpx
