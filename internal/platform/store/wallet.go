package store

import (
	"context"
	"database/sql"

	"verbatim/internal/domain/wallet"
)

// CreateWallet adds a wallet with its accounts, all empty.
func (tx *Tx) CreateWallet(ctx context.Context, name string) (wallet.Wallet, error) {
	w := wallet.Wallet{ID: NewID(), Name: name, CreatedAt: tx.at}
	if _, err := tx.exec(ctx, `insert into wallet (id, name, created_at) values ($1, $2, $3)`, w.ID, w.Name, micros(w.CreatedAt)); err != nil {
		return wallet.Wallet{}, err
	}
	for _, kind := range []wallet.Kind{wallet.Project, wallet.Recruitment} {
		for _, role := range []wallet.AccountRole{wallet.Funding, wallet.Available, wallet.Held, wallet.Spent} {
			if _, err := tx.exec(ctx, `insert into ledger_account (id, wallet_id, kind, role) values ($1, $2, $3, $4)`,
				NewID(), w.ID, kind, role); err != nil {
				return wallet.Wallet{}, err
			}
		}
	}
	return w, nil
}

const selectWallet = `select w.id, w.name, w.created_at,
	sum(case when a.kind = 'recruitment' and a.role = 'available' then a.balance else 0 end),
	sum(case when a.kind = 'recruitment' and a.role in ('held', 'spent') then a.balance else 0 end),
	sum(case when a.kind = 'project' and a.role = 'available' then a.balance else 0 end),
	sum(case when a.kind = 'project' and a.role in ('held', 'spent') then a.balance else 0 end)
	from wallet w
	join ledger_account a on a.wallet_id = w.id `

func scanWallet(r scanner) (w wallet.Wallet, err error) {
	return w, r.Scan(&w.ID, &w.Name, nullTime{&w.CreatedAt},
		&w.Recruitment.Balance, &w.Recruitment.Usage, &w.Project.Balance, &w.Project.Usage)
}

// Wallet finds a wallet with its balances; wallet.ErrNotFound. Callers check that the organization was granted it.
func (v *View) Wallet(ctx context.Context, id string) (wallet.Wallet, error) {
	w, err := scanWallet(v.q.QueryRowContext(ctx, selectWallet+`where w.id = $1 group by w.id, w.name, w.created_at`, id))
	return w, noRowsAs(err, wallet.ErrNotFound)
}

// Wallets lists the wallets granted to an organization in the order of the grants.
func (v *View) Wallets(ctx context.Context, orgID string) ([]wallet.Wallet, error) {
	return collect(ctx, v, scanWallet, selectWallet+`join wallet_grant g on g.wallet_id = w.id
		where g.org_id = $1
		group by w.id, w.name, w.created_at, g.created_at
		order by g.created_at, w.id`, orgID)
}

// AllWallets lists every wallet of the installation, for the operator.
func (v *View) AllWallets(ctx context.Context) ([]wallet.Wallet, error) {
	return collect(ctx, v, scanWallet, selectWallet+`group by w.id, w.name, w.created_at order by w.created_at, w.id`)
}

// GrantWallet lets an organization spend from a wallet, or changes the limit of its grant.
func (tx *Tx) GrantWallet(ctx context.Context, g wallet.Grant) error {
	var limit any
	if g.Limited {
		limit = int64(g.Limit)
	}
	_, err := tx.exec(ctx, `insert into wallet_grant (wallet_id, org_id, limit_milli, created_at)
		values ($1, $2, $3, $4)
		on conflict (wallet_id, org_id) do update set limit_milli = excluded.limit_milli`, g.WalletID, g.OrgID, limit, micros(tx.at))
	return err
}

const selectGrant = `select wallet_id, org_id, limit_milli, used_milli from wallet_grant `

func scanGrant(r scanner) (g wallet.Grant, err error) {
	var limit sql.NullInt64
	err = r.Scan(&g.WalletID, &g.OrgID, &limit, &g.Used)
	g.Limited, g.Limit = limit.Valid, wallet.Credits(limit.Int64)
	return g, err
}

// Grants lists an organization's grants in the order they were made.
func (v *View) Grants(ctx context.Context, orgID string) ([]wallet.Grant, error) {
	return collect(ctx, v, scanGrant, selectGrant+`where org_id = $1 order by created_at, wallet_id`, orgID)
}

