package v1

import (
	"net/http"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/service/access"
)

type wallets struct {
	Wallets []walletItem `json:"wallets"`
}

type walletItem struct {
	WalletID                 string  `json:"walletId"`
	Name                     string  `json:"name"`
	RecruitmentCreditBalance balance `json:"recruitmentCreditBalance"`
	ProjectCreditBalance     balance `json:"projectCreditBalance"`
}

type balance struct {
	Balance wallet.Credits `json:"balance"`
	Usage   wallet.Credits `json:"usage"`
}

func (a *API) listWallets(w http.ResponseWriter, r *http.Request) error {
	granted, err := a.Billing.Wallets(r.Context(), access.CallerOf(r.Context()).OrgID)
	if err != nil {
		return err
	}
	answer := wallets{Wallets: make([]walletItem, 0, len(granted))}
	for _, g := range granted {
		answer.Wallets = append(answer.Wallets, walletOf(g))
	}
	return httpx.WriteJSON(w, r, http.StatusOK, answer)
}

func walletOf(w wallet.Wallet) walletItem {
	return walletItem{w.ID, w.Name, balance(w.Recruitment), balance(w.Project)}
}
