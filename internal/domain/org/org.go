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

// Role is what a member may do in an organization.
type Role string

// The roles.
const (
	Admin      Role = "admin"
	Supervisor Role = "supervisor"
	Member     Role = "member"
)

// ParseRole reads a role's name.
func ParseRole(s string) (Role, error) {
	switch r := Role(s); r {
	case Admin, Supervisor, Member:
		return r, nil
	}
	return "", fmt.Errorf("role %q is none of admin, supervisor, member", s)
}

// ManagesKeys tells whether the role may create and revoke API keys.
func (r Role) ManagesKeys() bool { return r == Admin || r == Supervisor }

// LaunchesAny tells whether the role may start recruitment on every study of the organization.
func (r Role) LaunchesAny() bool { return r == Admin || r == Supervisor }

// Membership is one user's place in one organization.
type Membership struct {
	OrgID string
	User  User
	Role  Role
}

// Permission is something granted to one user on one study.
type Permission string

// StartRecruitment allows launching a study.
const StartRecruitment Permission = "start-recruitment"

// Caller is who makes a call, told by an API key.
type Caller struct {
	OrgID    string
	UserID   string
	KeyID    string
	Role     Role // empty when the user is not, or no longer, a member
	ReadOnly bool // the key may read and change nothing

	// Unproven is the hash of a key that was valid lately and has to be looked up again by the statement that reads for this
	// caller; empty where the key was found valid for this request.
	Unproven string
}

// ErrUnproven is returned by what reads for an unproven caller where the key may not be valid any more, or where nothing was
// found that says so.
var ErrUnproven = errors.New("the key of the caller is not proven")

// IsMember tells whether the key's user still belongs to the key's organization.
func (c Caller) IsMember() bool { return c.Role != "" }

// CheckEmail refuses what is plainly no e-mail address.
func CheckEmail(s string) error {
	local, domain, found := strings.Cut(s, "@")
	if !found || local == "" || domain == "" || strings.ContainsAny(s, " \t\r\n<>,;") || strings.Contains(domain, "@") {
		return fmt.Errorf("%q is no e-mail address", s)
	}
	return nil
}
