package dashboard

import (
	"net/http"

	"verbatim/internal/api/locale"
	"verbatim/internal/domain/strictjson"
	"verbatim/internal/service/signin"
)

// delivery returns how links are sent that the request makes: in the language of whoever asks, which is the best guess there is.
func (c *call) delivery() signin.Delivery { return signin.Delivery{Language: c.language()} }

// language returns the language that the request's browser prefers among those of the interface.
func (c *call) language() string { return locale.Accepted(c.r.Header.Get("Accept-Language")) }

// getSignInOptions answers what the page before signing in may offer.
func (a *API) getSignInOptions(c *call) error {
	return c.answer(http.StatusOK, struct {
		Mail     bool `json:"mail"`
		Passkeys bool `json:"passkeys"`
	}{a.SignIn.Mail.On(), a.SignIn.PasskeyProblem() == ""})
}

// askReset has a link for a new password mailed, if the address has an account. The answer is the same for every address.
func (a *API) askReset(c *call) error {
	var address string
	if err := c.body(func(o *strictjson.Object) { address = email(o) }); err != nil {
		return err
	}
	if err := a.SignIn.AskReset(c.r.Context(), address, c.language()); err != nil {
		return err
	}
	return c.done()
}
