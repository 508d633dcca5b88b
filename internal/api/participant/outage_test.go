package participant_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"verbatim/internal/api/participant"
	"verbatim/internal/api/participant/participanttest"
	"verbatim/internal/domain/outage"
	"verbatim/internal/domain/wallet"
)

// openInOutage is open with a FailingFieldwork that the test controls.
func openInOutage(t *testing.T) (*testAPI, *participanttest.FailingFieldwork) {
	t.Helper()
	o := &participanttest.FailingFieldwork{}
	return open(t, 100*wallet.Credit, func(a *participant.API) {
		o.Fieldwork = a.Fieldwork
		a.Fieldwork = o
	}), o
}

// TestOutagesForPrograms checks that programs receive a specific code and Retry-After, and never internal_error.
func TestOutagesForPrograms(t *testing.T) {
	t.Parallel()
	h, o := openInOutage(t)
	live := h.Launch(participanttest.OneItemGuide(), h.Wallet)
	token, step := h.Begin(live.LinkID, "")
	answer := object{"stepId": step["stepId"], "text": "Because."}
	for err, want := range map[error]struct {
		status int
		code   string
	}{
		outage.ErrUnreachable: {503, "service_unavailable"}, outage.ErrBusy: {503, "busy"}, outage.ErrDiskFull: {507, "insufficient_storage"},
	} {
		for _, when := range []*atomic.Pointer[error]{&o.Before, &o.After} {
			when.Store(&err)
			for _, request := range [][2]string{
				{"GET", "/s/" + live.LinkID},
				{"GET", "/i/" + token},
				{"POST", "/i/" + token + "/answers"},
				{"POST", "/s/" + live.LinkID + "/interviews"},
				{"POST", "/i/" + token + "/withdraw"},
			} {
				if when == &o.After && (request[0] == "GET" || strings.HasSuffix(request[1], "/withdraw")) {
					continue // they have no error after the commit
				}
				var body any
				if strings.HasSuffix(request[1], "/answers") {
					body = answer
				}
				status, reply, header := h.Call(request[0], request[1], body)
				if status != want.status || reply["code"] != want.code || header.Get("Retry-After") == "" {
					t.Errorf("%v: %v answers %d %v, Retry-After %q", err, request, status, reply, header.Get("Retry-After"))
				}
			}
			when.Store(nil)
		}
	}
	if status, body, _ := h.Call("POST", "/i/"+token+"/answers", answer); status != http.StatusOK || body["step"].(object)["kind"] != "complete" {
		t.Errorf("after the outages the answer is answered %d %v", status, body)
	}
}
