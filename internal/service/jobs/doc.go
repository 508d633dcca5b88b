// Package jobs runs the durable jobs that other work enqueued in its transactions: at least once each, with a lease that
// a dead process gives back, retries with growing pauses, and a last state for those that failed too often. It knows
// kinds by name only; the program hands it their handlers.
package jobs
