package dashboard

import (
	"net/http"
	"strings"
	"time"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/strictjson"
	"verbatim/internal/service/access"
)

var roles = []string{string(org.Admin), string(org.Supervisor), string(org.Member)}

type personJSON struct {
	ID          string   `json:"id"`
	Email       string   `json:"email"`
	Name        string   `json:"name"`
	Role        org.Role `json:"role"`
	HasPassword bool     `json:"hasPassword"`
	TwoStep     bool     `json:"twoStep"`
	Passkeys    int      `json:"passkeys"`
}

func personOf(m org.SigningMember) personJSON {
	return personJSON{m.User.ID, m.User.Email, m.User.Name, m.Role, m.HasPassword, m.TwoStep, m.Passkeys}
}

type invitationJSON struct {
	ID        string    `json:"id"`
	Email     string    `json:"email"`
	Role      org.Role  `json:"role"`
	CreatedAt timestamp `json:"createdAt"`
	ExpiresAt timestamp `json:"expiresAt"`
	Mail      *string   `json:"mail"`
	Problem   *string   `json:"problem"`
}

// invitationOf encodes an invitation; mailed is how far its mail is, empty where there is none.
func invitationOf(t org.Token, mailed, problem string) invitationJSON {
	return invitationJSON{t.ID, t.Email, t.Role, timestamp(t.CreatedAt), timestamp(t.ExpiresAt), orNull(mailed), orNull(problem)}
}

func (a *API) listPeople(c *call) error {
	p, err := a.SignIn.People(c.r.Context(), c.caller)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, struct {
		People      []personJSON     `json:"people"`
		Invitations []invitationJSON `json:"invitations"`
	}{list(p.Members, personOf), list(p.Invitations, func(t org.Token) invitationJSON {
		return invitationOf(t, string(p.Mails[t.ID].State), p.Mails[t.ID].Problem)
	})})
}

func (a *API) invite(c *call) error {
	var address string
	var as org.Role
	by := c.delivery()
	if err := c.body(func(o *strictjson.Object) {
		address = email(o)
		as = org.Role(o.Enum("role", strictjson.Required, roles))
		by.ByLink = o.Bool("byLink", strictjson.Optional)
	}); err != nil {
		return err
	}
	invitation, link, err := a.SignIn.Invite(c.r.Context(), c.caller, address, as, by)
	if err != nil {
		return err
	}
	mailed := ""
	if link.Address == "" {
		mailed = "waiting"
	}
	return c.answer(http.StatusCreated, struct {
		Invitation invitationJSON `json:"invitation"`
		Link       *string        `json:"link"`
	}{invitationOf(invitation, mailed, ""), orNull(link.Address)})
}

func (a *API) withdrawInvitation(c *call) error {
	if err := a.SignIn.Withdraw(c.r.Context(), c.caller, strings.ToLower(c.r.PathValue("invitationId"))); err != nil {
		return err
	}
	return c.done()
}

// userID returns the person that the address names.
func (c *call) userID() string { return strings.ToLower(c.r.PathValue("userId")) }

func (a *API) changeRole(c *call) error {
	var as org.Role
	if err := c.body(func(o *strictjson.Object) { as = org.Role(o.Enum("role", strictjson.Required, roles)) }); err != nil {
		return err
	}
	changed, own, err := a.SignIn.ChangeRole(c.r.Context(), c.caller, c.userID(), as, c.browser())
	if err != nil {
		return err
	}
	if own != nil {
		a.Cookie.set(c.w, own.Token)
	}
	return c.answer(http.StatusOK, personOf(changed))
}

func (a *API) removePerson(c *call) error {
	if err := a.SignIn.Remove(c.r.Context(), c.caller, c.userID()); err != nil {
		return err
	}
	return c.done()
}

