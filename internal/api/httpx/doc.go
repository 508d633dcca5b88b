// Package httpx holds what the api packages share: the error envelope, the table that maps errors of the services to status
// and code, route tables, request ids, queries, bodies with a limit, conditional and streamed answers, and idempotent
// requests. It knows no api package and no service.
package httpx
