package fieldwork

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/masking"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/strictjson"
	"verbatim/internal/domain/translation"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// Current returns the current state of an interview. If a follow-up is due, because the process died between an answer and its
// follow-up, it is resolved now. response.ErrNotFound for an unknown token, response.ErrGone once the response is deleted.
func (s *Service) Current(ctx context.Context, token string) (_ View, err error) {
	defer operation.Wrap(&err, "fieldwork.Current")
	if IsPreview(token) {
		sess, err := s.readPreview(ctx, token)
		if err != nil {
			return View{}, err
		}
		return sess.view(), nil
	}
	sess, err := s.read(ctx, token)
	if err != nil {
		return View{}, err
	}
	view, err := s.resolve(ctx, token, sess)
	if err != nil {
		return View{}, err
	}
	s.saveRecent(sess)
	if view.Response.Abandoned && !view.Step.Ended() {
		billed, err := s.Store.View().Study(ctx, view.Response.OrgID, view.Response.StudyID)
		if err != nil {
			return View{}, err
		}
		funded, err := s.canHold(ctx, billed)
		if err != nil {
			return View{}, err
		}
		view.Unfunded = !funded
	}
	return view, nil
}

// Answer applies the participant's answer to a step and returns the step after it. The step answered last may be sent again,
// with any body: the first answer is kept and the same next step is returned; View.Superseded says that the body was another answer.
//
// Errors: *interview.AnswerError if the answer does not fit, *StaleStepError for any step but the current one,
// ErrNotTakingParticipants if the interview was abandoned and no credits can be held for it again, and the errors of Current.
// On error nothing was stored.
func (s *Service) Answer(ctx context.Context, token, stepID string, answer interview.Answer) (_ View, err error) {
	defer operation.Wrap(&err, "fieldwork.Answer")
	if IsPreview(token) {
		return s.answerPreview(ctx, token, stepID, answer)
	}
	sess := s.recentSession(ctx, token)
	for yields, unsure := 0, 0; ; sess = nil {
		cached := sess != nil
		if !cached {
			var err error
			if sess, err = s.read(ctx, token); err != nil {
				return View{}, err
			}
		}
		step := sess.State.Next()
		if step.ID != stepID || step.Ended() || step.Kind == interview.StepProbe {
			if cached {
				continue // the cached session may be old
			}
			return s.repeated(ctx, token, sess, stepID, &answer)
		}
		if err := s.setFileNames(ctx, sess.Response.ID, stepID, &answer); err != nil {
			if _, refused := errors.AsType[*interview.AnswerError](err); refused && cached {
				continue
			}
			return View{}, err
		}
		turn, err := sess.State.Apply(interview.Submit{StepID: stepID, Answer: answer}, time.Time{})
		if err != nil {
			if cached {
				continue
			}
			return View{}, err
		}
		entries := []entry{{turn: turn}}
		if s.Synchronous && sess.State.Next().Kind == interview.StepProbe {
			probe, err := s.applyProbe(ctx, sess, turn)
			if err != nil {
				return View{}, err
			}
			entries = append(entries, probe)
		}
		switch err := s.commit(ctx, sess, entries...); {
		case errors.Is(err, response.ErrMoved):
			continue // the log only grows, so this ends
		case store.MayBeCommitted(err) && unsure < maxUnsure: // read the log to learn whether the commit succeeded
			unsure++
			continue
		case errors.Is(err, ErrNotTakingParticipants) && yields < maxYields: // its hold went to another interview
			again, reclaimErr := s.reclaimHold(ctx, sess.Response.OrgID, sess.Response.StudyID)
			if reclaimErr != nil {
				return View{}, reclaimErr
			}
			if !again {
				return View{}, err
			}
			yields++
			continue
		case err != nil:
			return View{}, err
		}
		view, err := s.resolve(ctx, token, sess)
		if err == nil {
			s.saveRecent(sess)
		}
		return view, err
	}
}

// repeated returns the result of an answer to a step that is not the current one.
func (s *Service) repeated(ctx context.Context, token string, sess *session, stepID string, answer *interview.Answer) (View, error) {
	view, err := s.resolve(ctx, token, sess)
	if err != nil {
		return View{}, err
	}
	view.Answered = nil
	if stands, found := sess.State.Answered(stepID); found {
		stands = sess.localize(stands)
		view.Answered, view.Superseded = &stands, !stands.Answer.Same(answer)
	}
	if sess.lastAnsweredStep() != stepID {
		return View{}, &StaleStepError{view}
	}
	return view, nil
}

// maxUnsure limits how often an answer is retried after a commit whose outcome is unknown because the connection broke.
const maxUnsure = 2

// lastAnsweredStep returns the step of the participant's last turn, or "" before the first.
func (sess *session) lastAnsweredStep() string {
	for i := len(sess.Turns) - 1; i >= 0; i-- {
		if byParticipant(sess.Turns[i].Kind) {
			return sess.Turns[i].StepID
		}
	}
	return ""
}

