// Package outage says how every door answers the errors of the store and of the objects that pass by themselves: 503 or 507 with a
// clear code, and when to come again.
package outage

import (
	"net/http"
	"slices"
	"time"

	"verbatim/internal/api/httpx"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/store"
)

// Unavailable is the code of what cannot be answered while the database or the object store is out of reach.
const Unavailable = "service_unavailable"

// When a client may come again after an outage's answer.
const (
	RetryUnavailable = 5 * time.Second
	retryBusy        = 2 * time.Second
	retryFull        = 30 * time.Second
)

var rules = httpx.Table{
	{Err: store.ErrDiskFull, Status: http.StatusInsufficientStorage, Code: "insufficient_storage", Message: "There is no room to store anything now. Nothing was stored; send the request again later.", RetryAfter: retryFull},
	{Err: store.ErrUnreachable, Status: http.StatusServiceUnavailable, Code: Unavailable, Message: "The database cannot be reached now. Send the request again.", RetryAfter: RetryUnavailable},
	{Err: store.ErrBusy, Status: http.StatusServiceUnavailable, Code: "busy", Message: "Too much arrives at once. Nothing was stored; send the request again.", RetryAfter: retryBusy},
	{Err: blob.ErrAway, Status: http.StatusServiceUnavailable, Code: Unavailable, Message: "Recordings and files cannot be reached now. Send the request again.", RetryAfter: RetryUnavailable},
	{Err: blob.ErrFull, Status: http.StatusInsufficientStorage, Code: "insufficient_storage", Message: "There is no room for recordings and files now.", RetryAfter: retryFull},
}

// With returns a door's own rules, which come first, with those of outages.
func With(own httpx.Table) httpx.Table { return slices.Concat(own, rules) }

// Is reports whether an answer says that the service could not do its work, and that the request may be sent again.
func Is(e *httpx.Error) bool {
	return e.Status == http.StatusServiceUnavailable || e.Status == http.StatusInsufficientStorage
}
