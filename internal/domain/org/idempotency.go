package org

import "errors"

// ErrKeyReused reports that an idempotency key was used again with another body, or is in use by a concurrent request.
var ErrKeyReused = errors.New("the idempotency key was used for another request")

// IdempotencyKey identifies a request that must take effect once. The zero value requests no idempotency.
type IdempotencyKey struct {
	OrgID    string
	Path     string
	Key      string // empty: no idempotency is requested
	BodyHash string
}
