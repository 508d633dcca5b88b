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
	"verbatim/internal/platform/memo"
	"verbatim/internal/platform/store"
)

// Moderator decides about a follow-up that is due: its words, or none.
type Moderator interface {
	Decide(ctx context.Context, in interview.Ask) interview.Decision
}

// Service is the work of the participant's door. Fill in the fields above the line and share one value.
type Service struct {
	Store            *store.Store
	Moderator        Moderator
	Fallback         Moderator       // decides in the place of a server that asked Moderator and died; it costs nothing. nil: Moderator
	Synchronous      bool            // Moderator waits for nothing outside: its words are stored with the answer, in one commit
	Price            wallet.Credits  // of a completed response; 0: one credit
	AbandonAfter     time.Duration   // silence after which an interview is abandoned; 0: 24 hours
	UnansweredAfter  time.Duration   // the same for one without any answer yet; 0: DefaultUnansweredAfter
	Starts           store.StartPace // of one network in one study; zero: not bounded
	ProbeWithin      time.Duration   // longest wait for a follow-up, which then counts as declined; 0: 20 seconds
	TranslateAnswers bool            // interviews in other languages than the study's are translated into it afterwards
	MaxSubscribers   int             // who may follow interviews on this node at once; 0: DefaultFollowers
	Watch            func(Event)     // told of what happened once it is stored; nil: nobody

	compiledGuides memo.Cache[compiledGuideKey, *compiledGuide]
	subscribers    subscribers
	asking         asking
	recent         recent
}

// Defaults against strangers who start interviews that nobody takes.
const (
	// DefaultUnansweredAfter is how long an interview that was begun holds credits without any answer.
	DefaultUnansweredAfter = 10 * time.Minute
	// DefaultStartsAtOnce and DefaultStartsPerHour bound the starts of one network in one study: two classes of a school behind one
	// address begin at once, and a wallet of a hundred credits is not taken by one machine.
	DefaultStartsAtOnce  = 60
	DefaultStartsPerHour = 120
)

// Event is something that happened in some interview; it does not say in which.
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

func (s *Service) tell(e Event) {
	if s.Watch != nil {
		s.Watch(e)
	}
}

// tellEnd tells of the end of an interview, if this is where it stands.
func (s *Service) tellEnd(step interview.Step) {
	switch step.Kind {
	case interview.StepComplete:
		s.tell(Completed)
	case interview.StepScreenedOut:
		s.tell(ScreenedOut)
	}
}

// Errors of fieldwork, beside study.ErrNotFound, response.ErrNotFound, response.ErrGone and *interview.AnswerError.
var (
	ErrNotTakingParticipants = errors.New("no credits can be held for another response")
	ErrUnknownLanguage       = errors.New("the study is not offered in this language")
	ErrBeginKey              = errors.New("the key of the begin is too short or too long")
)

// TooManyStartsError says that interviews of a study are started from one network faster than they may be.
type TooManyStartsError struct {
	Wait time.Duration // until the next may be
}

// Error implements error.
func (*TooManyStartsError) Error() string {
	return "too many interviews of this study are started from one network"
}

// StaleStepError says that an answer came for a step that the interview has left, or for none that it ever had.
type StaleStepError struct {
	View View // where the interview stands
}

// Error implements error.
func (*StaleStepError) Error() string { return interview.ErrStaleStep.Error() }

// Is tells that this is interview.ErrStaleStep.
func (*StaleStepError) Is(target error) bool { return target == interview.ErrStaleStep }

// Front is what is shown of a live study before an interview begins.
type Landing struct {
	OrgID     string
	LinkID    string // the current one, whichever led here
	Guide     *guide.Guide
	Languages []string // the question language, then the others offered
	Taking    bool     // whether credits for another response can be held now

	TextLanguage string // of the guide's texts: the question language, see Service.In

	compiled *compiledGuide
	key      compiledGuideKey
}

// View is an interview as its participant sees it.
type View struct {
	Response response.Response
	Guide    *guide.Guide // the revision that it runs on, in the participant's words
	Step     interview.Step

	TextLanguage string // of the guide's texts: the participant's, where they are translated, or the study's
}

// Study finds a live study by any link id that it has or had; study.ErrNotFound.
func (s *Service) Study(ctx context.Context, linkID string) (Landing, error) {
	live, compiled, err := s.live(ctx, linkID)
	if err != nil {
		return Landing{}, err
	}
	landing := Landing{OrgID: live.OrgID, LinkID: live.LinkID, Guide: compiled.guide, Languages: compiled.languages(), Taking: true}
	landing.TextLanguage, landing.compiled, landing.key = landing.Languages[0], compiled, compiledGuideKey{studyID: live.ID, revision: live.PublishedRevision}
	if live.WalletID != "" {
		err := s.Store.View().CanFund(ctx, live.WalletID, live.OrgID, s.price())
		switch {
		case err == nil:
		case errors.Is(err, wallet.ErrInsufficient):
			landing.Taking, err = s.canYield(ctx, live.WalletID, live.OrgID)
		case unfunded(err):
			landing.Taking, err = false, nil
		}
		if err != nil {
			return Landing{}, err
		}
	}
	return landing, nil
}

// Brand is how the organization of a front or a response shows itself.
func (s *Service) Brand(ctx context.Context, orgID string) (org.Brand, error) {
	o, err := s.Store.View().Org(ctx, orgID)
	return o.Brand, err
}

// live finds a live study with its published revision.
func (s *Service) live(ctx context.Context, linkID string) (study.Study, *compiledGuide, error) {
	live, err := s.Store.View().PublicStudy(ctx, linkID)
	if err == nil && live.Status != study.Live {
		err = study.ErrNotFound
	}
	if err != nil {
		return study.Study{}, nil, err
	}
	compiled, err := s.compiledGuide(ctx, live.OrgID, live.ID, live.PublishedRevision)
	return live, compiled, err
}

func (s *Service) price() wallet.Credits {
	if s.Price == 0 {
		return wallet.Credit
	}
	return s.Price
}

// unfunded tells whether an error means that the study's wallet does not pay for another response.
func unfunded(err error) bool {
	return errors.Is(err, wallet.ErrInsufficient) || errors.Is(err, wallet.ErrAccessDenied)
}
