package interview

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"verbatim/internal/domain/guide"
)

// State is one interview up to its last turn. It keeps the answers that it is given: neither they nor anything that its
// methods return may be changed afterwards. It is not safe for concurrent use.
type State struct {
	plan   *Plan
	seed   uint64
	params map[string]string

	turns  int       // number of turns so far
	last   time.Time // time of the last turn; zero if the log has none
	ended  StepKind  // how it ended; empty while it runs
	visits []*visit  // in the order opened; the last one is open until the interview ends
	byItem [][]*visit
	asked  int            // number of visits, without those that answered themselves
	full   *guide.CellRef // of the turn that ended it; nil: no quota was full

	at    place            // of the open visit; past the last block at the end
	drawn []*guide.Concept // the concepts of the current block, in this participant's order; a single nil outside concept blocks
}

// Begin starts an interview. The seed decides everything that is drawn for its participant; params are the link's
// parameters.
func (p *Plan) Begin(seed uint64, params map[string]string) *State {
	s := &State{plan: p, seed: seed, params: params, byItem: make([][]*visit, len(p.items)), at: place{block: none}}
	s.advance()
	return s
}

// Replay rebuilds an interview from its log. The turns must come from Apply with the same guide, seed and parameters; the
// error names the first turn that does not fit.
func (p *Plan) Replay(seed uint64, params map[string]string, turns []Turn) (*State, error) {
	s := p.Begin(seed, params)
	for i, turn := range turns {
		if err := s.repeat(turn); err != nil {
			return nil, fmt.Errorf("turn %d (%s, step %q, item %q): %w", i+1, turn.Kind, turn.StepID, turn.ItemID, err)
		}
	}
	return s, nil
}

// repeat applies a logged turn and checks that it fits where the interview stands.
func (s *State) repeat(logged Turn) error {
	var in Input = Submit{logged.StepID, logged.Answer}
	switch logged.Kind {
	case TurnProbe:
		in = Probe{logged.StepID, logged.Probe}
	case TurnDecline:
		in = Decline{logged.StepID}
	}
	turn, err := s.prepare(in)
	switch {
	case err != nil:
		return err
	case turn.Kind != logged.Kind:
		return fmt.Errorf("the interview awaits the turn %s: %w", turn.Kind, ErrNotThisStep)
	case turn.ItemID != logged.ItemID || turn.ConceptID != logged.ConceptID || turn.Screen != logged.Screen:
		return fmt.Errorf("the interview stands at item %q, concept %q, screen %d: %w",
			turn.ItemID, turn.ConceptID, turn.Screen, ErrNotThisStep)
	}
	turn.At, turn.QuotaFull, turn.Consent = logged.At, logged.QuotaFull, logged.Consent
	s.record(turn)
	return nil
}

// Next returns the step at which the interview stands.
func (s *State) Next() Step {
	step := Step{ID: s.stepID(), Kind: s.ended, Progress: s.progress(), QuotaFull: s.full}
	if s.ended != "" {
		return step
	}
	v := s.open()
	progress := step.Progress
	step = v.step(v.awaits(), len(v.answers))
	step.ID, step.Progress = s.stepID(), progress
	return step
}

// Apply applies one input and returns the turn to store. On an error (ErrStaleStep, ErrNotThisStep, ErrNoWords,
// *AnswerError) the state is unchanged.
func (s *State) Apply(in Input, at time.Time) (Turn, error) {
	turn, err := s.prepare(in)
	if err != nil {
		return Turn{}, err
	}
	if issues := checkNew(&turn.Answer); len(issues) > 0 {
		return Turn{}, &AnswerError{issues}
	}
	turn.At = at
	s.record(turn)
	return turn, nil
}

// stepID returns "s" and the number of turns so far: unique within an interview, and the same whenever its log is replayed.
func (s *State) stepID() string { return "s" + strconv.Itoa(s.turns) }

// open returns the visit that is not closed. There is one until the interview ends.
func (s *State) open() *visit { return s.visits[len(s.visits)-1] }

// prepare makes the turn of an input, if the open visit accepts it.
func (s *State) prepare(in Input) (Turn, error) {
	turn := Turn{StepID: s.stepID()}
	if in.stepID() != turn.StepID {
		return Turn{}, ErrStaleStep
	}
	if s.ended != "" {
		return Turn{}, ErrNotThisStep
	}
	v := s.open()
	waits := v.awaits()
	turn.ItemID, turn.ConceptID = v.item.ID, v.conceptID()
	if _, participant := in.(Submit); participant == (waits == StepProbe) {
		return Turn{}, ErrNotThisStep
	}
	switch in := in.(type) {
	case Submit:
		if issues := v.check(waits, &in.Answer); len(issues) > 0 {
			return Turn{}, &AnswerError{issues}
		}
		turn.Answer = in.Answer
		switch waits {
		case StepQuestion:
			turn.Kind = TurnAnswer
			if len(v.screens) > 0 {
				turn.Screen = len(v.answers)
			}
		case StepStatement:
			turn.Kind = TurnContinue
		case StepFollowUp:
			turn.Kind = TurnReply
		}
	case Probe:
		if strings.TrimSpace(in.Words) == "" {
			return Turn{}, ErrNoWords
		}
		turn.Kind, turn.Probe = TurnProbe, in.Words
	case Decline:
		turn.Kind = TurnDecline
	}
	return turn, nil
}

// record adds an accepted turn, and moves on when the turn closes the open visit.
func (s *State) record(turn Turn) {
	v := s.open()
	after := time.Duration(0)
	if !s.last.IsZero() {
		after = max(turn.At.Sub(s.last), 0)
	}
	v.record(turn, after)
	s.last = turn.At
	s.turns++
	switch {
	case turn.QuotaFull != nil:
		s.ended, s.full = StepScreenedOut, turn.QuotaFull
	case v.rejected():
		s.ended = StepScreenedOut
	case v.awaits() == "":
		s.advance()
	}
}
