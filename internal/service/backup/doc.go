// Package backup copies the database of an installation into a backup, which may be encrypted, restores one with the deletions that were
// made after it, and moves an installation to another database or object store. The commands backup, restore and move call it.
package backup
