package fieldwork

import (
	"context"
	"errors"
	"sync"
	"time"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/signing"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/interviewlog"
)

// Moderator decides whether to ask a follow-up that is due, and in which words.
type Moderator interface {
	Decide(ctx context.Context, in interview.Ask) interview.Decision
}

// Service runs interviews. Set the exported fields and share one value.
type Service struct {
	Store            *store.Store
	Moderator        Moderator
	Fallback         Moderator       // decides when the server that asked Moderator has died; costs nothing. nil: Moderator
	Synchronous      bool            // Moderator makes no external calls: its words are stored with the answer, in one commit
	Price            wallet.Credits  // of a completed response; 0: one credit
	AbandonAfter     time.Duration   // inactivity after which an interview is abandoned; 0: 24 hours
	UnansweredAfter  time.Duration   // the same before the first answer; 0: DefaultUnansweredAfter
	Starts           store.StartRate // limits the starts of one network in one study; zero: no limit
	ProbeWithin      time.Duration   // timeout for a follow-up, which then counts as declined; 0: 20 seconds
	TranslateAnswers bool            // translate finished interviews into the study's language if they were held in another
	MaxSubscribers   int             // on this node at once; 0: DefaultSubscribers
	Watch            func(Event)     // called after an event is stored; may be nil

	Processors Processors // services outside of this one, which participants are told of

	// Ring returns the keys that sign the links of previews. nil: there are none.
	Ring func() signing.Ring

	// Interviews loads the interviews. The zero value is ready for use; other services of the process may share it.
	Interviews interviewlog.Loader

	subscribers subscribers
	asking      asking
	recent      recent
	salts       sync.Map // salts of studies with panels, by study
}

// Defaults that limit interviews which are started and never answered.
const (
	// DefaultUnansweredAfter is how long an interview without any answer holds credits.
	DefaultUnansweredAfter = 10 * time.Minute
	// DefaultStartsAtOnce and DefaultStartsPerHour limit the starts of one network in one study. Two school classes behind one
	// address can begin at once, but one machine cannot use up a wallet of a hundred credits.
	DefaultStartsAtOnce  = 60
	DefaultStartsPerHour = 120
)

// Event is something that happened in an interview. It does not identify the interview.
type Event string

// The events.
const (
	Started     Event = "started"
	Answered    Event = "answered" // a question or a follow-up
	Completed   Event = "completed"
	ScreenedOut Event = "screened_out"
	Abandoned   Event = "abandoned"
	Withdrawn   Event = "withdrawn"
)

func (s *Service) notify(e Event) {
	if s.Watch != nil {
		s.Watch(e)
	}
}

// notifyEnd reports the end of an interview to Watch if step is an end.
func (s *Service) notifyEnd(step interview.Step) {
	switch step.Kind {
	case interview.StepComplete:
		s.notify(Completed)
	case interview.StepScreenedOut:
		s.notify(ScreenedOut)
	}
}

// Errors of this package, beside study.ErrNotFound, response.ErrNotFound, response.ErrGone and *interview.AnswerError.
var (
	ErrNotTakingParticipants = errors.New("the study's wallet has no credits for another response")
	ErrUnknownLanguage       = errors.New("the study is not offered in this language")
	ErrStartKey              = errors.New("the idempotency key of the start is too short or too long")
)

// TooManyStartsError means that one network starts interviews of a study faster than it may.
type TooManyStartsError struct {
	Wait time.Duration // until the next start is allowed
}

// Error implements error.
func (*TooManyStartsError) Error() string {
	return "too many interviews of this study were started from one network"
}

// StaleStepError means that an answer names a step that the interview has left or never had.
type StaleStepError struct {
	View View // the current step; Answered is the answer that stands to the step that was named
}

// Error implements error.
func (*StaleStepError) Error() string { return interview.ErrStaleStep.Error() }

// Is reports whether target is interview.ErrStaleStep.
func (*StaleStepError) Is(target error) bool { return target == interview.ErrStaleStep }

// Landing describes a live study before an interview begins.
type Landing struct {
	OrgID               string
	LinkID              string // the current one, even if an older one was used
	Guide               *guide.Guide
	Languages           []string // offered: the question language, then the others whose texts are translated and shown
	Accepted            []string // the question language, then all others that a link may ask for by name
	AcceptsParticipants bool     // credits for another response can be held now; see also Service.Admits
	Preview             bool     // the link is that of a preview: what its interview leaves is no response

	Minutes guide.Minutes // that the interview takes; zero where the author does not want it shown

	TextLanguage string // language of the guide's texts: the question language, unless Service.In changed it

	Processors Processors

	study    study.Study
	compiled *interviewlog.CompiledGuide
}

