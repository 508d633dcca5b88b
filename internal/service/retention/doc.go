// Package retention keeps the rules that say how long responses and recordings are kept, tells what they will delete, and carries them out:
// in batches, with receipts and entries in the audit log. Responses are deleted by package erasure.
package retention
