package retention

import (
	"context"
	"time"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// Amount counts what a run deletes in a study: whole responses, and responses of which only recordings, and transcripts with them, are deleted.
type Amount struct{ Responses, Recordings int }

// Preview counts what the rules of an organization will delete.
type Preview struct {
	EffectiveAt time.Time // when the first run can delete something
	Studies     []StudyPreview
}

// StudyPreview counts what will be deleted in a study: by the first run, and by all runs of the 7 and 30 days after it, if nobody answers
// meanwhile.
type StudyPreview struct {
	ID, LinkID, Title string
	Held              bool // a legal hold keeps everything
	Own               bool // the study has a rule of its own
	First             Amount
	Week, Month       Amount
}

// Preview returns what the rules of an organization will delete. proposed is a rule that is not stored yet, of the study studyRef or, where it is
// empty, of the organization; nil: the rules are those that are stored. study.ErrNotFound, org.ErrNotFound, and the errors of
// org.Retention.Check. Studies in which nothing would be deleted within the month are left out, except held ones.
func (s *Service) Preview(ctx context.Context, orgID, studyRef string, proposed *org.Retention) (p Preview, err error) {
	defer operation.Wrap(&err, "retention.Preview")
	view := s.Store.View()
	_, only, err := named(ctx, view, orgID, studyRef)
	if err != nil {
		return Preview{}, err
	}
	rules, err := rulesOf(ctx, view, orgID)
	if err != nil {
		return Preview{}, err
	}
	now := s.Store.Now()
	if proposed != nil {
		if err := proposed.Check(); err != nil {
			return Preview{}, err
		}
		before := rules.of(only)
		rules[only] = org.RetentionRule{Retention: *proposed, OrgID: orgID, StudyID: only, EffectiveAt: effective(*proposed, before, now)}
	}
	p.EffectiveAt = later(rules.of(only).EffectiveAt, now)
	studies, err := view.RetentionStudies(ctx, orgID)
	if err != nil {
		return Preview{}, err
	}
	for _, st := range studies {
		if only != "" && st.ID != only {
			continue
		}
		one, err := previewOf(ctx, view, st, rules, now)
		if err != nil {
			return Preview{}, err
		}
		if one.Held || one.Month != (Amount{}) {
			p.Studies = append(p.Studies, one)
		}
	}
	return p, nil
}

func previewOf(ctx context.Context, view *store.View, st study.Study, rules ruleSet, now time.Time) (one StudyPreview, err error) {
	rule := rules.of(st.ID)
	_, own := rules[st.ID]
	one = StudyPreview{ID: st.ID, LinkID: st.LinkID, Title: st.Title, Own: own, Held: rule.LegalHold}
	first := later(rule.EffectiveAt, now)
	for _, run := range []struct {
		to    *Amount
		after time.Duration
	}{{&one.First, 0}, {&one.Week, 7 * 24 * time.Hour}, {&one.Month, 30 * 24 * time.Hour}} {
		recordings, responses := rule.Cutoffs(first.Add(run.after))
		if run.to.Responses, run.to.Recordings, err = view.CountDue(ctx, st.ID, responses, recordings, rule.DropTranscripts); err != nil {
			return one, err
		}
	}
	return one, nil
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// ruleSet holds the rules of an organization by study; its own has no id.
type ruleSet map[string]org.RetentionRule

func rulesOf(ctx context.Context, view *store.View, orgID string) (ruleSet, error) {
	all, err := view.RetentionRules(ctx, orgID)
	set := ruleSet{}
	for _, rule := range all {
		set[rule.StudyID] = rule
	}
	return set, err
}

// of returns the rule that holds for a study. A legal hold of the organization holds for all of its studies.
func (s ruleSet) of(studyID string) org.RetentionRule {
	rule, own := s[studyID]
	if !own {
		rule = s[""]
	}
	rule.LegalHold = rule.LegalHold || s[""].LegalHold
	return rule
}
