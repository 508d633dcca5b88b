package authoring

import (
	"context"
	"errors"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/outage"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/translation"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/domain/workingcopy"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/jobs"
	"verbatim/internal/service/webhooks"
)

// Launched is a live study and the wallet that it is billed to; Wallet is nil without wallet billing.
type Launched struct {
	Study  study.Study
	Wallet *wallet.Wallet
}

// Launch publishes a draft and bills it to the given wallet, or to the only one granted. It returns the result of render, which
// is saved for repeats of the same request; replayed reports whether this is such a repeat. A live study is left unchanged and
// returns the same result. The checks come in this order, each with its error: study.ErrNotFound; study.ErrLaunchDenied;
// wallet.ErrAccessDenied or wallet.ErrRequired; wallet.ErrInsufficient; study.ErrOtherWallet, study.ErrClosed, study.ErrPaused,
// study.ErrConflict if the study was edited during the launch, workingcopy.ErrProblems if its working copy has errors, study.ErrBusy if
// another change is in progress, org.ErrKeyReused.
func (s *Service) Launch(ctx context.Context, caller org.Caller, studyID, walletID string, key org.IdempotencyKey, render func(Launched) []byte) (answer []byte, replayed bool, err error) {
	defer operation.Wrap(&err, "authoring.Launch")
	return s.launch(ctx, caller, studyID, walletID, anyVersion, key, render)
}

// anyVersion launches whichever version of the working copy is the newest.
const anyVersion = 0

// launch is Launch of one version of the working copy: study.ErrConflict if it is not the newest.
func (s *Service) launch(ctx context.Context, caller org.Caller, studyID, walletID string, version int, key org.IdempotencyKey, render func(Launched) []byte) (answer []byte, replayed bool, err error) {
	seen, err := s.findLaunchable(ctx, caller, studyID)
	if err != nil {
		return nil, false, err
	}
	languages, err := s.targetLanguages(ctx, seen)
	if err != nil {
		return nil, false, err
	}
	if _, err := s.payingWallet(ctx, s.Store.View(), seen, walletID); err != nil {
		return nil, false, err
	}
	if s.BeforePublish != nil {
		s.BeforePublish()
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		if answer, replayed, err = tx.IdempotentResult(ctx, key); err != nil || replayed {
			return err
		}
		live, err := s.publish(ctx, tx, caller, seen, walletID, version, languages)
		if err != nil {
			return err
		}
		answer = render(live)
		return tx.SaveIdempotentResult(ctx, key, answer)
	})
	if errors.Is(err, outage.ErrBusy) {
		return nil, false, study.ErrBusy
	}
	return answer, replayed, err
}

// findLaunchable returns a study that the caller may launch. Link ids are not accepted.
func (s *Service) findLaunchable(ctx context.Context, caller org.Caller, studyID string) (study.Study, error) {
	if !study.IsUUID(studyID) {
		return study.Study{}, study.ErrNotFound
	}
	view := s.Store.View()
	found, err := view.StudyByRef(ctx, caller.OrgID, studyID)
	if err != nil {
		return study.Study{}, err
	}
	granted, err := view.HasStudyGrant(ctx, found.ID, caller.UserID, org.StartRecruitment)
	if err != nil {
		return study.Study{}, err
	}
	if !study.MayLaunch(found, caller, granted) {
		return study.Study{}, study.ErrLaunchDenied
	}
	return found, nil
}

// payingWallet returns the id of the wallet that a launch is billed to, or "" without wallet billing. A live study keeps its
// wallet and needs no further credits.
func (s *Service) payingWallet(ctx context.Context, view *store.View, of study.Study, asked string) (string, error) {
	live := of.Status != study.Draft
	if live && (asked == "" || asked == of.WalletID) {
		return of.WalletID, nil
	}
	granted, err := view.Grants(ctx, of.OrgID)
	if err != nil {
		return "", err
	}
	chosen, err := wallet.Choose(granted, asked)
	switch {
	case err != nil:
		return "", err
	case live:
		return "", study.ErrOtherWallet
	case chosen == "":
		return "", nil
	}
	return chosen, view.CanFund(ctx, chosen, of.OrgID, s.Price)
}

// targetLanguages returns the languages into which a draft is translated when it is published; none for a live study.
func (s *Service) targetLanguages(ctx context.Context, of study.Study) ([]string, error) {
	if of.Status != study.Draft {
		return nil, nil
	}
	return s.translationTargets(ctx, of)
}

func (s *Service) translationTargets(ctx context.Context, of study.Study) ([]string, error) {
	targets, err := s.derive(ctx, of, "targets", func(g *guide.Guide) (any, int) {
		languages := translation.Targets(g)
		return languages, 64 * len(languages)
	})
	if err != nil {
		return nil, err
	}
	return targets.([]string), nil
}

// publish checks the wallet again, now inside the transaction, and the working copy, publishes the revision that was read, and enqueues
// its translations.
func (s *Service) publish(ctx context.Context, tx *store.Tx, caller org.Caller, seen study.Study, asked string, version int, languages []string) (Launched, error) {
	now, err := tx.Study(ctx, seen.OrgID, seen.ID)
	if err != nil {
		return Launched{}, err
	}
	payer, err := s.payingWallet(ctx, &tx.View, now, asked)
	if err != nil {
		return Launched{}, err
	}
	switch now.Status {
	case study.Closed:
		return Launched{}, study.ErrClosed
	case study.Paused:
		return Launched{}, study.ErrPaused
	}
	if now.Status != study.Live {
		if err := checkVersion(ctx, tx, now, version); err != nil {
			return Launched{}, err
		}
		if err := tx.Publish(ctx, seen, payer); err != nil {
			return Launched{}, err
		}
		if err := enqueueTranslations(ctx, tx, seen, languages); err != nil {
			return Launched{}, err
		}
		if err := webhooks.EmitStudy(ctx, tx, now, study.Live); err != nil {
			return Launched{}, err
		}
		if err := audit(ctx, tx, caller, org.AuditLaunched, now.LinkID, nil); err != nil {
			return Launched{}, err
		}
		if now, err = tx.Study(ctx, seen.OrgID, seen.ID); err != nil {
			return Launched{}, err
		}
	}
	live := Launched{Study: now}
	if payer != "" {
		paying, err := tx.Wallet(ctx, payer)
		if err != nil {
			return Launched{}, err
		}
		live.Wallet = &paying
	}
	return live, nil
}

// checkVersion checks that the newest version of the working copy has no errors, and is the given one unless that is anyVersion:
// study.ErrConflict, workingcopy.ErrProblems.
func checkVersion(ctx context.Context, tx *store.Tx, of study.Study, version int) error {
	now, _, err := newest(ctx, &tx.View, of)
	switch {
	case err != nil:
		return err
	case version != anyVersion && version != now.Number:
		return study.ErrConflict
	case !now.Valid:
		return workingcopy.ErrProblems
	}
	return nil
}

func enqueueTranslations(ctx context.Context, tx *store.Tx, of study.Study, languages []string) error {
	for _, language := range languages {
		work := jobs.TranslateArgs{StudyID: of.ID, Revision: of.Revision, Language: language, OrgID: of.OrgID}
		if err := jobs.Enqueue(ctx, tx, work); err != nil {
			return err
		}
	}
	return nil
}

// audit adds an entry about a study to the audit log.
func audit(ctx context.Context, tx *store.Tx, caller org.Caller, action, linkID string, detail map[string]string) error {
	return tx.Audit(ctx, org.AuditEntry{OrgID: caller.OrgID, UserID: caller.UserID, Action: action, Subject: linkID, Detail: detail})
}
