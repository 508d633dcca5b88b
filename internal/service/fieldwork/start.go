package fieldwork

import (
	"context"
	"errors"
	"slices"
	"time"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/translation"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/interviewlog"
)

// Start begins an interview on a live study and returns the token that continues it. Call it only after the participant was
// informed that an AI moderates and agreed to begin: both facts are stored. query is the raw query of the study link; language is
// one of Landing.Languages, or empty for the question language.
//
// Errors: study.ErrNotFound, ErrUnknownLanguage, ErrNotTakingParticipants if the study's wallet cannot pay for another
// response, and the errors of Admits.
func (s *Service) Start(ctx context.Context, linkID, query, language string) (token string, view View, err error) {
	defer operation.Wrap(&err, "fieldwork.Start")
	return s.Begin(ctx, StartRequest{LinkID: linkID, Query: query, Language: language})
}

// StartRequest is a request to begin an interview.
type StartRequest struct {
	LinkID   string
	Query    string // the raw query of the study link
	Language string // one of Landing.Languages; empty: the question language

	// Key is an idempotency key that the participant's page makes. A request repeated under the same key within
	// store.StartKeyLife returns the same interview. Anyone with the key can get the interview's token, so it must be hard to
	// guess: MinStartKey to MaxStartKey bytes long. Empty: each request begins a new interview.
	Key string

	// From lists the participant's networks, the narrowest first. The start counts in each of them, and each allows its
	// multiple (Times) of one household's limit. Empty: the start is not counted.
	From []response.Network

	// Consent is the text that the participant has agreed to; nil: the study asks for none.
	Consent *response.Consent
}

// Bounds of Beginning.Key, in bytes.
const (
	MinStartKey = 16
	MaxStartKey = 128
)

// Begin is Start with the participant's networks and an idempotency key. Beside the errors of Start it returns
// *TooManyStartsError, ErrStartKey, ErrLink, *ParticipatedError, and response.ErrGone if the interview begun under the key has been deleted.
func (s *Service) Begin(ctx context.Context, b StartRequest) (token string, view View, err error) {
	defer operation.Wrap(&err, "fieldwork.Begin")
	if b.Key != "" && (len(b.Key) < MinStartKey || len(b.Key) > MaxStartKey) {
		return "", View{}, ErrStartKey
	}
	landing, err := s.visit(ctx, b.LinkID, b.Query)
	if err != nil {
		return "", View{}, err
	}
	if landing.Preview {
		return s.beginPreview(ctx, landing, b)
	}
	live, compiled := landing.study, landing.compiled
	if token, view, found, err := s.findStarted(ctx, live.ID, b.Key); err != nil || found {
		return token, view, err
	}
	entrant, err := s.admit(ctx, live, compiled.Guide.Config.Panel, b.Query)
	if err != nil {
		return "", View{}, err
	}
	if token, view, found, err := s.resume(ctx, entrant); err != nil || found {
		return token, view, err
	}
	if err := s.checkOpen(live, compiled.Guide); err != nil {
		return "", View{}, err
	}
	language, err := chosenLanguage(compiled.Guide, b.Language)
	if err != nil {
		return "", View{}, err
	}
	if wait, err := s.Store.View().StartWait(ctx, live.ID, b.From, s.Starts); err != nil || wait > 0 {
		return "", View{}, startError(wait, err)
	}
	r := response.Response{
		OrgID: live.OrgID, StudyID: live.ID, Revision: live.PublishedRevision,
		Seed: newSeed(), Language: language, URLParams: paramMap(b.Query),
	}
	key := newStartKey(live.ID, b.Key)
	token = newToken(s.Store.Now())
	switch {
	case entrant.anywhere(): // a repeated start finds the interview by the participant
		token = entrant.key(key.salt).token(s.Store.Now())
		key.key = ""
	case key.isSet():
		token = key.token(s.Store.Now())
	}
	id, hash, err := parseToken(token)
	if err != nil {
		return "", View{}, err
	}
	r.ID = id
	sess, err := s.session(ctx, compiled.Begin(r), hash)
	if err != nil {
		return "", View{}, err
	}
	var updatedAt *time.Time
	var readableID *int
	err = s.withReclaim(ctx, live.OrgID, live.ID, func() error {
		return s.Store.Write(ctx, func(tx *store.Tx) error {
			if err := key.store(ctx, tx, id); err != nil {
				return err
			}
			if wait, err := tx.CountStart(ctx, live.ID, b.From, s.Starts); err != nil || wait > 0 {
				return startError(wait, err)
			}
			if err := entrant.claim(ctx, tx, id, key.salt); err != nil {
				return err
			}
			started := r
			started.DisclosedAt, started.ConsentedAt = tx.Now(), tx.Now()
			var err error
			if started, readableID, err = tx.StartInterview(ctx, started, hash); err != nil {
				return err
			}
			if err := b.give(ctx, tx, &started); err != nil {
				return err
			}
			if err := s.hold(ctx, tx, &started, live.WalletID); err != nil {
				return err
			}
			sess.Response = started
			if err := takeFirstPlaces(ctx, tx, sess); err != nil {
				return err
			}
			if sess.State.Next().Ended() { // the guide has no items
				if err := sess.findHold(ctx, tx); err != nil {
					return err
				}
			}
			updatedAt, err = s.saveProgress(ctx, tx, sess)
			return err
		})
	})
	if errors.Is(err, errAlreadyStarted) {
		token, view, _, err = s.findStarted(ctx, live.ID, b.Key)
		return token, view, err
	}
	if _, participated := errors.AsType[*ParticipatedError](err); participated {
		if token, view, found, resumeErr := s.resume(ctx, entrant); resumeErr != nil || found {
			return token, view, resumeErr // another request was faster
		}
	}
	if err != nil {
		return "", View{}, err
	}
	sess.Response.ReadableID, sess.Response.UpdatedAt = *readableID, *updatedAt
	s.saveRecent(sess)
	s.notify(Started)
	s.notifyEnd(sess.State.Next())
	return token, sess.view(), nil
}

