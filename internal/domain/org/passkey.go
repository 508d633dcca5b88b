package org

import (
	"errors"
	"time"
)

// Errors of passkeys.
var (
	ErrNoPasskey    = errors.New("passkey not found")
	ErrPasskeyKnown = errors.New("the passkey is known already")
)

// Passkey is a key by which a person signs in. Its secret half never leaves the person's device or password manager.
type Passkey struct {
	ID           string
	UserID       string
	CredentialID string // how the authenticator names it, in URL-safe base64
	Name         string
	Data         string // the credential record of WebAuthn, as JSON
	CreatedAt    time.Time
	UsedAt       time.Time // zero: never
}

// MaxPasskeys bounds how many passkeys somebody has.
const MaxPasskeys = 20
