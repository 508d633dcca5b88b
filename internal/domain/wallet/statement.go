package wallet

import "time"

// Movement is one transfer of credits between two accounts of a balance.
type Movement struct {
	ID      string
	At      time.Time
	Kind    Kind
	Reason  Reason
	Amount  Credits // more than zero; Reason says from which account to which
	OrgID   string  // empty for deposits and withdrawals
	StudyID string  // likewise
}

// AccountBalance holds the accounts of one balance that belong to the wallet.
type AccountBalance struct {
	Available Credits
	Held      Credits
	Spent     Credits
}

// After returns the balances after a movement.
func (p AccountBalance) After(m Movement) AccountBalance {
	from, to := m.Reason.Path()
	for role, amount := range map[AccountRole]Credits{from: -m.Amount, to: m.Amount} {
		switch role {
		case Available:
			p.Available += amount
		case Held:
			p.Held += amount
		case Spent:
			p.Spent += amount
		}
	}
	return p
}

// Statement lists movements of a wallet with its balances before and after.
type Statement struct {
	Wallet Wallet
	Before map[Kind]AccountBalance
	Lines  []StatementLine
}

// StatementLine is a movement and the balances after it.
type StatementLine struct {
	Movement
	After AccountBalance
}
