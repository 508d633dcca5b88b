package dashboard

import (
	"net/http"
	"strings"
	"time"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/strictjson"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/service/billing"
)

type balanceJSON struct {
	Available wallet.Credits `json:"available"`
	Used      wallet.Credits `json:"used"`
}

type walletJSON struct {
	ID          string          `json:"id"`
	Name        string          `json:"name"`
	Project     balanceJSON     `json:"project"`
	Recruitment balanceJSON     `json:"recruitment"`
	Limit       *wallet.Credits `json:"limit"`
	Spent       wallet.Credits  `json:"spent"`
	CreatedAt   timestamp       `json:"createdAt"`
}

func walletOf(g billing.Granted) walletJSON {
	w := walletJSON{
		ID: g.ID, Name: g.Name, Project: balanceJSON{g.Project.Balance, g.Project.Usage}, Recruitment: balanceJSON{g.Recruitment.Balance, g.Recruitment.Usage},
		Spent: g.Grant.Used, CreatedAt: timestamp(g.CreatedAt),
	}
	if g.Grant.Limited {
		w.Limit = &g.Grant.Limit
	}
	return w
}

func (a *API) listWallets(c *call) error {
	all, err := a.Billing.GrantedWallets(c.r.Context(), c.caller.OrgID)
	if err != nil {
		return err
	}
	mayTopUp, err := a.Access.IsInstanceAdmin(c.r.Context(), c.session.UserID)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, struct {
		Wallets  []walletJSON `json:"wallets"`
		MayTopUp bool         `json:"mayTopUp"`
	}{list(all, walletOf), mayTopUp})
}

type movementJSON struct {
	ID      string         `json:"id"`
	At      timestamp      `json:"at"`
	Account wallet.Kind    `json:"account"`
	Reason  wallet.Reason  `json:"reason"`
	Credits wallet.Credits `json:"credits"`
	Balance wallet.Credits `json:"balance"`
	Held    wallet.Credits `json:"held"`
	Study   *string        `json:"study"`
	Other   bool           `json:"otherOrganization"`
}

type walletDayJSON struct {
	Day         string         `json:"day"`
	Project     wallet.Credits `json:"project"`
	Recruitment wallet.Credits `json:"recruitment"`
}

// walletID returns the wallet that the address names; wallet.ErrNotFound for what is no id.
func (c *call) walletID() (string, error) {
	id := strings.ToLower(c.r.PathValue("walletId"))
	if !study.IsUUID(id) {
		return "", wallet.ErrNotFound
	}
	return id, nil
}

func (a *API) getLedger(c *call) error {
	query := httpx.Query(c.r)
	account, given := query.Text("account")
	if given && account != string(wallet.Project) && account != string(wallet.Recruitment) {
		query.Refuse("account must be project or recruitment.")
	}
	before, given := query.Text("after")
	if given && !study.IsUUID(before) {
		query.Refuse("after is not that of a page before.")
	}
	if err := query.Err(); err != nil {
		return err
	}
	id, err := c.walletID()
	if err != nil {
		return err
	}
	page, err := a.Billing.Ledger(c.r.Context(), c.caller.OrgID, id, wallet.Kind(account), strings.ToLower(before))
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, struct {
		Wallet    walletJSON      `json:"wallet"`
		Movements []movementJSON  `json:"movements"`
		Days      []walletDayJSON `json:"days"`
		Next      *string         `json:"next"`
	}{
		walletOf(page.Granted),
		list(page.Lines, func(l wallet.StatementLine) movementJSON {
			return movementJSON{
				l.ID, timestamp(l.At), l.Kind, l.Reason, l.Amount, l.After.Available, l.After.Held, orNull(page.Titles[l.StudyID]), l.OrgID != "" && l.OrgID != c.caller.OrgID,
			}
		}),
		list(page.Days, func(d billing.DayBalance) walletDayJSON {
			return walletDayJSON{d.Day.Format(time.DateOnly), d.Project, d.Recruitment}
		}),
		orNull(page.Next),
	})
}

// maxNote is the longest note of a top-up, in characters.
const maxNote = 200

func (a *API) topUp(c *call) error {
	var account, amount, note string
	if err := c.body(func(o *strictjson.Object) {
		account = o.Enum("account", strictjson.Required, words(wallet.Project, wallet.Recruitment))
		o.Any("credits", strictjson.Required, strictjson.String.String(), func(v *strictjson.Value) *strictjson.Issue {
			amount = v.Text
			if _, err := wallet.ParseCredits(amount); v.Kind != strictjson.String || err != nil {
				return &strictjson.Issue{Message: "Expected an amount such as 250 or 0.5", Code: strictjson.Custom, Expected: "an amount of credits", Received: v.Kind.String()}
			}
			return nil
		})
		note = o.TextUpTo("note", strictjson.Optional, maxNote)
	}); err != nil {
		return err
	}
	id, err := c.walletID()
	if err != nil {
		return err
	}
	credits, err := wallet.ParseCredits(amount)
	if err != nil {
		return err
	}
	topped, err := a.Billing.TopUp(c.r.Context(), c.caller, id, wallet.Kind(account), credits, note)
	if err != nil {
		return err
	}
	return c.answer(http.StatusCreated, walletOf(topped))
}