func (a *API) createResetLink(c *call) error {
	link, err := a.SignIn.ResetLink(c.r.Context(), c.caller, c.userID(), c.delivery())
	if err != nil {
		return err
	}
	return c.answer(http.StatusCreated, struct {
		Link      *string   `json:"link"`
		ExpiresAt timestamp `json:"expiresAt"`
	}{orNull(link.Address), timestamp(link.ExpiresAt)})
}

type keyJSON struct {
	ID         string     `json:"id"`
	Name       string     `json:"name"`
	Prefix     string     `json:"prefix"`
	UserName   string     `json:"userName"`
	ReadOnly   bool       `json:"readOnly"`
	CreatedAt  timestamp  `json:"createdAt"`
	ExpiresAt  *timestamp `json:"expiresAt"`
	RevokedAt  *timestamp `json:"revokedAt"`
	LastUsedAt *timestamp `json:"lastUsedAt"`
}

// keyOf encodes a key. names are those of the organization's members.
func keyOf(k org.Key, names map[string]string) keyJSON {
	return keyJSON{
		k.ID, k.Name, k.Prefix, names[k.UserID], k.ReadOnly, timestamp(k.CreatedAt), optional(k.ExpiresAt), optional(k.RevokedAt), optional(k.LastUsedAt),
	}
}

// memberNames returns how the members of the organization are called, by id.
func (a *API) memberNames(c *call) (map[string]string, error) {
	p, err := a.SignIn.People(c.r.Context(), c.caller)
	names := map[string]string{}
	for _, m := range p.Members {
		if names[m.User.ID] = m.User.Name; m.User.Name == "" {
			names[m.User.ID] = m.User.Email
		}
	}
	return names, err
}

func (a *API) listKeys(c *call) error {
	names, err := a.memberNames(c)
	if err != nil {
		return err
	}
	keys, err := a.Access.ListKeys(c.r.Context(), c.caller.OrgID)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, struct {
		Keys []keyJSON `json:"keys"`
	}{list(keys, func(k org.Key) keyJSON { return keyOf(k, names) })})
}

// maxKeyDays is the longest life of a key that is given in days.
const maxKeyDays = 3650

func (a *API) createKey(c *call) error {
	var name string
	var limits org.KeyLimits
	var days int
	if err := c.body(func(o *strictjson.Object) {
		name = o.NonEmptyUpTo("name", strictjson.Required, maxName)
		limits.ReadOnly = o.Bool("readOnly", strictjson.Optional)
		days = o.Int("days", strictjson.Optional, 1, maxKeyDays)
	}); err != nil {
		return err
	}
	key, secret, err := a.Access.CreateOwnKey(c.r.Context(), c.caller, name, limits, time.Duration(days)*24*time.Hour)
	if err != nil {
		return err
	}
	names, err := a.memberNames(c)
	if err != nil {
		return err
	}
	return c.answer(http.StatusCreated, struct {
		Key    keyJSON `json:"key"`
		Secret string  `json:"secret"`
	}{keyOf(key, names), secret})
}

// changeKey changes name, scope and expiry of a key.
func (a *API) changeKey(c *call) error {
	var change access.KeyChange
	if err := c.body(func(o *strictjson.Object) {
		if o.Has("name") {
			change.Name = new(o.NonEmptyUpTo("name", strictjson.Required, maxName))
		}
		if o.Has("readOnly") {
			change.ReadOnly = new(o.Bool("readOnly", strictjson.Required))
		}
		if o.Has("days") {
			change.After = new(time.Duration(o.Int("days", strictjson.Required, 0, maxKeyDays)) * 24 * time.Hour)
		}
	}); err != nil {
		return err
	}
	changed, err := a.Access.ChangeKey(c.r.Context(), c.caller, strings.ToLower(c.r.PathValue("keyId")), change)
	if err != nil {
		return err
	}
	names, err := a.memberNames(c)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, keyOf(changed, names))
}

func (a *API) revokeKey(c *call) error {
	if err := a.Access.RevokeOrgKey(c.r.Context(), c.caller, strings.ToLower(c.r.PathValue("keyId"))); err != nil {
		return err
	}
	return c.done()
}
