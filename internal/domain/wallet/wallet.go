package wallet

import (
	"errors"
	"fmt"
	"time"
)

// Errors of launching, holding and moving credits.
var (
	ErrNotFound     = errors.New("wallet not found")
	ErrRequired     = errors.New("the organization has several wallets: name one with walletId")
	ErrAccessDenied = errors.New("the organization has no access to this wallet")
	ErrInsufficient = errors.New("the wallet cannot fund this")
	ErrNoHold       = errors.New("no active hold")
)

// Kind is one of a wallet's two balances.
type Kind string

// The kinds of balances in the contract.
const (
	Recruitment Kind = "recruitment"
	Project     Kind = "project"
)

// ParseKind parses a kind's name.
func ParseKind(s string) (Kind, error) {
	switch k := Kind(s); k {
	case Recruitment, Project:
		return k, nil
	}
	return "", fmt.Errorf("unknown account %q: use recruitment or project", s)
}

// Balance has the amounts that are left and used, active holds included.
type Balance struct {
	Balance Credits
	Usage   Credits
}

// Wallet is a pair of balances under a name.
type Wallet struct {
	ID          string
	Name        string
	Recruitment Balance
	Project     Balance
	CreatedAt   time.Time
}

// Grant lets an organization spend from a wallet.
type Grant struct {
	WalletID string
	OrgID    string
	Limited  bool    // false: no limit
	Limit    Credits // maximum that the organization may use in all, holds included
	Used     Credits
}

// Covers reports whether the grant allows another amount.
func (g Grant) Covers(amount Credits) bool { return !g.Limited || g.Used+amount <= g.Limit }

// Choose returns the id of the wallet that a launch is billed to: the one asked for, or the only one granted. An
// organization without a wallet has no wallet billing, and gets the empty id.
func Choose(granted []Grant, asked string) (string, error) {
	if asked != "" {
		for _, g := range granted {
			if g.WalletID == asked {
				return asked, nil
			}
		}
		return "", ErrAccessDenied
	}
	switch len(granted) {
	case 0:
		return "", nil
	case 1:
		return granted[0].WalletID, nil
	}
	return "", ErrRequired
}
