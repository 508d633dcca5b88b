package main

import (
	"context"
	"strings"

	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/billing"
)

type walletCommands struct {
	Create   walletCreate   `cmd:"" help:"Create an empty wallet."`
	List     walletList     `cmd:"" help:"List the wallets with their balances."`
	Grant    walletGrant    `cmd:"" help:"Allow an organization to spend from a wallet, or change its limit."`
	Deposit  walletDeposit  `cmd:"" help:"Add credits to a wallet."`
	Withdraw walletWithdraw `cmd:"" help:"Take unspent credits out of a wallet."`

	Statement walletStatement `cmd:"" help:"List the movements of a wallet, with the balances after each."`
}

type walletCreate struct {
	Name string `arg:"" help:"Its name."`
}

// Run creates the wallet.
func (cmd *walletCreate) Run(ctx context.Context, c *Common) error {
	return c.withStore(ctx, func(s *store.Store) error {
		w, err := (&billing.Service{Store: s}).CreateWallet(ctx, cmd.Name)
		if err != nil {
			return err
		}
		return c.print(walletRow(w))
	})
}

type walletList struct{}

// Run lists the wallets.
func (walletList) Run(ctx context.Context, c *Common) error {
	return c.withStore(ctx, func(s *store.Store) error {
		all, err := (&billing.Service{Store: s}).AllWallets(ctx)
		if err != nil {
			return err
		}
		var rows []row
		for _, w := range all {
			rows = append(rows, walletRow(w))
		}
		return c.printAll(rows, "There is no wallet yet: verbatim wallet create NAME")
	})
}

type walletGrant struct {
	Wallet string  `arg:"" help:"The wallet's id."`
	Org    string  `required:"" help:"The organization's id." placeholder:"ID"`
	Limit  *string `help:"Maximum number of credits that the organization may spend in total; 0 allows none. Default: no limit." placeholder:"CREDITS"`
}

// Run makes the grant.
func (cmd *walletGrant) Run(ctx context.Context, c *Common) error {
	g := wallet.Grant{WalletID: cmd.Wallet, OrgID: cmd.Org}
	var shownLimit any = "none"
	if cmd.Limit != nil {
		limit, err := wallet.ParseCredits(*cmd.Limit)
		if err != nil {
			return usageError("--limit: " + err.Error())
		}
		g.Limited, g.Limit, shownLimit = true, limit, limit
	}
	return c.withStore(ctx, func(s *store.Store) error {
		if err := (&billing.Service{Store: s}).Grant(ctx, g); err != nil {
			return err
		}
		return c.print(row{{"walletId", cmd.Wallet}, {"orgId", cmd.Org}, {"limit", shownLimit}})
	})
}

// movement holds the arguments of deposits and withdrawals.
type movement struct {
	Wallet  string `arg:"" help:"The wallet's id."`
	Account string `required:"" enum:"project,recruitment" help:"Account: project or recruitment." placeholder:"ACCOUNT"`
	Amount  string `arg:"" help:"Credits, with at most three decimals. A negative amount does the opposite."`
}

// mover moves credits into a wallet, or out of it.
type mover func(*billing.Service, context.Context, string, wallet.Kind, wallet.Credits) (wallet.Wallet, error)

// run moves the amount, or calls back for a negative amount, and prints the wallet's balances.
func (m *movement) run(ctx context.Context, c *Common, move, back mover) error {
	digits, isNegative := strings.CutPrefix(strings.Replace(m.Amount, minus, "-", 1), "-")
	amount, err := wallet.ParseCredits(digits)
	if err != nil {
		return usageError(err.Error())
	}
	if isNegative {
		move = back
	}
	kind, err := wallet.ParseKind(m.Account)
	if err != nil {
		return usageError(err.Error())
	}
	return c.withStore(ctx, func(s *store.Store) error {
		w, err := move(&billing.Service{Store: s}, ctx, m.Wallet, kind, amount)
		if err != nil {
			return err
		}
		return c.print(walletRow(w))
	})
}

type walletDeposit struct{ movement }

// Run deposits the credits.
func (cmd *walletDeposit) Run(ctx context.Context, c *Common) error {
	return cmd.run(ctx, c, (*billing.Service).Deposit, (*billing.Service).Withdraw)
}

type walletWithdraw struct{ movement }

// Run withdraws the credits.
func (cmd *walletWithdraw) Run(ctx context.Context, c *Common) error {
	return cmd.run(ctx, c, (*billing.Service).Withdraw, (*billing.Service).Deposit)
}

func walletRow(w wallet.Wallet) row {
	return row{
		{"id", w.ID},
		{"name", w.Name},
		{"projectBalance", w.Project.Balance},
		{"projectUsage", w.Project.Usage},
		{"recruitmentBalance", w.Recruitment.Balance},
		{"recruitmentUsage", w.Recruitment.Usage},
	}
}
