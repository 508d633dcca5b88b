package main

import (
	"context"
	"fmt"
	"time"

	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/billing"
)

type walletStatement struct {
	Wallet  string `arg:"" help:"The wallet's id."`
	Account string `enum:"project,recruitment," default:"" help:"Only this account: project or recruitment. Default: both." placeholder:"ACCOUNT"`
	Since   string `help:"From the start of this day (UTC), such as 2027-01-31." placeholder:"DATE"`
	Until   string `help:"To the end of this day (UTC)." placeholder:"DATE"`
	Last    int    `help:"Maximum number of movements, the latest." default:"100" placeholder:"N"`
}

// Run lists the movements of a wallet with the balances after each.
func (cmd *walletStatement) Run(ctx context.Context, c *Common) error {
	if cmd.Last < 1 {
		return usageError("--last must be at least 1")
	}
	filter := store.MovementFilter{Wallet: cmd.Wallet, Kind: wallet.Kind(cmd.Account), Last: cmd.Last}
	var err error
	if filter.Since, err = parseDay("--since", cmd.Since); err != nil {
		return err
	}
	if filter.Until, err = parseDay("--until", cmd.Until); err != nil {
		return err
	}
	if !filter.Until.IsZero() {
		filter.Until = filter.Until.AddDate(0, 0, 1)
	}
	return c.withStore(ctx, func(s *store.Store) error {
		statement, err := (&billing.Service{Store: s}).Statement(ctx, filter)
		if err != nil {
			return err
		}
		var rows []row
		for _, kind := range []wallet.Kind{wallet.Project, wallet.Recruitment} {
			if before := statement.Before[kind]; before != (wallet.AccountBalance{}) && (filter.Kind == "" || filter.Kind == kind) {
				rows = append(rows, statementRow(wallet.StatementLine{Movement: wallet.Movement{Kind: kind, Reason: "before"}, After: before}))
			}
		}
		for _, line := range statement.Lines {
			rows = append(rows, statementRow(line))
		}
		return c.printAll(rows, "No movements found.")
	})
}

func statementRow(line wallet.StatementLine) row {
	var amount any
	if line.Amount != 0 {
		amount = line.Amount
	}
	return row{
		{"at", toSecond(line.At)},
		{"account", line.Kind},
		{"movement", line.Reason},
		{"amount", amount},
		{"available", line.After.Available},
		{"held", line.After.Held},
		{"spent", line.After.Spent},
		{"studyId", line.StudyID},
		{"orgId", line.OrgID},
	}
}

// parseDay parses a day. It returns the zero time if text is empty.
func parseDay(flag, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return time.Time{}, usageError(fmt.Sprintf("%s %q must be a day such as 2027-01-31", flag, text))
	}
	return day, nil
}
