// Package backup copies the database of an installation into a backup, which may be encrypted, and restores one with the deletions that were
// made after it. The commands backup and restore call it.
package backup
