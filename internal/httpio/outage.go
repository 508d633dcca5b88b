package httpio

import (
	"net/http"
	"time"

	"verbatim/internal/blob"
	"verbatim/internal/store"
)

// CodeUnavailable is the code of what cannot be answered while the database or the object store is out of reach.
const CodeUnavailable = "service_unavailable"

// When a client may come again after an outage's answer.
const (
	RetryUnavailable = 5 * time.Second
	retryBusy        = 2 * time.Second
	retryFull        = 30 * time.Second
)

// outages are the errors of every door that pass by themselves. A door's own rules come first.
var outages = Table{
	{Err: store.ErrDiskFull, Status: http.StatusInsufficientStorage, Code: "insufficient_storage", Message: "There is no room to store anything now. Nothing was stored; send the request again later.", RetryAfter: retryFull},
	{Err: store.ErrUnreachable, Status: http.StatusServiceUnavailable, Code: CodeUnavailable, Message: "The database cannot be reached now. Send the request again.", RetryAfter: RetryUnavailable},
	{Err: store.ErrBusy, Status: http.StatusServiceUnavailable, Code: "busy", Message: "Too much arrives at once. Nothing was stored; send the request again.", RetryAfter: retryBusy},
	{Err: blob.ErrAway, Status: http.StatusServiceUnavailable, Code: CodeUnavailable, Message: "Recordings and files cannot be reached now. Send the request again.", RetryAfter: RetryUnavailable},
	{Err: blob.ErrFull, Status: http.StatusInsufficientStorage, Code: "insufficient_storage", Message: "There is no room for recordings and files now.", RetryAfter: retryFull},
}

// IsOutage reports whether an answer says that the service could not do its work, and that the request may be sent again.
func (e *Error) IsOutage() bool {
	return e.Status == http.StatusServiceUnavailable || e.Status == http.StatusInsufficientStorage
}
