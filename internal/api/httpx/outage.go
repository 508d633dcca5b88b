package httpx

import (
	"net/http"
	"slices"
	"time"

	"verbatim/internal/domain/outage"
)

// Unavailable is the error code while the database or the object store cannot be reached.
const Unavailable = "service_unavailable"

// Values of Retry-After during outages.
const (
	RetryUnavailable = 5 * time.Second
	retryBusy        = 2 * time.Second
	retryFull        = 30 * time.Second
)

// outages lists the errors of the database and the object store that pass by themselves, and what every API answers to them.
var outages = Table{
	{Err: outage.ErrDiskFull, Status: http.StatusInsufficientStorage, Code: "insufficient_storage", Message: "The server is out of storage space. Nothing was stored; send the request again later.", RetryAfter: retryFull},
	{Err: outage.ErrUnreachable, Status: http.StatusServiceUnavailable, Code: Unavailable, Message: "The database cannot be reached now. Send the request again.", RetryAfter: RetryUnavailable},
	{Err: outage.ErrBusy, Status: http.StatusServiceUnavailable, Code: "busy", Message: "The server is overloaded. Nothing was stored; send the request again.", RetryAfter: retryBusy},
	{Err: outage.ErrObjectsUnreachable, Status: http.StatusServiceUnavailable, Code: Unavailable, Message: "Recordings and files cannot be reached now. Send the request again.", RetryAfter: RetryUnavailable},
	{Err: outage.ErrObjectsFull, Status: http.StatusInsufficientStorage, Code: "insufficient_storage", Message: "There is no room for recordings and files now.", RetryAfter: retryFull},
}

// WithOutages returns own with the rules for outages added at its end.
func WithOutages(own Table) Table { return slices.Concat(own, outages) }

// IsOutage reports whether e says that the service is temporarily unavailable, so that the request may be sent again.
func IsOutage(e *Error) bool {
	return e.Status == http.StatusServiceUnavailable || e.Status == http.StatusInsufficientStorage
}
