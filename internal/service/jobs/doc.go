// Package jobs enqueues the durable jobs of the other services, in their transactions, and runs them. kinds.go has a table of every
// kind: who enqueues it, and who runs it. The program passes in the handlers. A job runs at least once, under a lease that expires
// if its process dies. A failed attempt is retried with growing pauses, a job that an outage stops is snoozed, and one that failed
// too often is discarded.
package jobs