// chosenLanguage returns the language of an interview that a participant asked for; "" asks for the question language. ErrUnknownLanguage.
func chosenLanguage(g *guide.Guide, asked string) (string, error) {
	if asked == "" {
		return translation.From(g), nil
	}
	if !slices.Contains(languages(g), asked) {
		return "", ErrUnknownLanguage
	}
	return asked, nil
}

// startError returns err if it is set, else the error of a start that has to wait.
func startError(wait time.Duration, err error) error {
	if err != nil {
		return err
	}
	return &TooManyStartsError{Wait: wait}
}

// session is one interview while it is worked on: as it was read, and advanced since.
type session struct {
	interviewlog.Interview
	hash      string                      // of the token
	preview   bool                        // it is no response, see preview.go
	localized interviewlog.LocalizedGuide // the guide in the participant's language

	cells      []guide.CellRef   // in which it needs a place, as the session was read
	activeHold *store.ActiveHold // set when the interview ends; nil: nothing is held
	departure  departure         // set when the interview ends
}

// session returns the session of an interview.
func (s *Service) session(ctx context.Context, iv interviewlog.Interview, hash string) (*session, error) {
	localized, err := s.Interviews.Localize(ctx, s.Store.View(), iv.CompiledGuide, iv.Response.Language)
	if err != nil {
		return nil, err
	}
	sess := &session{Interview: iv, hash: hash, localized: localized}
	sess.cells = sess.neededCells()
	return sess, sess.setDeparture(ctx, s.Store.View())
}

func (sess *session) view() View {
	view := View{
		Response: sess.Response, Guide: sess.localized.Guide, Step: sess.localize(interview.AnsweredStep{Step: sess.State.Next()}).Step,
		TextLanguage: sess.localized.Language, Support: sess.support(), Conversation: sess.State.Conversation(),
		Preview: sess.preview, Exit: sess.departure.exit,
	}
	for i := range view.Conversation {
		view.Conversation[i] = sess.localize(view.Conversation[i])
	}
	if last, found := sess.State.LastAnswered(); found {
		last = sess.localize(last)
		view.Answered = &last
	}
	return view
}

// localize returns a step in the participant's language.
func (sess *session) localize(step interview.AnsweredStep) interview.AnsweredStep {
	if sess.localized.Guide != sess.Guide {
		step.Step = translation.Show(step.Step, sess.localized.Guide)
	}
	return step
}
