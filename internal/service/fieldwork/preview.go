package fieldwork

import (
	"context"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"

	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/signing"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// A preview is an interview that a researcher takes on the participants' own pages, to see what they will see. It is kept in a table of its
// own, so that no list, count, charge, analysis or export can meet it, and it is removed a day after its last answer. The built-in
// moderator asks its follow-ups: a preview costs nothing. Quotas, dates and credits do not apply to it.

const (
	// PreviewParam is the parameter of a study link that makes it the link of a preview.
	PreviewParam = "_preview"
	// previewPrefix begins the tokens of previews.
	previewPrefix = "preview-"
	// PreviewLife is how long a preview is kept after its last answer.
	PreviewLife = 24 * time.Hour

	previewPurpose = "preview"
)

// PreviewValue returns the value of PreviewParam for a study, valid until a time.
func PreviewValue(ring signing.Ring, studyID string, until, now time.Time) string {
	end := strconv.FormatInt(until.Unix(), 10)
	return end + "." + ring.Sign(previewPurpose, studyID+"\n"+end, now)
}

// MaxPreviewDays bounds how long the link of a preview works.
const MaxPreviewDays = 60

// PreviewLink returns a link that leads through a study's preview for some days, and when it stops working.
func PreviewLink(base string, of study.Study, ring signing.Ring, now time.Time, days int) (link string, until time.Time) {
	until = now.AddDate(0, 0, min(days, MaxPreviewDays))
	query := url.Values{PreviewParam: {PreviewValue(ring, of.ID, until, now)}}
	return base + "/s/" + url.PathEscape(of.LinkID) + "?" + query.Encode(), until
}

// MakePreviewLink is PreviewLink for a member of the organization, with an entry in the audit log.
func (s *Service) MakePreviewLink(ctx context.Context, caller org.Caller, of study.Study, base string, days int) (link string, until time.Time, err error) {
	defer operation.Wrap(&err, "fieldwork.MakePreviewLink")
	link, until = PreviewLink(base, of, s.Ring(), s.Store.Now(), days)
	return link, until, s.Store.Write(ctx, func(tx *store.Tx) error {
		return tx.Audit(ctx, org.AuditEntry{
			OrgID: caller.OrgID, UserID: caller.UserID, Action: org.AuditPreviewLinkMade, Subject: of.LinkID, Detail: map[string]string{"days": strconv.Itoa(days)},
		})
	})
}

// checkPreview reports whether a link's query asks for a preview of the study. study.ErrNotFound if its signature is not valid (any more):
// who follows an old link must not take part by mistake.
func (s *Service) checkPreview(studyID, query string) (asked bool, err error) {
	if !strings.Contains(query, PreviewParam) {
		return false, nil
	}
	values, _ := url.ParseQuery(query) // what could be read of it
	if !values.Has(PreviewParam) {
		return false, nil
	}
	end, signature, _ := strings.Cut(values.Get(PreviewParam), ".")
	until, err := strconv.ParseInt(end, 10, 64)
	now := s.Store.Now()
	if err != nil || s.Ring == nil || now.Unix() >= until || !s.Ring().Verify(previewPurpose, studyID+"\n"+end, signature, now) {
		return false, study.ErrNotFound
	}
	return true, nil
}

// IsPreview reports whether a token is that of a preview.
func IsPreview(token string) bool { return strings.HasPrefix(token, previewPrefix) }

// beginPreview begins a preview. Errors: ErrUnknownLanguage, *TooManyStartsError.
func (s *Service) beginPreview(ctx context.Context, landing Landing, b StartRequest) (token string, view View, err error) {
	language, err := chosenLanguage(landing.compiled.Guide, b.Language)
	if err != nil {
		return "", View{}, err
	}
	r := response.Response{
		OrgID: landing.OrgID, StudyID: landing.study.ID, Revision: landing.compiled.Revision, Seed: newSeed(),
		Language: language, URLParams: paramMap(b.Query), Progress: response.InProgress,
	}
	token = newToken(s.Store.Now())
	id, hash, err := parseToken(token)
	if err != nil {
		return "", View{}, err
	}
	r.ID = id
	sess, err := s.session(ctx, landing.compiled.Begin(r), hash)
	if err != nil {
		return "", View{}, err
	}
	sess.preview = true
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		if wait, err := tx.CountStart(ctx, r.StudyID, b.From, s.Starts); err != nil || wait > 0 {
			return startError(wait, err)
		}
		return tx.StartPreview(ctx, r, hash)
	})
	if err != nil {
		return "", View{}, err
	}
	return previewPrefix + token, sess.view(), nil
}

// readPreview loads a preview and replays it; response.ErrNotFound.
func (s *Service) readPreview(ctx context.Context, token string) (*session, error) {
	id, hash, err := parseToken(strings.TrimPrefix(token, previewPrefix))
	if err != nil {
		return nil, err
	}
	r, stored, turns, err := s.Store.View().Preview(ctx, id)
	if err == nil && !sameHash(stored, hash) {
		err = response.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	sess, err := s.replay(ctx, r, hash, turns)
	if err == nil {
		sess.preview = true
	}
	return sess, err
}

// answerPreview is Answer for a preview.
func (s *Service) answerPreview(ctx context.Context, token, stepID string, answer interview.Answer) (View, error) {
	for {
		sess, err := s.readPreview(ctx, token)
		if err != nil {
			return View{}, err
		}
		if step := sess.State.Next(); step.ID != stepID || step.Ended() {
			if sess.lastAnsweredStep() != stepID {
				return View{}, &StaleStepError{sess.view()}
			}
			return sess.view(), nil
		}
		turn, err := sess.State.Apply(interview.Submit{StepID: stepID, Answer: answer}, time.Time{})
		if err != nil {
			return View{}, err
		}
		turns := append(sess.Turns, turn)
		if sess.State.Next().Kind == interview.StepProbe {
			asked, err := sess.applyDecision(s.decide(ctx, s.previewModerator(), sess, turns[len(turns)-1:]))
			if err != nil {
				return View{}, err
			}
			turns = append(turns, asked.turn)
		}
		switch err := s.Store.Write(ctx, func(tx *store.Tx) error { return tx.SavePreview(ctx, sess.Response, turns) }); {
		case errors.Is(err, response.ErrMoved):
			continue // the log only grows, so this ends
		case err != nil:
			return View{}, err
		}
		sess.Turns = turns
		return sess.view(), nil
	}
}

// previewModerator returns a moderator that costs nothing.
func (s *Service) previewModerator() Moderator {
	if s.Fallback != nil {
		return s.Fallback
	}
	return s.Moderator
}

// withdrawPreview removes a preview.
func (s *Service) withdrawPreview(ctx context.Context, token string) error {
	sess, err := s.readPreview(ctx, token)
	if err != nil {
		return err
	}
	return s.Store.Write(ctx, func(tx *store.Tx) error { return tx.DeletePreview(ctx, sess.Response.ID) })
}

// forgetPreviews removes previews that nobody goes on with.
func (s *Service) forgetPreviews(ctx context.Context) error {
	before := s.Store.Now().Add(-PreviewLife)
	stale, err := s.Store.View().StalePreviews(ctx, before)
	if err != nil || !stale {
		return err
	}
	return s.Store.Write(ctx, func(tx *store.Tx) error { return tx.PrunePreviews(ctx, before) })
}
