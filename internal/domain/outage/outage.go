// Package outage has the errors of a database or an object store that cannot do its work now and may do it later. The store and
// the objects return them, services pass them on, and the api answers 503 or 507.
package outage

import "errors"

// Errors of the database.
var (
	// ErrBusy means that concurrent work kept a write from happening for as long as the caller waits, or that no connection was
	// free in that time (half of it for a read). Nothing was stored; the same may succeed a moment later.
	ErrBusy = errors.New("the database is busy with concurrent changes")

	// ErrUnreachable means that the database could not be reached, or that the connection broke, and that repeating did not help.
	// Reads may be repeated. A write changed nothing, unless it broke while it was committing: then nobody knows, and only what
	// recognizes a repeat may be repeated.
	ErrUnreachable = errors.New("the database cannot be reached")

	// ErrDiskFull means that the database found no room to write. Nothing was stored; the same write may succeed once there is room.
	ErrDiskFull = errors.New("the database has no room to write")
)

// Errors of the object store. The same call may succeed later.
var (
	ErrObjectsAway = errors.New("the objects cannot be reached")
	ErrObjectsFull = errors.New("there is no room for the object")
)
