package fieldwork

import (
	"context"
	"slices"
	"time"

	"verbatim/internal/interview"
	"verbatim/internal/response"
	"verbatim/internal/store"
	"verbatim/internal/translation"
)

// Start opens an interview on a live study and gives the token that continues it. To call it is to say that the
// participant was told that an AI moderates and agreed to begin; both are stored. query is the raw query of the study
// link, language one of the front's or empty for the question language.
//
// Errors: study.ErrNotFound, ErrUnknownLanguage, and ErrNotTakingParticipants where the study's wallet pays for no more.
func (s *Service) Start(ctx context.Context, linkID, query, language string) (token string, view View, err error) {
	return s.StartFrom(ctx, nil, linkID, query, language)
}

// StartFrom is Start for somebody whose networks are known, the narrowest first: the start counts in each of them, and each has
// so many times the pace of a household; without any it is not counted. Beside the errors of Start: *TooManyStartsError.
func (s *Service) StartFrom(ctx context.Context, from []store.Network, linkID, query, language string) (token string, view View, err error) {
	live, ed, err := s.live(ctx, linkID)
	if err != nil {
		return "", View{}, err
	}
	if language == "" {
		language = ed.languages()[0]
	} else if !slices.Contains(ed.languages(), language) {
		return "", View{}, ErrUnknownLanguage
	}
	if wait, err := s.Store.View().StartWait(ctx, live.ID, from, s.Starts); err != nil || wait > 0 {
		return "", View{}, tooFast(wait, err)
	}
	r := response.Response{
		OrgID: live.OrgID, StudyID: live.ID, Revision: live.PublishedRevision,
		Seed: newSeed(), Language: language, URLParams: keptParams(query),
	}
	token = newToken(s.Store.Now())
	id, hash, err := readToken(token)
	if err != nil {
		return "", View{}, err
	}
	r.ID = id
	it := &run{edition: ed, response: r, hash: hash, state: ed.plan.Begin(r.Seed, r.URLParams)}
	if it.words, err = s.wording(ctx, ed, editionKey{studyID: r.StudyID, revision: r.Revision}, language); err != nil {
		return "", View{}, err
	}
	var updatedAt *time.Time
	var readableID *int
	err = s.withRoom(ctx, live.OrgID, live.ID, func() error {
		return s.Store.Write(ctx, func(tx *store.Tx) error {
			if wait, err := tx.CountStart(ctx, live.ID, from, s.Starts); err != nil || wait > 0 {
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
			updatedAt, err = s.settle(ctx, tx, it)
			return err
		})
	})
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
	*edition
	response response.Response
	hash     string // of its token
	turns    []interview.Turn
	state    *interview.State
	words    wording // what the participant reads

	held *store.ActiveHold // where it ends: what is held for it; nil: nothing
}

func (it *run) view() View {
	step := it.state.Next()
	if it.words.guide != it.guide {
		step = translation.Show(step, it.words.guide)
	}
	return View{Response: it.response, Guide: it.words.guide, Step: step, TextLanguage: it.words.language}
}
