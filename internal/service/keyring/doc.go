// Package keyring stores and rotates the secrets that sign links to recordings and cursors of searches. Every server opens one, and
// checks it for rotations while it runs; the commands for secrets and doctor open one, too.
package keyring
