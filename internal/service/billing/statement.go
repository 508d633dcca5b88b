package billing

import (
	"context"
	"maps"

	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// Statement returns movements of a wallet, oldest first; wallet.ErrNotFound.
func (s *Service) Statement(ctx context.Context, f store.MovementFilter) (_ wallet.Statement, err error) {
	defer operation.Wrap(&err, "billing.Statement")
	view := s.Store.View()
	w, err := view.Wallet(ctx, f.Wallet)
	if err != nil {
		return wallet.Statement{}, err
	}
	before, found, err := view.Movements(ctx, f)
	if err != nil {
		return wallet.Statement{}, err
	}
	statement := wallet.Statement{Wallet: w, Before: before}
	balances := maps.Clone(before)
	for _, m := range found {
		balances[m.Kind] = balances[m.Kind].After(m)
		statement.Lines = append(statement.Lines, wallet.StatementLine{Movement: m, After: balances[m.Kind]})
	}
	return statement, nil
}
