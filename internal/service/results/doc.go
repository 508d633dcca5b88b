// Package results reads responses: pages of a study's list, single responses, and the search by URL parameter. It returns the
// documents that the store keeps beside the responses and never encodes one.
package results
