package authoring

import (
	"context"
	"errors"
	"slices"
	"strings"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/domain/workingcopy"
	"verbatim/internal/platform/operation"
)

// CheckLaunch looks at everything that a launch needs: the guide, the wallet, and what researchers forget. For a live study it looks at
// what the publication of its working copy needs.
func (s *Service) CheckLaunch(ctx context.Context, of study.Study) (c LaunchCheck, err error) {
	defer operation.Wrap(&err, "authoring.CheckLaunch")
	v, _, err := newest(ctx, s.Store.View(), of)
	if err != nil {
		return LaunchCheck{}, err
	}
	c.Draft, c.Price = Draft{Version: v, Unpublished: isUnpublished(of, v)}, s.Price
	var g *guide.Guide
	g, c.Draft.Problems = workingcopy.Check(v.Guide)
	c.guide(g)
	c.speech(g, s.Speech)
	c.state(of)
	return c, s.checkWallet(ctx, &c, of)
}

func (c *LaunchCheck) add(code, severity, message string) {
	c.Checks = append(c.Checks, Check{Code: code, Severity: severity, Message: message})
}

// guide adds the problems of the guide, and what participants would miss.
func (c *LaunchCheck) guide(g *guide.Guide) {
	for _, p := range c.Draft.Problems {
		c.Checks = append(c.Checks, Check{"guide", string(p.Severity), p.Message, p.Pointer, p.ItemID})
	}
	if g == nil {
		return
	}
	c.add("guide", checkOK, "The guide is complete.")
	if g.Welcome.Message == "" {
		c.Checks = append(c.Checks, Check{"welcome", checkAdvice, "Participants get a general welcome. Your own words say why their time matters.", "/welcomeMessage", ""})
	}
	c.Params = parametersOf(g)
}

// speech adds what a spoken study misses without services of speech.
func (c *LaunchCheck) speech(g *guide.Guide, has guide.Services) {
	if g == nil {
		return
	}
	for _, advice := range guide.LintSpeech(g, has) {
		c.Checks = append(c.Checks, Check{"speech", checkAdvice, advice.Text, "/" + strings.ReplaceAll(advice.Place, ".", "/"), ""})
	}
}

func (c *LaunchCheck) state(of study.Study) {
	switch {
	case of.Status == study.Closed:
		c.add("state", checkError, "The study is closed. Reopen it before you publish changes.")
	case of.Status != study.Draft && !c.Draft.Unpublished:
		c.add("unchanged", checkAdvice, "Participants get this version already.")
	}
}

// parametersOf returns the link parameters that conditions compare, in the order of the guide.
func parametersOf(g *guide.Guide) (names []string) {
	add := func(conditional *guide.Conditional) {
		if conditional == nil {
			return
		}
		for i := range conditional.Criteria {
			if name := conditional.Criteria[i].Parameter; name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	for b := range g.Blocks {
		concepts := g.Blocks[b].Concepts()
		for i := range concepts {
			add(concepts[i].Conditional)
		}
		for i := range g.Blocks[b].Items {
			add(g.Blocks[b].Items[i].Conditional)
		}
	}
	return names
}

// checkWallet adds what the organization can pay with.
func (s *Service) checkWallet(ctx context.Context, c *LaunchCheck, of study.Study) error {
	view := s.Store.View()
	wallets, err := view.Wallets(ctx, of.OrgID)
	if err != nil {
		return err
	}
	canPay := false
	for _, w := range wallets {
		err := view.CanFund(ctx, w.ID, of.OrgID, s.Price)
		if err != nil && !errors.Is(err, wallet.ErrInsufficient) && !errors.Is(err, wallet.ErrAccessDenied) {
			return err
		}
		p := PayingWallet{w, err == nil}
		canPay = canPay || p.CanPay && (of.WalletID == "" || of.WalletID == w.ID)
		c.Wallets = append(c.Wallets, p)
	}
	switch {
	case of.Status != study.Draft:
		c.WalletID = of.WalletID
	case len(wallets) == 1:
		c.WalletID = wallets[0].ID
	}
	switch {
	case of.Status != study.Draft && of.WalletID == "", len(wallets) == 0:
		c.add("wallet", checkOK, "Interviews are not billed.")
	case !canPay && of.Status == study.Draft:
		c.add("wallet", checkError, "No wallet of the organization can pay for an interview. Ask an admin to top one up.")
	case !canPay:
		c.add("wallet", checkAdvice, "The wallet cannot pay for another interview, so the link takes nobody now. Ask an admin to top it up.")
	case of.Status == study.Draft && len(wallets) > 1:
		c.add("wallet", checkAdvice, "Choose the wallet that pays.")
	default:
		c.add("wallet", checkOK, "The wallet can pay for interviews.")
	}
	return nil
}
