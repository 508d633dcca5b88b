// Package signing signs what the service hands out and must recognize later: links to recordings, cursors of searches. A
// ring holds the secrets that sign now, soon, or no longer, so that a secret can be replaced while what the previous one
// signed stays valid until it expires. Where a ring is stored is not this package's concern.
package signing
