package dashboard

import (
	"errors"
	"net/http"
	"strings"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/strictjson"
	"verbatim/internal/service/signin"
)

// The longest texts that people give, in characters.
const (
	maxEmail = 254
	maxName  = 200
	maxToken = 100
	maxCode  = 40
)

type userJSON struct {
	ID    string `json:"id"`
	Email string `json:"email"`
	Name  string `json:"name"`
}

type membershipJSON struct {
	ID   string   `json:"id"`
	Name string   `json:"name"`
	Role org.Role `json:"role"`
}

type meJSON struct {
	User          userJSON         `json:"user"`
	Organizations []membershipJSON `json:"organizations"`
	HasPassword   bool             `json:"hasPassword"`
	InstanceAdmin bool             `json:"instanceAdmin"`
}

func membershipOf(m org.NamedMembership) membershipJSON {
	return membershipJSON{m.OrgID, m.OrgName, m.Role}
}

// me answers who a user is.
func (a *API) me(c *call, userID string) error {
	me, err := a.SignIn.Me(c.r.Context(), userID)
	if err != nil {
		return err
	}
	instanceAdmin, err := a.Access.IsInstanceAdmin(c.r.Context(), userID)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, meJSON{userJSON{me.User.ID, me.User.Email, me.User.Name}, list(me.Memberships, membershipOf), me.HasPassword, instanceAdmin})
}

// signedIn answers the beginning of a session.
func (a *API) signedIn(c *call, made signin.SignedIn, err error) error {
	if err != nil {
		return err
	}
	a.Cookie.set(c.w, made.Token)
	return a.me(c, made.User.ID)
}

// body reads the JSON body of a request.
func (c *call) body(read func(*strictjson.Object)) error {
	body, err := httpx.ReadSmallBody(c.w, c.r)
	if err != nil {
		return err
	}
	return strictjson.Decode(body, read)
}

func email(o *strictjson.Object) string {
	var given string
	o.Any("email", strictjson.Required, strictjson.String.String(), func(v *strictjson.Value) *strictjson.Issue {
		given = v.Text
		if v.Kind != strictjson.String || len(given) > maxEmail || org.CheckEmail(strings.TrimSpace(given)) != nil {
			return &strictjson.Issue{Message: "Expected a mail address", Code: strictjson.Custom, Expected: "a mail address", Received: v.Kind.String()}
		}
		return nil
	})
	return given
}

// refused returns the answer to an error about one key of the body.
func refused(err, about error, key string) error {
	if errors.Is(err, about) {
		return &strictjson.SchemaError{Issues: []strictjson.Issue{{Path: []string{key}, Message: "Required", Code: strictjson.InvalidType, Expected: "string", Received: "undefined"}}}
	}
	return err
}

func token(o *strictjson.Object) string {
	return o.NonEmptyUpTo("token", strictjson.Required, maxToken)
}

// code reads a code of an authenticator app, or a recovery code.
func code(o *strictjson.Object, presence strictjson.Presence) string {
	return o.NonEmptyUpTo("code", presence, maxCode)
}

// second reads what is given for the second step, if anything.
func second(o *strictjson.Object) signin.Second {
	return signin.Second{Code: code(o, strictjson.Optional), Passkey: passkeyAnswer(o)}
}

func (a *API) getMe(c *call) error { return a.me(c, c.session.UserID) }

func (a *API) signIn(c *call) error {
	var address, password string
	var given signin.Second
	if err := c.body(func(o *strictjson.Object) {
		address = o.NonEmptyUpTo("email", strictjson.Required, maxEmail)
		password = o.NonEmptyUpTo("password", strictjson.Required, org.MaxPassword)
		given = second(o)
	}); err != nil {
		return err
	}
	made, err := a.SignIn.SignIn(c.r.Context(), address, password, given, c.browser())
	return a.signedIn(c, made, err)
}

func (a *API) signOut(c *call) error {
	if err := a.SignIn.SignOut(c.r.Context(), a.Cookie.value(c.r)); err != nil {
		return err
	}
	a.Cookie.clear(c.w)
	return c.done()
}

