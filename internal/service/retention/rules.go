package retention

import (
	"context"
	"errors"
	"strconv"
	"time"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/erasure"
)

// Service keeps the rules and carries them out.
type Service struct {
	Store   *store.Store
	Objects erasure.Objects // nil if there are no recordings
	Erasure *erasure.Service
}

// Rules are the rules of an organization.
type Rules struct {
	Organization org.RetentionRule // zero but for its OrgID: none
	Studies      []StudyRule
	Receipts     []Receipt // the latest
}

// StudyRule is the rule of a study.
type StudyRule struct {
	org.RetentionRule
	LinkID, Title string
}

// Receipt is a receipt with the names of its study.
type Receipt struct {
	org.RetentionReceipt
	LinkID, Title string
}

// shownReceipts limits the receipts of Rules.
const shownReceipts = 20

// Rules returns the rules of an organization; org.ErrNotFound.
func (s *Service) Rules(ctx context.Context, orgID string) (r Rules, err error) {
	defer operation.Wrap(&err, "retention.Rules")
	view := s.Store.View()
	if _, err := view.Org(ctx, orgID); err != nil {
		return Rules{}, err
	}
	r.Organization.OrgID = orgID
	all, err := view.RetentionRules(ctx, orgID)
	if err != nil {
		return Rules{}, err
	}
	for _, rule := range all {
		if rule.StudyID == "" {
			r.Organization = rule
			continue
		}
		st, err := view.AnyStudy(ctx, rule.StudyID)
		if err != nil {
			return Rules{}, err
		}
		r.Studies = append(r.Studies, StudyRule{rule, st.LinkID, st.Title})
	}
	receipts, err := view.RetentionReceipts(ctx, orgID, shownReceipts)
	for _, receipt := range receipts {
		st, err := view.AnyStudy(ctx, receipt.StudyID)
		if err != nil {
			return Rules{}, err
		}
		r.Receipts = append(r.Receipts, Receipt{receipt, st.LinkID, st.Title})
	}
	return r, err
}

// Set stores a rule of the caller's organization, or of one of its studies where studyRef is not empty; study.ErrNotFound, org.ErrNotFound, and
// the errors of org.Retention.Check. A rule that deletes more than the one before takes effect after org.RetentionGrace, and until then nothing
// is deleted by it. Whoever calls it checks that the caller may; the operator has no UserID.
func (s *Service) Set(ctx context.Context, caller org.Caller, studyRef string, wanted org.Retention) (rule org.RetentionRule, err error) {
	defer operation.Wrap(&err, "retention.Set")
	if err := wanted.Check(); err != nil {
		return rule, err
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		subject, studyID, err := named(ctx, &tx.View, caller.OrgID, studyRef)
		if err != nil {
			return err
		}
		before, err := inForce(ctx, &tx.View, caller.OrgID, studyID)
		if err != nil {
			return err
		}
		rule = org.RetentionRule{Retention: wanted, OrgID: caller.OrgID, StudyID: studyID, ChangedBy: caller.UserID, ChangedAt: tx.Now()}
		rule.EffectiveAt = effective(wanted, before, tx.Now())
		if err := tx.SaveRetentionRule(ctx, rule); err != nil {
			return err
		}
		return tx.Audit(ctx, org.AuditEntry{OrgID: caller.OrgID, UserID: caller.UserID, Action: org.AuditRetentionChanged, Subject: subject, Detail: detail(rule)})
	})
	return rule, err
}

// Remove removes the rule of a study, so that its organization's holds, after the grace time where that deletes more; study.ErrNotFound,
// org.ErrNoRetention.
func (s *Service) Remove(ctx context.Context, caller org.Caller, studyRef string) (err error) {
	defer operation.Wrap(&err, "retention.Remove")
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		subject, studyID, err := named(ctx, &tx.View, caller.OrgID, studyRef)
		if err != nil {
			return err
		}
		before, err := tx.RetentionRule(ctx, caller.OrgID, studyID)
		if err != nil {
			return err
		}
		if err := tx.RemoveRetentionRule(ctx, caller.OrgID, studyID); err != nil {
			return err
		}
		general, err := tx.RetentionRule(ctx, caller.OrgID, "")
		if err != nil && !errors.Is(err, org.ErrNoRetention) {
			return err
		}
		if at := effective(general.Retention, before, tx.Now()); err == nil && at.After(general.EffectiveAt) && general.DeletesMore(before.Retention) {
			general.EffectiveAt, general.ChangedBy = at, caller.UserID
			if err := tx.SaveRetentionRule(ctx, general); err != nil {
				return err
			}
		}
		return tx.Audit(ctx, org.AuditEntry{OrgID: caller.OrgID, UserID: caller.UserID, Action: org.AuditRetentionRemoved, Subject: subject})
	})
}

// named returns the id of a study of an organization, which is empty for the organization itself, and how the audit log names it.
func named(ctx context.Context, view *store.View, orgID, studyRef string) (subject, studyID string, err error) {
	if studyRef == "" {
		_, err := view.Org(ctx, orgID)
		return "", "", err
	}
	var st study.Study
	if st, err = view.StudyByRef(ctx, orgID, studyRef); err != nil {
		return "", "", err
	}
	return st.LinkID, st.ID, nil
}

// inForce returns the rule that holds for a study, or with an empty id for the organization. Without any it deletes nothing. A legal hold of
// the organization holds for its studies as well.
func inForce(ctx context.Context, view *store.View, orgID, studyID string) (org.RetentionRule, error) {
	rule, err := view.RetentionRule(ctx, orgID, studyID)
	if errors.Is(err, org.ErrNoRetention) && studyID != "" {
		rule, err = view.RetentionRule(ctx, orgID, "")
	}
	if errors.Is(err, org.ErrNoRetention) {
		err = nil
	}
	return rule, err
}

// effective returns when a rule takes effect that replaces another one now.
func effective(wanted org.Retention, before org.RetentionRule, now time.Time) time.Time {
	switch {
	case wanted.DeletesMore(before.Retention):
		return now.Add(org.RetentionGrace)
	case before.EffectiveAt.After(now):
		return before.EffectiveAt
	}
	return now
}

// detail describes a rule for the audit log.
func detail(r org.RetentionRule) map[string]string {
	days := func(n int) string {
		if n == 0 {
			return "kept"
		}
		return strconv.Itoa(n) + " days"
	}
	d := map[string]string{"recordings": days(r.RecordingDays), "responses": days(r.ResponseDays), "transcripts": "kept", "from": r.EffectiveAt.Format(time.RFC3339)}
	if r.DropTranscripts {
		d["transcripts"] = "deleted"
	}
	if r.LegalHold {
		d["legal hold"] = "on"
	}
	return d
}
