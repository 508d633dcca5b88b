package wallet

// AccountRole is one of the four accounts that each purse has in the ledger. What is deposited comes out of Funding,
// which stands for the world outside and is the only one that may be negative, so that all accounts sum to zero.
type AccountRole string

// The accounts of a purse.
const (
	Funding   AccountRole = "funding"
	Available AccountRole = "available"
	Held      AccountRole = "held"
	Spent     AccountRole = "spent"
)

// Reason says why credits moved.
type Reason string

// The movements there are.
const (
	Deposit  Reason = "deposit"
	Withdraw Reason = "withdraw"
	Hold     Reason = "hold"
	Settle   Reason = "settle"
	Release  Reason = "release"
)

// Path tells which account a movement takes credits from and which it brings them to.
func (r Reason) Path() (from, to AccountRole) {
	switch r {
	case Deposit:
		return Funding, Available
	case Withdraw:
		return Available, Funding
	case Hold:
		return Available, Held
	case Settle:
		return Held, Spent
	case Release:
		return Held, Available
	}
	panic("wallet: unknown reason " + string(r))
}
