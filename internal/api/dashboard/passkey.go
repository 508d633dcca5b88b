package dashboard

import (
	"net/http"
	"strings"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/strictjson"
	"verbatim/internal/service/signin"
)

// The longest texts of passkeys, in characters.
const (
	maxPasskeyName   = 60
	maxHandle        = 4000
	maxPasskeyAnswer = 20_000
)

// passkeyAnswer reads what an authenticator answered, as two texts: handle, and passkey, which is JSON of its own. It is nil where neither is given.
func passkeyAnswer(o *strictjson.Object) *signin.Assertion {
	given := signin.Assertion{Handle: o.NonEmptyUpTo("handle", strictjson.Optional, maxHandle), Credential: o.NonEmptyUpTo("passkey", strictjson.Optional, maxPasskeyAnswer)}
	if given.Handle == "" || given.Credential == "" {
		return nil
	}
	return &given
}

// requiredAnswer is passkeyAnswer where there must be one.
func requiredAnswer(o *strictjson.Object) signin.Assertion {
	return signin.Assertion{Handle: o.NonEmptyUpTo("handle", strictjson.Required, maxHandle), Credential: o.NonEmptyUpTo("passkey", strictjson.Required, maxPasskeyAnswer)}
}

type passkeyJSON struct {
	ID        string     `json:"id"`
	Name      string     `json:"name"`
	CreatedAt timestamp  `json:"createdAt"`
	UsedAt    *timestamp `json:"usedAt"`
}

func passkeyOf(p org.Passkey) passkeyJSON {
	return passkeyJSON{p.ID, p.Name, timestamp(p.CreatedAt), optional(p.UsedAt)}
}

func (c *call) challenge(made signin.Challenge, err error) error {
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, struct {
		Handle  string `json:"handle"`
		Options any    `json:"options"`
	}{made.Handle, made.Options})
}

func (a *API) askPasskey(c *call) error {
	made, err := a.SignIn.AskPasskey(c.r.Context())
	return c.challenge(made, err)
}

func (a *API) signInByPasskey(c *call) error {
	var answer signin.Assertion
	var second string
	if err := c.body(func(o *strictjson.Object) { answer, second = requiredAnswer(o), code(o, strictjson.Optional) }); err != nil {
		return err
	}
	made, err := a.SignIn.SignInByPasskey(c.r.Context(), answer, second, c.browser())
	return a.signedIn(c, made, err)
}

func (a *API) listPasskeys(c *call) error {
	all, err := a.SignIn.Passkeys(c.r.Context(), c.session.UserID)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, struct {
		Passkeys []passkeyJSON `json:"passkeys"`
		Problem  *string       `json:"problem"`
	}{list(all, passkeyOf), orNull(a.SignIn.PasskeyProblem())})
}

func (a *API) startPasskey(c *call) error {
	made, err := a.SignIn.StartPasskey(c.r.Context(), c.session.UserID)
	return c.challenge(made, err)
}

func passkeyName(o *strictjson.Object) string {
	return o.NonEmptyUpTo("name", strictjson.Required, maxPasskeyName)
}

func (a *API) addPasskey(c *call) error {
	var answer signin.Assertion
	var name string
	if err := c.body(func(o *strictjson.Object) { answer, name = requiredAnswer(o), passkeyName(o) }); err != nil {
		return err
	}
	made, err := a.SignIn.AddPasskey(c.r.Context(), c.session.UserID, name, answer)
	if err != nil {
		return err
	}
	return c.answer(http.StatusCreated, passkeyOf(made))
}

// passkeyID returns the passkey that the address names.
func (c *call) passkeyID() string { return strings.ToLower(c.r.PathValue("passkeyId")) }

func (a *API) renamePasskey(c *call) error {
	var name string
	if err := c.body(func(o *strictjson.Object) { name = passkeyName(o) }); err != nil {
		return err
	}
	if err := a.SignIn.RenamePasskey(c.r.Context(), c.session.UserID, c.passkeyID(), name); err != nil {
		return err
	}
	return c.done()
}

func (a *API) revokePasskey(c *call) error {
	if err := a.SignIn.RevokePasskey(c.r.Context(), c.session.UserID, c.passkeyID()); err != nil {
		return err
	}
	return c.done()
}
