// Package jobs runs the durable jobs that other services enqueue in their transactions. Each runs at least once, under a lease
// that expires if its process dies; failures are retried with growing pauses, and a job that failed too often is discarded. The
// package knows kinds by name only; the program passes in their handlers.
package jobs
