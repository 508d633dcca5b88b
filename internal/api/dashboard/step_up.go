package dashboard

import (
	"net/http"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/strictjson"
	"verbatim/internal/service/signin"
)

// recentOnly are the operations that need a recent proof of who the person is: a stolen session alone must not make keys, let others in, or take
// away what keeps others out. openapi/dashboard.yaml has the same in x-recent-sign-in.
var recentOnly = map[string]bool{
	"POST /api/dashboard/session/passkeys/challenge":                        true,
	"POST /api/dashboard/session/passkeys":                                  true,
	"DELETE /api/dashboard/session/passkeys/{passkeyId}":                    true,
	"POST /api/dashboard/organizations/{orgId}/invitations":                 true,
	"PATCH /api/dashboard/organizations/{orgId}/people/{userId}":            true,
	"DELETE /api/dashboard/organizations/{orgId}/people/{userId}":           true,
	"POST /api/dashboard/organizations/{orgId}/people/{userId}/reset":       true,
	"DELETE /api/dashboard/organizations/{orgId}/people/{userId}/two-step":  true,
	"POST /api/dashboard/organizations/{orgId}/keys":                        true,
	"PATCH /api/dashboard/organizations/{orgId}/keys/{keyId}":               true,
	"DELETE /api/dashboard/organizations/{orgId}/keys/{keyId}":              true,
	"POST /api/dashboard/organizations/{orgId}/webhooks":                    true,
	"PATCH /api/dashboard/organizations/{orgId}/webhooks/{webhookId}":       true,
	"POST /api/dashboard/organizations/{orgId}/webhooks/{webhookId}/secret": true,
}

// checkRecent returns signin.ErrConfirmFirst where an operation needs a recent proof and there is none.
func (a *API) checkRecent(op operation, c *call) error {
	if !recentOnly[op.pattern] {
		return nil
	}
	return a.SignIn.CheckRecent(c.session)
}

// getProofs answers by what the person can confirm who they are.
func (a *API) getProofs(c *call) error {
	p, err := a.SignIn.Proofs(c.r.Context(), c.session.UserID)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, struct {
		Recent   bool `json:"recent"`
		Password bool `json:"password"`
		Code     bool `json:"code"`
		Passkey  bool `json:"passkey"`
	}{a.SignIn.CheckRecent(c.session) == nil, p.Password, p.Code, p.Passkey})
}

// confirm takes a proof of who the person is.
func (a *API) confirm(c *call) error {
	var given signin.Proof
	if err := c.body(func(o *strictjson.Object) {
		given.Password = o.NonEmptyUpTo("password", strictjson.Optional, org.MaxPassword)
		given.Code = code(o, strictjson.Optional)
		given.Passkey = passkeyAnswer(o)
	}); err != nil {
		return err
	}
	if given.Password == "" && given.Code == "" && given.Passkey == nil {
		return httpx.BadRequest("One of password, code and passkey must be given.")
	}
	if err := a.SignIn.Confirm(c.r.Context(), c.session, given); err != nil {
		return err
	}
	return c.done()
}
