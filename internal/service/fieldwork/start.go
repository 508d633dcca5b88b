package fieldwork

import (
	"context"
	"errors"
	"slices"
	"time"

	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/translation"
	"verbatim/internal/platform/store"
)

// Start opens an interview on a live study and gives the token that continues it. To call it is to say that the
// participant was told that an AI moderates and agreed to begin; both are stored. query is the raw query of the study
// link, language one of the front's or empty for the question language.
//
// Errors: study.ErrNotFound, ErrUnknownLanguage, and ErrNotTakingParticipants where the study's wallet pays for no more.
func (s *Service) Start(ctx context.Context, linkID, query, language string) (token string, view View, err error) {
	return s.Begin(ctx, Beginning{LinkID: linkID, Query: query, Language: language})
}

// Beginning is the wish to begin an interview.
type Beginning struct {
	LinkID   string
	Query    string // the raw query of the study link
	Language string // one of the front's; empty: the question language

	// Key is made by the participant's page. A begin that is sent again under the key that it had, within store.BeginKeyLife,
	// leads to the same interview. Whoever has the key can have the interview's token, so it must be hard to guess: from
	// MinBeginKey to MaxBeginKey characters. Empty: each begin is an interview of its own.
	Key string

	// From are the participant's networks, the narrowest first: the start counts in each of them, and each has so many times the
	// pace of a household. Empty: it is not counted.
	From []response.Network
}

// How long the key of a begin must and may be, in bytes.
const (
	MinBeginKey = 16
	MaxBeginKey = 128
)

// Begin is Start for somebody whose networks are known, or who may send the begin again. Beside the errors of Start:
// *TooManyStartsError, ErrBeginKey, and response.ErrGone where the interview that was begun under the key was deleted since.
func (s *Service) Begin(ctx context.Context, b Beginning) (token string, view View, err error) {
	if b.Key != "" && (len(b.Key) < MinBeginKey || len(b.Key) > MaxBeginKey) {
		return "", View{}, ErrBeginKey
	}
	live, compiled, err := s.live(ctx, b.LinkID)
	if err != nil {
		return "", View{}, err
	}
	if token, view, found, err := s.begun(ctx, live.ID, b.Key); err != nil || found {
		return token, view, err
	}
	language := b.Language
	if language == "" {
		language = compiled.languages()[0]
	} else if !slices.Contains(compiled.languages(), language) {
		return "", View{}, ErrUnknownLanguage
	}
	if wait, err := s.Store.View().StartWait(ctx, live.ID, b.From, s.Starts); err != nil || wait > 0 {
		return "", View{}, tooFast(wait, err)
	}
	r := response.Response{
		OrgID: live.OrgID, StudyID: live.ID, Revision: live.PublishedRevision,
		Seed: newSeed(), Language: language, URLParams: keptParams(b.Query),
	}
	key := beginKey(live.ID, b.Key)
	token = newToken(s.Store.Now())
	if key.given() {
		token = key.token(s.Store.Now())
	}
	id, hash, err := readToken(token)
	if err != nil {
		return "", View{}, err
	}
	r.ID = id
	it := &run{compiledGuide: compiled, response: r, hash: hash, state: compiled.plan.Begin(r.Seed, r.URLParams)}
	if it.words, err = s.localizedGuide(ctx, compiled, compiledGuideKey{studyID: r.StudyID, revision: r.Revision}, language); err != nil {
		return "", View{}, err
	}
	var updatedAt *time.Time
	var readableID *int
	err = s.withRoom(ctx, live.OrgID, live.ID, func() error {
		return s.Store.Write(ctx, func(tx *store.Tx) error {
			if err := key.keep(ctx, tx, id); err != nil {
				return err
			}
			if wait, err := tx.CountStart(ctx, live.ID, b.From, s.Starts); err != nil || wait > 0 {
				return tooFast(wait, err)
			}
			begun := r
			begun.DisclosedAt, begun.ConsentedAt = tx.Now(), tx.Now()
			var err error
			if begun, readableID, err = tx.StartInterview(ctx, begun, hash); err != nil {
				return err
			}
			if err := s.hold(ctx, tx, &begun, live.WalletID); err != nil {
				return err
			}
			it.response = begun
			if it.state.Next().Ended() { // the guide asks nothing
				if err := it.findHold(ctx, tx); err != nil {
					return err
				}
			}
			updatedAt, err = s.saveProgress(ctx, tx, it)
			return err
		})
	})
	if errors.Is(err, errBegun) {
		token, view, _, err = s.begun(ctx, live.ID, b.Key)
		return token, view, err
	}
	if err != nil {
		return "", View{}, err
	}
	it.response.ReadableID, it.response.UpdatedAt = *readableID, *updatedAt
	s.remember(it)
	s.tell(Started)
	s.tellEnd(it.state.Next())
	return token, it.view(), nil
}

// tooFast is err, or else the error of a start that has to wait.
func tooFast(wait time.Duration, err error) error {
	if err != nil {
		return err
	}
	return &TooManyStartsError{Wait: wait}
}

// run is one interview as it was read, and brought forward since.
type run struct {
	*compiledGuide
	response response.Response
	hash     string // of its token
	turns    []interview.Turn
	state    *interview.State
	words    localizedGuide // what the participant reads

	held *store.ActiveHold // where it ends: what is held for it; nil: nothing
}

func (it *run) view() View {
	step := it.state.Next()
	if it.words.guide != it.guide {
		step = translation.Show(step, it.words.guide)
	}
	return View{Response: it.response, Guide: it.words.guide, Step: step, TextLanguage: it.words.language}
}