// View is an interview as its participant sees it.
type View struct {
	Response response.Response
	Guide    *guide.Guide // the interview's revision, in the participant's language
	Step     interview.Step

	TextLanguage string // of the guide's texts: the participant's if they are translated, else the study's
	Preview      bool   // nothing of the interview becomes part of the results
	Exit         Exit   // at the end, in a study with a panel
	Support      string // the author's message to a participant whose last answer speaks of distress; empty: nothing to show

	Conversation []interview.AnsweredStep // what was said so far about the question that is open
	Answered     *interview.AnsweredStep  // with the answer that stands: the step answered last; of Answer, the one that was named. nil: none

	Superseded bool // of Answer: the step had been answered before, with something else that stands
	Unfunded   bool // of Current: no credits can be held for the interview again, so an answer would be refused with ErrNotTakingParticipants
}

// Study is Visit for a link without a query.
func (s *Service) Study(ctx context.Context, linkID string) (_ Landing, err error) {
	defer operation.Wrap(&err, "fieldwork.Study")
	return s.Visit(ctx, linkID, "")
}

// Visit returns the study that takes participants at a current or former link id, or a study in any state if the link's query holds the
// signature of a preview; study.ErrNotFound. See Admits for whether it takes participants now.
func (s *Service) Visit(ctx context.Context, linkID, query string) (_ Landing, err error) {
	defer operation.Wrap(&err, "fieldwork.Visit")
	landing, err := s.visit(ctx, linkID, query)
	if err != nil || landing.Preview {
		return landing, err
	}
	if !landing.Guide.Config.HideDuration {
		landing.Minutes = landing.compiled.Minutes
	}
	if landing.AcceptsParticipants, err = s.canHold(ctx, landing.study); err != nil {
		return Landing{}, err
	}
	if landing.Languages, err = s.offered(ctx, landing.compiled); err != nil {
		return Landing{}, err
	}
	return landing, nil
}

// canHold reports whether credits for another response of a study can be held now.
func (s *Service) canHold(ctx context.Context, of study.Study) (bool, error) {
	if of.WalletID == "" {
		return true, nil
	}
	err := s.Store.View().CanFund(ctx, of.WalletID, of.OrgID, s.price())
	switch {
	case errors.Is(err, wallet.ErrInsufficient):
		return s.canYield(ctx, of.WalletID, of.OrgID)
	case unfunded(err):
		return false, nil
	}
	return err == nil, err
}

// Brand returns the brand of an organization.
func (s *Service) Brand(ctx context.Context, orgID string) (_ org.Brand, err error) {
	defer operation.Wrap(&err, "fieldwork.Brand")
	o, err := s.Store.View().Org(ctx, orgID)
	return o.Brand, err
}

// visit is Visit without the check of credits.
func (s *Service) visit(ctx context.Context, linkID, query string) (Landing, error) {
	found, err := s.Store.View().PublicStudy(ctx, linkID)
	if err != nil {
		return Landing{}, err
	}
	preview, err := s.checkPreview(found.ID, query)
	if err != nil {
		return Landing{}, err
	}
	revision := found.PublishedRevision
	switch {
	case preview && found.Status == study.Draft:
		revision = found.Revision
	case preview, found.Status == study.Live, found.Status == study.Paused:
	default:
		return Landing{}, study.ErrNotFound
	}
	compiled, err := s.Interviews.CompiledGuide(ctx, s.Store.View(), found.OrgID, found.ID, revision)
	if err != nil {
		return Landing{}, err
	}
	landing := s.landing(found, compiled)
	landing.Preview = preview
	return landing, nil
}

// landing returns the landing of a revision of a study.
func (s *Service) landing(of study.Study, compiled *interviewlog.CompiledGuide) Landing {
	all := languages(compiled.Guide)
	return Landing{
		OrgID: of.OrgID, LinkID: of.LinkID, Guide: compiled.Guide, Languages: all, Accepted: languages(compiled.Guide), TextLanguage: all[0],
		AcceptsParticipants: true, Processors: s.Processors, study: of, compiled: compiled,
	}
}

func (s *Service) price() wallet.Credits {
	if s.Price == 0 {
		return wallet.Credit
	}
	return s.Price
}

// unfunded reports whether err means that the study's wallet cannot pay for another response.
func unfunded(err error) bool {
	return errors.Is(err, wallet.ErrInsufficient) || errors.Is(err, wallet.ErrAccessDenied)
}