func (a *API) changePassword(c *call) error {
	var current, password string
	if err := c.body(func(o *strictjson.Object) {
		current = o.NonEmptyUpTo("currentPassword", strictjson.Required, org.MaxPassword)
		password = o.NonEmptyUpTo("newPassword", strictjson.Required, org.MaxPassword)
	}); err != nil {
		return err
	}
	made, err := a.SignIn.ChangePassword(c.r.Context(), c.session.UserID, current, password, c.browser())
	return a.signedIn(c, made, err)
}

type sessionJSON struct {
	ID        string    `json:"id"`
	Current   bool      `json:"current"`
	Browser   string    `json:"browser"`
	Network   string    `json:"network"`
	CreatedAt timestamp `json:"createdAt"`
	UsedAt    timestamp `json:"usedAt"`
}

func (a *API) listSessions(c *call) error {
	all, err := a.SignIn.Sessions(c.r.Context(), c.session.UserID)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, struct {
		Sessions []sessionJSON `json:"sessions"`
	}{list(all, func(s org.Session) sessionJSON {
		return sessionJSON{s.ID, s.ID == c.session.ID, s.Browser, s.Network, timestamp(s.CreatedAt), timestamp(s.UsedAt)}
	})})
}

func (a *API) endSession(c *call) error {
	err := a.SignIn.EndSession(c.r.Context(), c.session.UserID, strings.ToLower(c.r.PathValue("sessionId")))
	switch {
	case errors.Is(err, org.ErrNoSession):
		return errNotHere
	case err != nil:
		return err
	}
	return c.done()
}

type purposeJSON struct {
	Kind         org.TokenKind `json:"kind"`
	Organization *string       `json:"organization"`
	Email        *string       `json:"email"`
	Role         *org.Role     `json:"role"`
	ExpiresAt    timestamp     `json:"expiresAt"`
}

func (a *API) checkToken(c *call) error {
	var given string
	if err := c.body(func(o *strictjson.Object) { given = token(o) }); err != nil {
		return err
	}
	p, err := a.SignIn.CheckToken(c.r.Context(), given)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, purposeJSON{p.Kind, orNull(p.OrgName), orNull(p.Email), orNull(p.Role), timestamp(p.ExpiresAt)})
}

func (a *API) setUp(c *call) error {
	var given signin.SetUp
	if err := c.body(func(o *strictjson.Object) {
		given.Token, given.Email = token(o), email(o)
		given.Name = o.NonEmptyUpTo("name", strictjson.Required, maxName)
		given.Password = o.NonEmptyUpTo("password", strictjson.Required, org.MaxPassword)
		given.Organization = o.NonEmptyUpTo("organization", strictjson.Optional, maxName)
	}); err != nil {
		return err
	}
	made, err := a.SignIn.SetUp(c.r.Context(), given, c.browser())
	return a.signedIn(c, made, refused(err, signin.ErrNoOrgName, "organization"))
}

func (a *API) acceptInvitation(c *call) error {
	var given, name, password string
	var step signin.Second
	if err := c.body(func(o *strictjson.Object) {
		given, step = token(o), second(o)
		name = o.NonEmptyUpTo("name", strictjson.Required, maxName)
		password = o.NonEmptyUpTo("password", strictjson.Required, org.MaxPassword)
	}); err != nil {
		return err
	}
	made, err := a.SignIn.AcceptInvitation(c.r.Context(), given, name, password, step, c.browser())
	return a.signedIn(c, made, err)
}

func (a *API) resetPassword(c *call) error {
	var given, password string
	var step signin.Second
	if err := c.body(func(o *strictjson.Object) {
		given, step = token(o), second(o)
		password = o.NonEmptyUpTo("password", strictjson.Required, org.MaxPassword)
	}); err != nil {
		return err
	}
	made, err := a.SignIn.ResetPassword(c.r.Context(), given, password, step, c.browser())
	return a.signedIn(c, made, err)
}

func (a *API) signInByLink(c *call) error {
	var given string
	if err := c.body(func(o *strictjson.Object) { given = token(o) }); err != nil {
		return err
	}
	made, err := a.SignIn.SignInByLink(c.r.Context(), given, c.browser())
	return a.signedIn(c, made, err)
}
