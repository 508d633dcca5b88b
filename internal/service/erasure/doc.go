// Package erasure deletes responses for good: a request takes one out of every read at once and leaves a receipt, and a
// job removes what is left of it. What is billed stays, as amounts and times.
package erasure
