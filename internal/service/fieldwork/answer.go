package fieldwork

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/strictjson"
	"verbatim/internal/domain/translation"
	"verbatim/internal/platform/store"
)

// Current tells where an interview stands. When a follow-up is due, because the process died between an answer and its
// follow-up, it is found now. response.ErrNotFound for an unknown token, response.ErrGone once the response is deleted.
func (s *Service) Current(ctx context.Context, token string) (View, error) {
	it, err := s.read(ctx, token)
	if err != nil {
		return View{}, err
	}
	view, err := s.resolve(ctx, token, it)
	if err == nil {
		s.remember(it)
	}
	return view, err
}

// Answer takes the participant's answer to a step and gives the step after it. The step answered last may be sent
// again, with whatever body: the first answer stands and the same step comes back.
//
// Errors: *interview.AnswerError when the answer does not fit, *StaleStepError for any other step than the current one,
// ErrNotTakingParticipants when the interview was abandoned and no credits can be held for it again, and those of
// Current. With an error nothing was stored.
func (s *Service) Answer(ctx context.Context, token, stepID string, answer interview.Answer) (View, error) {
	it := s.recall(ctx, token)
	for yields, unsure := 0, 0; ; it = nil {
		remembered := it != nil
		if !remembered {
			var err error
			if it, err = s.read(ctx, token); err != nil {
				return View{}, err
			}
		}
		step := it.state.Next()
		if step.ID != stepID || step.Ended() || step.Kind == interview.StepProbe {
			if remembered {
				continue // what is remembered may be old
			}
			view, err := s.resolve(ctx, token, it)
			if err == nil && it.lastAnswered() != stepID {
				err = &StaleStepError{view}
			}
			return view, err
		}
		if err := s.nameFiles(ctx, it.response.ID, stepID, &answer); err != nil {
			if _, refused := errors.AsType[*interview.AnswerError](err); refused && remembered {
				continue
			}
			return View{}, err
		}
		turn, err := it.state.Apply(interview.Submit{StepID: stepID, Answer: answer}, time.Time{})
		if err != nil {
			if remembered {
				continue
			}
			return View{}, err
		}
		entries := []entry{{turn: turn}}
		if s.Synchronous && it.state.Next().Kind == interview.StepProbe {
			probe, err := s.applyProbe(ctx, it, turn)
			if err != nil {
				return View{}, err
			}
			entries = append(entries, probe)
		}
		switch err := s.commit(ctx, it, entries...); {
		case errors.Is(err, response.ErrMoved):
			continue // the log only grows, so this ends
		case store.Unsure(err) && unsure < maxUnsure: // what is stored says whether it was
			unsure++
			continue
		case errors.Is(err, ErrNotTakingParticipants) && yields < maxYields: // its own credits went to somebody else
			again, roomErr := s.makeRoom(ctx, it.response.OrgID, it.response.StudyID)
			if roomErr != nil {
				return View{}, roomErr
			}
			if !again {
				return View{}, err
			}
			yields++
			continue
		case err != nil:
			return View{}, err
		}
		view, err := s.resolve(ctx, token, it)
		if err == nil {
			s.remember(it)
		}
		return view, err
	}
}

// maxUnsure is how often an answer is sent again whose commit broke off, so that nobody knows whether it was stored.
const maxUnsure = 2

// lastAnswered is the step of the participant's last turn; empty before the first.
func (it *run) lastAnswered() string {
	for i := len(it.turns) - 1; i >= 0; i-- {
		if byParticipant(it.turns[i].Kind) {
			return it.turns[i].StepID
		}
	}
	return ""
}

// read brings an interview to where its stored log ends.
func (s *Service) read(ctx context.Context, token string) (*run, error) {
	id, hash, err := readToken(token)
	if err != nil {
		return nil, err
	}
	r, stored, turns, err := s.Store.View().Interview(ctx, id)
	if err != nil {
		return nil, err
	}
	if !sameHash(stored, hash) {
		return nil, response.ErrNotFound
	}
	return s.replay(ctx, r, hash, turns)
}

// replay brings an interview to where a log ends.
func (s *Service) replay(ctx context.Context, r response.Response, hash string, turns []interview.Turn) (*run, error) {
	compiled, err := s.compiledGuide(ctx, r.OrgID, r.StudyID, r.Revision)
	if err != nil {
		return nil, err
	}
	state, err := compiled.plan.Replay(r.Seed, r.URLParams, turns)
	if err != nil {
		return nil, err
	}
	words, err := s.localizedGuide(ctx, compiled, compiledGuideKey{studyID: r.StudyID, revision: r.Revision}, r.Language)
	if err != nil {
		return nil, err
	}
	return &run{compiledGuide: compiled, response: r, hash: hash, turns: turns, state: state, words: words}, nil
}

