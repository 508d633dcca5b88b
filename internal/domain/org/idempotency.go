package org

import "errors"

// ErrKeyReused means that an idempotency key came back with another body, or twice at once.
var ErrKeyReused = errors.New("the idempotency key was used for another request")

// IdempotencyKey names a request that must take effect once. The zero value asks for nothing.
type IdempotencyKey struct {
	OrgID    string
	Path     string
	Key      string // empty: no idempotency was asked for
	BodyHash string
}
