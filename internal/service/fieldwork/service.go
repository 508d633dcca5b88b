package fieldwork

import (
	"context"
	"errors"
	"time"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/response"
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

	// Interviews loads the interviews. The zero value is ready for use; other services of the process may share it.
	Interviews interviewlog.Loader

	subscribers subscribers
	asking      asking
	recent      recent
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
	View View // the current step
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
	AcceptsParticipants bool     // credits for another response can be held now

	TextLanguage string // language of the guide's texts: the question language, unless Service.In changed it

	compiled *interviewlog.CompiledGuide
}

// View is an interview as its participant sees it.
type View struct {
	Response response.Response
	Guide    *guide.Guide // the interview's revision, in the participant's language
	Step     interview.Step

	TextLanguage string // of the guide's texts: the participant's if they are translated, else the study's
	Support      string // the author's message to a participant whose last answer speaks of distress; empty: nothing to show
}

// Study returns the live study with the given current or former link id; study.ErrNotFound.
func (s *Service) Study(ctx context.Context, linkID string) (_ Landing, err error) {
	defer operation.Wrap(&err, "fieldwork.Study")
	live, compiled, err := s.live(ctx, linkID)
	if err != nil {
		return Landing{}, err
	}
	offered, err := s.offered(ctx, compiled)
	if err != nil {
		return Landing{}, err
	}
	landing := Landing{OrgID: live.OrgID, LinkID: live.LinkID, Guide: compiled.Guide, Languages: offered, Accepted: languages(compiled.Guide), AcceptsParticipants: true}
	landing.TextLanguage, landing.compiled = landing.Languages[0], compiled
	if live.WalletID != "" {
		err := s.Store.View().CanFund(ctx, live.WalletID, live.OrgID, s.price())
		switch {
		case err == nil:
		case errors.Is(err, wallet.ErrInsufficient):
			landing.AcceptsParticipants, err = s.canYield(ctx, live.WalletID, live.OrgID)
		case unfunded(err):
			landing.AcceptsParticipants, err = false, nil
		}
		if err != nil {
			return Landing{}, err
		}
	}
	return landing, nil
}

// Brand returns the brand of an organization.
func (s *Service) Brand(ctx context.Context, orgID string) (_ org.Brand, err error) {
	defer operation.Wrap(&err, "fieldwork.Brand")
	o, err := s.Store.View().Org(ctx, orgID)
	return o.Brand, err
}

// live returns a live study and its published revision; study.ErrNotFound.
func (s *Service) live(ctx context.Context, linkID string) (study.Study, *interviewlog.CompiledGuide, error) {
	live, err := s.Store.View().PublicStudy(ctx, linkID)
	if err == nil && live.Status != study.Live {
		err = study.ErrNotFound
	}
	if err != nil {
		return study.Study{}, nil, err
	}
	compiled, err := s.Interviews.CompiledGuide(ctx, s.Store.View(), live.OrgID, live.ID, live.PublishedRevision)
	return live, compiled, err
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