// resolve has the moderator asked while a follow-up is due, and its words stored, or that it has none. Where another request
// was faster, its words stand. it is where the interview stands afterwards.
func (s *Service) resolve(ctx context.Context, token string, it *run) (View, error) {
	for it.state.Next().Kind == interview.StepProbe {
		var err error
		if s.Synchronous {
			var decided entry
			if decided, err = s.applyProbe(ctx, it); err == nil {
				err = s.commit(ctx, it, decided)
			}
		} else {
			err = s.asking.once(ctx, it.response.ID, func(ctx context.Context) error { return s.askOnce(ctx, token) })
		}
		if err == nil && it.state.Next().Kind == interview.StepProbe {
			err = response.ErrMoved // by somebody else
		}
		if errors.Is(err, response.ErrMoved) {
			var fresh *run
			if fresh, err = s.read(ctx, token); err == nil {
				*it = *fresh
			}
		}
		if err != nil {
			return View{}, err
		}
	}
	return it.view(), nil
}

// entry is a turn that the state has taken and the log has not, with the decision behind it where it is the moderator's.
type entry struct {
	turn     interview.Turn
	decision *interview.Decision
}

// applyProbe asks the moderator and lets the state take what it said. unstored are the turns that the state has taken and
// the log has not.
func (s *Service) applyProbe(ctx context.Context, it *run, unstored ...interview.Turn) (entry, error) {
	decision := s.decide(ctx, s.Moderator, it, unstored)
	if err := ctx.Err(); err != nil {
		return entry{}, err // the participant left; a moderator that was cut off has not declined
	}
	return it.take(decision)
}

// take lets the state take what a moderator said.
func (it *run) take(decision interview.Decision) (entry, error) {
	step := it.state.Next()
	var in interview.Input = interview.Decline{StepID: step.ID}
	if decision.Words != "" {
		in = interview.Probe{StepID: step.ID, Words: decision.Words}
	}
	turn, err := it.state.Apply(in, time.Time{})
	if err != nil {
		return entry{}, err
	}
	turn.Provider, turn.Decided = decision.Source(), true
	return entry{turn, &decision}, nil
}

// probeWithin is the longest that a moderator may take.
func (s *Service) probeWithin() time.Duration { return cmp.Or(s.ProbeWithin, 20*time.Second) }

// decide asks a moderator once.
func (s *Service) decide(ctx context.Context, by Moderator, it *run, unstored []interview.Turn) interview.Decision {
	ctx, cancel := context.WithTimeout(ctx, s.probeWithin())
	defer cancel()
	in := it.ask(it.state.Next(), unstored)
	if !s.Synchronous {
		id, after := it.response.ID, it.lastAnswered()
		in.Words = func(soFar string) { s.subscribers.writing(id, Words{After: after, Text: strictjson.CleanText(soFar)}) }
		defer s.subscribers.written(id)
	}
	decision := by.Decide(ctx, in)
	decision.Words, decision.Model = strictjson.CleanText(decision.Words), strictjson.CleanText(decision.Model)
	if isBlank(decision.Words) {
		decision.Words, decision.Kind = "", ""
	}
	return decision
}

// ask gathers what the moderator should know at a step of kind StepProbe.
func (it *run) ask(step interview.Step, unstored []interview.Turn) interview.Ask {
	r := &it.response
	in := interview.Ask{
		Guide: it.guide, Item: step.Item, Concept: step.Concept, Language: r.Language, Seed: r.Seed, Exchanges: it.state.Exchanges(),
		FollowUps: step.FollowUps, Left: step.Item.FollowUp.Limit() - step.FollowUps, OrgID: r.OrgID, StudyID: r.StudyID, ResponseID: r.ID,
	}
	conceptID := ""
	if step.Concept != nil {
		conceptID = step.Concept.ID
	}
	var replies []string
	for _, turn := range slices.Concat(it.turns, unstored) {
		switch {
		case turn.Kind == interview.TurnProbe:
			in.Asked = append(in.Asked, turn.Probe)
		case byParticipant(turn.Kind) && turn.ItemID == step.Item.ID && turn.ConceptID == conceptID:
			replies = append(replies, turn.Answer.Text)
		}
	}
	if last := len(replies) - 1; last >= 0 {
		in.Earlier, in.Answer = replies[:last], replies[last]
	}
	if it.words.guide != it.guide {
		in = translation.Ask(in, it.words.guide)
	}
	return in
}
