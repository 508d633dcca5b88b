package org

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Errors of look-ups and of authentication.
var (
	ErrNotFound  = errors.New("organization not found")
	ErrNoUser    = errors.New("user not found")
	ErrNoKey     = errors.New("API key not found")
	ErrNoGrant   = errors.New("the user has no such permission on the study")
	ErrEmailUsed = errors.New("a user with this e-mail address exists already")
)

// Organization is the scope of every call.
type Organization struct {
	ID        string
	CreatedAt time.Time
	Brand
}

// User is a person who works with studies. One user may be a member of several organizations.
type User struct {
	ID        string
	Email     string
	Name      string
	CreatedAt time.Time
}

// Role is a member's role in an organization.
type Role string

// The roles.
const (
	Admin      Role = "admin"
	Supervisor Role = "supervisor"
	Member     Role = "member"
)

// ParseRole parses a role's name.
func ParseRole(s string) (Role, error) {
	switch r := Role(s); r {
	case Admin, Supervisor, Member:
		return r, nil
	}
	return "", fmt.Errorf("unknown role %q: use admin, supervisor or member", s)
}

// ManagesKeys reports whether the role may create and revoke API keys, for the dashboard: operators may do so whatever their role.
func (r Role) ManagesKeys() bool { return r == Admin || r == Supervisor }

// LaunchesAny reports whether the role may start recruitment on every study of the organization.
func (r Role) LaunchesAny() bool { return r == Admin || r == Supervisor }

// Membership is one user's membership in one organization.
type Membership struct {
	OrgID string
	User  User
	Role  Role
}

// SigningMember is a member of whom it is known whether there is a password.
type SigningMember struct {
	Membership
	HasPassword bool
	TwoStep     bool // signing in takes a code of an authenticator app
	Passkeys    int
}

// NamedMembership is one of a user's memberships, with the organization's name.
type NamedMembership struct {
	OrgID, OrgName string
	Role           Role
}

// Permission is a permission granted to one user on one study.
type Permission string

// StartRecruitment allows launching a study.
const StartRecruitment Permission = "start-recruitment"

// Caller is the user that makes a call, identified by an API key.
type Caller struct {
	OrgID    string
	UserID   string
	KeyID    string
	Role     Role // empty when the user is not, or no longer, a member
	ReadOnly bool // the key may read but not change anything

	// Unproven is the hash of a key that was valid recently and must be checked again by the statement that reads for this
	// caller; empty if the key was found valid for this request.
	Unproven string
}

// ErrUnverified is returned by reads for an unproven caller if the key may no longer be valid, or if nothing was found that
// proves it.
var ErrUnverified = errors.New("the API key of the caller has not been verified")

// IsMember reports whether the key's user still belongs to the key's organization.
func (c Caller) IsMember() bool { return c.Role != "" }

// CheckEmail returns an error if s is clearly not an e-mail address.
func CheckEmail(s string) error {
	local, domain, found := strings.Cut(s, "@")
	if !found || local == "" || domain == "" || strings.ContainsAny(s, " \t\r\n<>,;") || strings.Contains(domain, "@") {
		return fmt.Errorf("%q is not an e-mail address", s)
	}
	return nil
}
