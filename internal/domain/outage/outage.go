// Package outage defines the errors of a database or an object store that is temporarily unable to do its work. The store
// and the object stores return them, services pass them on, and the api answers 503 or 507.
package outage

import "errors"

// Errors of the database.
var (
	// ErrBusy reports that concurrent work delayed a write for as long as the caller waits, or that no connection was free
	// in that time (half of it for a read). Nothing was stored; the same call may succeed a moment later.
	ErrBusy = errors.New("the database is busy with concurrent changes")

	// ErrUnreachable reports that the database could not be reached or that the connection broke, and that retries did not
	// help. Reads may be repeated. A write changed nothing, unless the connection broke during the commit: then the result
	// is unknown, and only an operation that recognizes repeats may be repeated.
	ErrUnreachable = errors.New("the database cannot be reached")

	// ErrDiskFull reports that the database has no space to write. Nothing was stored; the same write may succeed once there
	// is space.
	ErrDiskFull = errors.New("the database has no room to write")
)

// Errors of the object store. The same call may succeed later.
var (
	ErrObjectsUnreachable = errors.New("the objects cannot be reached")
	ErrObjectsFull        = errors.New("there is no room for the object")
)
