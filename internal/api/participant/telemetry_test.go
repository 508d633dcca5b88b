package participant_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/api/participant/participanttest"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/web"
)

// TestTelemetry checks that an answer's telemetry is validated, stored with its turn, and deleted with the response.
func TestTelemetry(t *testing.T) {
	t.Parallel()
	h := open(t, 20*wallet.Credit)
	live := h.Launch(participanttest.FullGuide(), h.Wallet)
	for i, c := range []struct {
		sent   any
		status int
		stored *interview.Telemetry
	}{
		{object{"pasted": 12, "typed": 3, "seconds": 40, "blurs": 1}, 200, &interview.Telemetry{Pasted: 12, Typed: 3, Seconds: 40, Blurs: 1}},
		{object{"typed": 1_000_000, "pasted": nil}, 200, &interview.Telemetry{Typed: 1_000_000}},
		{object{"pasted": 900_000, "typed": 900_000, "seconds": 0, "blurs": 900_000}, 200, &interview.Telemetry{Pasted: 900_000, Typed: 900_000, Blurs: 900_000}},
		{nil, 200, nil},
		{object{"pasted": -1}, 400, nil},
		{object{"typed": 1.5}, 400, nil},
		{object{"seconds": 1_000_001}, 400, nil},
		{object{"keys": "abc"}, 400, nil},
		{"fast", 400, nil},
	} {
		token, step := h.Begin(live.LinkID, "")
		answers := "/i/" + token + "/answers"
		h.Call("POST", answers, object{"stepId": step["stepId"]})
		status, body, _ := h.Call("POST", answers, object{"stepId": "s1", "text": "Because.", "telemetry": c.sent})
		if status != c.status || status == http.StatusBadRequest && body["code"] != "invalid_request_body" {
			t.Errorf("%v answers %d %v, want %d", c.sent, status, body, c.status)
		}
		id := participanttest.ResponseOf(t, h.Store, live.ID, i+1)
		turns, err := h.Store.View().Turns(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		var stored *interview.Telemetry
		if len(turns) > 1 {
			stored = turns[1].Answer.Telemetry
		}
		if diff := cmp.Diff(c.stored, stored); diff != "" {
			t.Errorf("%v is stored as (-want +got)\n%s", c.sent, diff)
		}
		if i == 0 {
			h.Call("POST", "/i/"+token+"/withdraw", nil)
			storetest.Write(t, h.Store, func(tx *store.Tx) error { return tx.Purge(t.Context(), id) })
			if turns, err := h.Store.View().Turns(t.Context(), id); len(turns) != 0 || err != nil {
				t.Errorf("%d turns outlive the response, %v", len(turns), err)
			}
		}
	}
}

// TestSharedLimitOfTelemetry compares the limit that the app reads in web/shared/rules.json with the protocol's.
func TestSharedLimitOfTelemetry(t *testing.T) {
	t.Parallel()
	var shared struct{ Limits struct{ TelemetryCount int } }
	if err := json.Unmarshal(web.Rules, &shared); err != nil {
		t.Fatal(err)
	}
	h := open(t, wallet.Credit)
	token, step := h.Begin(h.Launch(participanttest.OneItemGuide(), h.Wallet).LinkID, "")
	for _, c := range []struct{ typed, status int }{
		{shared.Limits.TelemetryCount + 1, http.StatusBadRequest},
		{shared.Limits.TelemetryCount, http.StatusOK},
	} {
		answer := object{"stepId": step["stepId"], "text": "Because.", "telemetry": object{"typed": c.typed}}
		if status, body, _ := h.Call("POST", "/i/"+token+"/answers", answer); status != c.status {
			t.Errorf("%d typed characters are answered %d %v", c.typed, status, body)
		}
	}
}
