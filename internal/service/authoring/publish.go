package authoring

import (
	"context"
	"errors"
	"strconv"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/outage"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// LaunchVersion launches a draft with one version of its working copy, or publishes that version of a live study: participants who begin
// from then on get it. The errors are those of Launch; study.ErrConflict also where there is a newer version.
func (s *Service) LaunchVersion(ctx context.Context, caller org.Caller, studyID, walletID string, version int) (live Launched, err error) {
	defer operation.Wrap(&err, "authoring.LaunchVersion")
	of, err := s.Store.View().Study(ctx, caller.OrgID, studyID)
	if err != nil {
		return Launched{}, err
	}
	if of.Status != study.Draft && of.Status != study.Closed {
		return s.publishEdits(ctx, caller, of, walletID, version)
	}
	_, _, err = s.launch(ctx, caller, studyID, walletID, version, org.IdempotencyKey{}, func(l Launched) []byte {
		live = l
		return nil
	})
	return live, err
}

func (s *Service) publishEdits(ctx context.Context, caller org.Caller, seen study.Study, walletID string, version int) (live Launched, err error) {
	languages, err := s.translationTargets(ctx, seen)
	if err != nil {
		return Launched{}, err
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		now, err := tx.Study(ctx, seen.OrgID, seen.ID)
		if err != nil {
			return err
		}
		if _, err := s.payingWallet(ctx, &tx.View, now, walletID); err != nil {
			return err
		}
		if err := checkVersion(ctx, tx, now, version); err != nil {
			return err
		}
		if now.PublishedRevision != now.Revision {
			published, err := tx.PublishRevision(ctx, seen.ID, seen.Revision)
			if err == nil && !published {
				err = study.ErrConflict
			}
			if err == nil {
				err = enqueueTranslations(ctx, tx, seen, languages)
			}
			if err == nil {
				err = audit(ctx, tx, caller, org.AuditPublished, now.LinkID, map[string]string{"version": strconv.Itoa(version)})
			}
			if err != nil {
				return err
			}
		}
		if live.Study, err = tx.Study(ctx, seen.OrgID, seen.ID); err != nil || live.Study.WalletID == "" {
			return err
		}
		paying, err := tx.Wallet(ctx, live.Study.WalletID)
		live.Wallet = &paying
		return err
	})
	if errors.Is(err, outage.ErrBusy) {
		err = study.ErrBusy
	}
	return live, err
}

// CloseStudy is Close by a member of the organization, with an entry in the audit log; study.ErrNotFound, study.ErrNotLaunched.
func (s *Service) CloseStudy(ctx context.Context, caller org.Caller, of study.Study) (closed study.Study, err error) {
	defer operation.Wrap(&err, "authoring.CloseStudy")
	return s.setStatus(ctx, of, study.Closed, func(tx *store.Tx) error { return audit(ctx, tx, caller, org.AuditClosed, of.LinkID, nil) })
}

// PauseStudy is Pause by a member of the organization, with an entry in the audit log.
func (s *Service) PauseStudy(ctx context.Context, caller org.Caller, of study.Study) (paused study.Study, err error) {
	defer operation.Wrap(&err, "authoring.PauseStudy")
	return s.setStatus(ctx, of, study.Paused, func(tx *store.Tx) error { return audit(ctx, tx, caller, org.AuditPaused, of.LinkID, nil) })
}

// ReopenStudy is Reopen by a member of the organization, with an entry in the audit log.
func (s *Service) ReopenStudy(ctx context.Context, caller org.Caller, of study.Study) (live study.Study, err error) {
	defer operation.Wrap(&err, "authoring.ReopenStudy")
	return s.setStatus(ctx, of, study.Live, func(tx *store.Tx) error { return audit(ctx, tx, caller, org.AuditReopened, of.LinkID, nil) })
}

// Check is one thing that was looked at before a launch.
type Check struct {
	Code     string
	Severity string // error, advice or ok
	Message  string
	Pointer  string // into the guide; empty: none
	ItemID   string
}

// PayingWallet is a wallet that a study may be billed to.
type PayingWallet struct {
	wallet.Wallet
	CanPay bool // at least for one interview
}

// LaunchCheck lists the checks before a launch, and who can pay for it.
type LaunchCheck struct {
	Draft    Draft
	Checks   []Check
	Wallets  []PayingWallet
	WalletID string // the one that pays where there is no choice
	Price    wallet.Credits
	Params   []string // link parameters that conditions of the guide ask for
}

// Ready reports whether nothing stands in the way.
func (c *LaunchCheck) Ready() bool {
	for i := range c.Checks {
		if c.Checks[i].Severity == checkError {
			return false
		}
	}
	return true
}

const (
	checkError  = "error"
	checkAdvice = "advice"
	checkOK     = "ok"
)