// GrantedTo lists the organizations that may spend from a wallet.
func (v *View) GrantedTo(ctx context.Context, walletID string) ([]string, error) {
	return collect(ctx, v, func(r scanner) (id string, err error) { return id, r.Scan(&id) },
		`select org_id from wallet_grant where wallet_id = $1 order by org_id`, walletID)
}

// Grant finds one grant; wallet.ErrAccessDenied.
func (v *View) Grant(ctx context.Context, walletID, orgID string) (wallet.Grant, error) {
	g, err := scanGrant(v.q.QueryRowContext(ctx, selectGrant+`where wallet_id = $1 and org_id = $2`, walletID, orgID))
	return g, noRowsAs(err, wallet.ErrAccessDenied)
}

// CanFund returns nil if the project credits of a wallet and the organization's grant cover an amount, and otherwise
// wallet.ErrAccessDenied or wallet.ErrInsufficient.
func (v *View) CanFund(ctx context.Context, walletID, orgID string, amount wallet.Credits) error {
	g, err := v.Grant(ctx, walletID, orgID)
	if err != nil {
		return err
	}
	w, err := v.Wallet(ctx, walletID)
	if err != nil {
		return err
	}
	if !g.Covers(amount) || w.Project.Balance < amount {
		return wallet.ErrInsufficient
	}
	return nil
}

// movement is a transfer between two accounts of a wallet that is not entered yet.
type movement struct {
	wallet, org, study, hold string // the last three may be empty
	kind                     wallet.Kind
	reason                   wallet.Reason
	amount                   wallet.Credits
}

// move enters a transfer: both entries and both balances, or nothing. wallet.ErrInsufficient when the account that it takes
// from has too little. Accounts are locked in the order of their roles, so that no two transfers deadlock.
func (tx *Tx) move(ctx context.Context, m movement) error {
	from, to := m.reason.Path()
	tx.noteWalletLock(accountLock)
	if to < from {
		if err := tx.lock(ctx, `select id from ledger_account where wallet_id = $1 and kind = $2 and role in ($3, $4) order by role`,
			m.wallet, m.kind, from, to); err != nil {
			return err
		}
	}
	enough, err := tx.expect(ctx, `update ledger_account
		set balance = balance - $1
		where wallet_id = $2 and kind = $3 and role = $4 and (role = 'funding' or balance >= $1)`, m.amount, m.wallet, m.kind, from)
	if err != nil {
		return err
	}
	if !enough {
		if _, err := tx.Wallet(ctx, m.wallet); err != nil {
			return err
		}
		return wallet.ErrInsufficient
	}
	entered, err := tx.expect(ctx, `update ledger_account set balance = balance + $1 where wallet_id = $2 and kind = $3 and role = $4`,
		m.amount, m.wallet, m.kind, to)
	if err != nil {
		return err
	}
	if !entered {
		return wallet.ErrNotFound
	}
	id := NewID()
	if err := tx.run(ctx, `insert into ledger_transfer (id, wallet_id, kind, reason, org_id, study_id, hold_id, amount, created_at)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`, id, m.wallet, m.kind, m.reason,
		nullIfEmpty(m.org), nullIfEmpty(m.study), nullIfEmpty(m.hold), m.amount, micros(tx.at)); err != nil {
		return err
	}
	return tx.run(ctx, `insert into ledger_entry (transfer_id, account_id, amount)
		select $1, id, case role when $2 then cast($3 as bigint) else cast($4 as bigint) end
		from ledger_account
		where wallet_id = $5 and kind = $6 and role in ($2, $7)`,
		id, from, -m.amount, m.amount, m.wallet, m.kind, to)
}

// noteWalletLock notes which rows of a wallet the transaction locks.
func (tx *Tx) noteWalletLock(of walletLock) {
	if tx.pipeline != nil && tx.pipeline.wallet != grantLock {
		tx.pipeline.wallet = of
	}
}

// Deposit adds credits of a kind to a wallet; wallet.ErrNotFound.
func (tx *Tx) Deposit(ctx context.Context, walletID string, kind wallet.Kind, amount wallet.Credits) error {
	return tx.move(ctx, movement{wallet: walletID, kind: kind, reason: wallet.Deposit, amount: amount})
}

// Withdraw removes unspent credits of a kind from a wallet; wallet.ErrNotFound, wallet.ErrInsufficient.
func (tx *Tx) Withdraw(ctx context.Context, walletID string, kind wallet.Kind, amount wallet.Credits) error {
	return tx.move(ctx, movement{wallet: walletID, kind: kind, reason: wallet.Withdraw, amount: amount})
}
