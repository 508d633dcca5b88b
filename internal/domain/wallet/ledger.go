package wallet

// AccountRole is one of the four ledger accounts of each balance. Deposits come out of Funding, which stands for the outside
// world and is the only account that may be negative, so that all accounts sum to zero.
type AccountRole string

// The accounts.
const (
	Funding   AccountRole = "funding"
	Available AccountRole = "available"
	Held      AccountRole = "held"
	Spent     AccountRole = "spent"
)

// Reason is the cause of a movement of credits.
type Reason string

// The reasons.
const (
	Deposit  Reason = "deposit"
	Withdraw Reason = "withdraw"
	Hold     Reason = "hold"
	Settle   Reason = "settle"
	Release  Reason = "release"
)

// Path returns the account that a movement takes credits from and the account that it adds them to.
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