// read loads an interview from the store and replays it.
func (s *Service) read(ctx context.Context, token string) (*session, error) {
	id, hash, err := parseToken(token)
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

// replay rebuilds an interview from its log.
func (s *Service) replay(ctx context.Context, r response.Response, hash string, turns []interview.Turn) (*session, error) {
	compiled, err := s.Interviews.CompiledGuide(ctx, s.Store.View(), r.OrgID, r.StudyID, r.Revision)
	if err != nil {
		return nil, err
	}
	iv, err := compiled.Replay(r, turns)
	if err != nil {
		return nil, err
	}
	return s.session(ctx, iv, hash)
}

// resolve asks the moderator while a follow-up is due, and stores its words or that it declined. If another request was faster,
// that request's words are kept. Afterwards sess is at the current step.
func (s *Service) resolve(ctx context.Context, token string, sess *session) (View, error) {
	for sess.State.Next().Kind == interview.StepProbe {
		var err error
		if s.Synchronous {
			var decided entry
			if decided, err = s.applyProbe(ctx, sess); err == nil {
				err = s.commit(ctx, sess, decided)
			}
		} else {
			err = s.asking.once(ctx, sess.Response.ID, func(ctx context.Context) error { return s.askOnce(ctx, token) })
		}
		if err == nil && sess.State.Next().Kind == interview.StepProbe {
			err = response.ErrMoved // another request appended the turn
		}
		if errors.Is(err, response.ErrMoved) {
			var latest *session
			if latest, err = s.read(ctx, token); err == nil {
				*sess = *latest
			}
		}
		if err != nil {
			return View{}, err
		}
	}
	return sess.view(), nil
}

// entry is a turn that was applied to the state but is not in the log yet, with the decision behind it if it is the
// moderator's.
type entry struct {
	turn     interview.Turn
	decision *interview.Decision
}

// applyProbe asks the moderator and applies its decision to the state. pending are turns already applied but not in the log
// yet.
func (s *Service) applyProbe(ctx context.Context, sess *session, pending ...interview.Turn) (entry, error) {
	decision := s.decide(ctx, s.Moderator, sess, pending)
	if err := ctx.Err(); err != nil {
		return entry{}, err // the participant left; a canceled moderator has not declined
	}
	return sess.applyDecision(decision)
}

// applyDecision applies a moderator's decision to the state.
func (sess *session) applyDecision(decision interview.Decision) (entry, error) {
	step := sess.State.Next()
	var in interview.Input = interview.Decline{StepID: step.ID}
	if decision.Words != "" {
		in = interview.Probe{StepID: step.ID, Words: decision.Words}
	}
	turn, err := sess.State.Apply(in, time.Time{})
	if err != nil {
		return entry{}, err
	}
	turn.Provider, turn.Decided = decision.Source(), true
	return entry{turn, &decision}, nil
}

// probeWithin returns the timeout for a moderator's decision.
func (s *Service) probeWithin() time.Duration { return cmp.Or(s.ProbeWithin, 20*time.Second) }

// decide asks a moderator once.
func (s *Service) decide(ctx context.Context, by Moderator, sess *session, pending []interview.Turn) interview.Decision {
	ctx, cancel := context.WithTimeout(ctx, s.probeWithin())
	defer cancel()
	in := sess.ask(sess.State.Next(), pending)
	if !s.Synchronous {
		id, after := sess.Response.ID, sess.lastAnsweredStep()
		in.Words = func(soFar string) {
			s.subscribers.publishWords(id, Words{After: after, Text: strictjson.CleanText(soFar)})
		}
		defer s.subscribers.clearWords(id)
	}
	decision := by.Decide(ctx, in)
	decision.Words, decision.Model = strictjson.CleanText(decision.Words), strictjson.CleanText(decision.Model)
	if isBlank(decision.Words) {
		decision.Words, decision.Kind = "", ""
	}
	return decision
}

// ask builds the moderator's input at a step of kind StepProbe.
func (sess *session) ask(step interview.Step, pending []interview.Turn) interview.Ask {
	r := &sess.Response
	in := interview.Ask{
		Guide: sess.Guide, Item: step.Item, Concept: step.Concept, Language: r.Language, Seed: r.Seed, Exchanges: sess.State.Exchanges(),
		FollowUps: step.FollowUps, Left: step.Item.FollowUp.Limit() - step.FollowUps, OrgID: r.OrgID, StudyID: r.StudyID, ResponseID: r.ID,
		Private: masking.PrivateValues(r.URLParams),
	}
	conceptID := ""
	if step.Concept != nil {
		conceptID = step.Concept.ID
	}
	var replies []string
	for _, turn := range slices.Concat(sess.Turns, pending) {
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
	if sess.localized.Guide != sess.Guide {
		in = translation.Ask(in, sess.localized.Guide)
	}
	return in
}
