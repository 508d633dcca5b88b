// Package erasure deletes responses for good: a request removes a response from every read at once and leaves a receipt, and a
// job removes the rest of its data. Billing records stay, as amounts and times.
package erasure
