package org

import (
	"encoding/base64"
	"errors"
	"time"
)

// Errors of sessions and one-time tokens.
var (
	ErrNoSession     = errors.New("there is no session, or it has ended")
	ErrNoToken       = errors.New("the one-time token is unknown, used, withdrawn or expired")
	ErrNoInvitation  = errors.New("invitation not found")
	ErrNoCredential  = errors.New("the user has no password")
	ErrMember        = errors.New("the person is a member already")
	ErrLastAdmin     = errors.New("the organization would have no admin")
	ErrSharedAccount = errors.New("the account belongs to other organizations as well")
	ErrRoleNeeded    = errors.New("the role of the user does not allow it")
)

// How long a session lasts: without use, and in any case.
const (
	SessionIdle = 14 * 24 * time.Hour
	SessionMax  = 90 * 24 * time.Hour
)

// Session is one browser in which a user is signed in. It does not contain the token, only its hash is stored.
type Session struct {
	ID        string
	UserID    string
	Browser   string // its User-Agent at sign-in
	Network   string // that it was begun from
	CreatedAt time.Time
	UsedAt    time.Time // to within some minutes

	ConfirmedAt time.Time // when the person last proved who they are; zero: it is not known
}

// RecentSignIn is how long after a proof the person of a session may do what is dangerous.
const RecentSignIn = 10 * time.Minute

// Recent reports whether the person proved a short while ago who they are.
func (s Session) Recent(at time.Time) bool {
	return !s.ConfirmedAt.IsZero() && at.Before(s.ConfirmedAt.Add(RecentSignIn))
}

// Alive reports whether the session can be used at a time.
func (s Session) Alive(at time.Time) bool {
	return at.Before(s.UsedAt.Add(SessionIdle)) && at.Before(s.CreatedAt.Add(SessionMax))
}

// TokenKind names the purpose of a one-time token.
type TokenKind string

// The kinds.
const (
	SetUpToken      TokenKind = "setup"
	InvitationToken TokenKind = "invitation"
	ResetToken      TokenKind = "reset"
	SignInToken     TokenKind = "signin"
)

// Lifetime returns how long a token of the kind is valid.
func (k TokenKind) Lifetime() time.Duration {
	if k == InvitationToken {
		return 7 * 24 * time.Hour
	}
	return 24 * time.Hour
}

// Token is the stored form of a one-time token. It does not contain the token itself.
type Token struct {
	ID        string
	Kind      TokenKind
	OrgID     string // empty: none, or one that the set-up makes
	UserID    string // whose password is reset, or who is signed in; empty for the others
	Email     string // of an invitation
	Role      Role   // of an invitation
	CreatedAt time.Time
	ExpiresAt time.Time
}

// tokenMark begins every one-time token, so that secret scanners recognize one.
const tokenMark = "vbt_"

// FormatToken returns the one-time token made of 256 random bits. It may stand in the fragment of an address.
func FormatToken(secret [32]byte) string {
	return tokenMark + base64.RawURLEncoding.EncodeToString(secret[:])
}

// FormatSession returns the value of a session's cookie made of 256 random bits.
func FormatSession(secret [32]byte) string { return base64.RawURLEncoding.EncodeToString(secret[:]) }

// AtLeast reports whether the role includes everything that another allows.
func (r Role) AtLeast(other Role) bool {
	rank := map[Role]int{Member: 1, Supervisor: 2, Admin: 3}
	return rank[r] > 0 && rank[r] >= rank[other]
}
