package dashboard

import (
	"net/http"
	"net/url"

	"verbatim/internal/domain/strictjson"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/service/authoring"
)

type launchWalletJSON struct {
	ID      string  `json:"id"`
	Name    string  `json:"name"`
	Balance float64 `json:"balance"`
	CanPay  bool    `json:"canPay"`
}

func launchWalletOf(w wallet.Wallet, canPay bool) launchWalletJSON {
	return launchWalletJSON{w.ID, w.Name, credits(w.Project.Balance), canPay}
}

// credits returns an amount in credits for JSON.
func credits(amount wallet.Credits) float64 { return float64(amount) / float64(wallet.Credit) }

type checkJSON struct {
	Code     string  `json:"code"`
	Severity string  `json:"severity"`
	Message  string  `json:"message"`
	Pointer  *string `json:"pointer"`
	ItemID   *string `json:"itemId"`
}

func (a *API) participantLink(linkID string) string {
	return a.BaseURL + "/s/" + url.PathEscape(linkID)
}

func (a *API) checkLaunch(c *call) error {
	check, err := a.Authoring.CheckLaunch(c.r.Context(), c.study.Study)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, struct {
		Ready           bool               `json:"ready"`
		State           study.Status       `json:"state"`
		Version         int                `json:"version"`
		Unpublished     bool               `json:"unpublished"`
		MayLaunch       bool               `json:"mayLaunch"`
		Checks          []checkJSON        `json:"checks"`
		Wallets         []launchWalletJSON `json:"wallets"`
		WalletID        *string            `json:"walletId"`
		Price           float64            `json:"price"`
		ParticipantLink string             `json:"participantLink"`
		Parameters      []string           `json:"parameters"`
	}{
		check.Ready(), c.study.Status, check.Draft.Number, check.Draft.Unpublished, c.study.MayChange,
		list(check.Checks, func(k authoring.Check) checkJSON {
			return checkJSON{k.Code, k.Severity, k.Message, orNull(k.Pointer), orNull(k.ItemID)}
		}),
		list(check.Wallets, func(w authoring.PayingWallet) launchWalletJSON { return launchWalletOf(w.Wallet, w.CanPay) }),
		orNull(check.WalletID), credits(check.Price), a.participantLink(c.study.LinkID), append([]string{}, check.Params...),
	})
}

func (a *API) launchStudy(c *call) error {
	var version int
	var walletID string
	if err := c.body(func(o *strictjson.Object) {
		version = o.Int("version", strictjson.Required, 1, 1<<31-1)
		walletID = o.UUID("walletId", strictjson.Optional)
	}); err != nil {
		return err
	}
	live, err := a.Authoring.LaunchVersion(c.r.Context(), c.caller, c.study.ID, walletID, version)
	if err != nil {
		return err
	}
	var paying *launchWalletJSON
	if live.Wallet != nil {
		w := launchWalletOf(*live.Wallet, live.Wallet.Project.Balance >= a.Authoring.Price)
		paying = &w
	}
	return c.answer(http.StatusOK, struct {
		Study           studyJSON         `json:"study"`
		ParticipantLink string            `json:"participantLink"`
		Wallet          *launchWalletJSON `json:"wallet"`
	}{c.changed(live.Study), a.participantLink(live.Study.LinkID), paying})
}

func (a *API) closeStudy(c *call) error {
	closed, err := a.Authoring.CloseStudy(c.r.Context(), c.caller, c.study.Study)
	if err != nil {
		return err
	}
	return c.answerStudy(http.StatusOK, c.changed(closed))
}

// changed encodes the study of the address as it is now.
func (c *call) changed(now study.Study) studyJSON {
	listed := c.study.Listed
	listed.Study = now
	return studyOf(listed, c.session.UserID)
}

func (c *call) answerStudy(status int, s studyJSON) error {
	return c.answer(status, struct {
		Study studyJSON `json:"study"`
	}{s})
}
