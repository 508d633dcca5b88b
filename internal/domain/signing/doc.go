// Package signing signs what the service hands out and wants to recognize later: links to recordings, cursors of searches. A
// ring holds the secrets that sign now, soon, or not any more, so that a secret can be replaced while what the one before
// signed stays valid until it ends by itself. Where a ring is kept is not this package's business.
package signing
