package maintenance

import (
	"context"
	"errors"
	"slices"
	"time"

	"verbatim/internal/domain/guardrail"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/interviewlog"
)

// ModerationReport sums up the moderator's work in a study: what was asked, what came of it, and which violations the guard finds
// in the follow-ups now, whoever wrote them.
type ModerationReport struct {
	Responses, Complete, ScreenedOut, InProgress int
	Unreadable                                   int // interviews whose log the engine does not accept: see Replay

	Questions []QuestionReport

	FollowUps  int
	Declined   int                         // times that a follow-up was due and none was asked
	Kinds      map[interview.ProbeKind]int // of the follow-ups; those without a kind are under ""
	Sources    map[string]int              // of the follow-ups: BuiltIn, or the name of a model
	Violations map[guardrail.Kind]int      // violations by follow-ups that were asked, by kind
	OverBudget int                         // follow-ups beyond what the question's level allows
	Unlogged   int                         // moderator turns from before decisions were stored

	Wait       Spread         // from an answer until its follow-up, or until the next question if a follow-up was due and none was asked
	FirstWords Spread         // from an answer until a model's first words could be shown
	Refused    map[string]int // violations by questions of models that the guard refused, by kind; no participant read these questions
	Fallbacks  map[string]int // times that the built-in moderator decided in place of a model, by reason

	PromptTokens, CompletionTokens, MicroCost int64
}

// Repeats returns the number of follow-ups that had been asked before, or nearly.
func (r *ModerationReport) Repeats() int { return r.Violations[guardrail.Repeat] }

// Leading returns the number of follow-ups that suggest an answer.
func (r *ModerationReport) Leading() int { return r.Violations[guardrail.Leading] }

// Unclear counts what makes a follow-up hard to answer: several questions, two things in one, no question, too many words.
func (r *ModerationReport) Unclear() (n int) {
	for _, kind := range []guardrail.Kind{guardrail.Empty, guardrail.TooLong, guardrail.Unclean, guardrail.SeveralQuestions, guardrail.NoQuestion, guardrail.DoubleBarrelled} {
		n += r.Violations[kind]
	}
	return n
}

// QuestionReport sums up the follow-ups of one question, over all concepts that it was asked about.
type QuestionReport struct {
	Number    int
	ID        string
	Text      string
	Type      guide.ItemType
	Asked     int // times it was put to a participant
	Answered  int
	Skipped   int // times it was asked and left without an answer
	Words     int // of all answers to an open question, follow-ups included
	OnSubject int // of Words, those in replies that are on the subject: see volume.words
	FollowUps int
	Kinds     map[interview.ProbeKind]int
}

// Spread describes a distribution of durations.
type Spread struct {
	Count    int
	P50, P95 time.Duration
}

// ReportModeration reads all interviews of a study that were held here, one after the other. A server may run at the same time.
func ReportModeration(ctx context.Context, s *store.Store, of study.Study, progress func(done, total int)) (_ ModerationReport, err error) {
	defer operation.Wrap(&err, "maintenance.ReportModeration")
	view := s.View()
	ids, err := view.ResponseIDs(ctx, of.ID)
	if err != nil {
		return ModerationReport{}, err
	}
	m := newReporter()
	var interviews interviewlog.Loader
	for i, id := range ids {
		r, err := view.AnyResponse(ctx, id)
		if errors.Is(err, response.ErrNotFound) {
			continue // it was deleted meanwhile
		}
		if err != nil {
			return ModerationReport{}, err
		}
		compiled, err := interviews.CompiledGuide(ctx, view, r.OrgID, r.StudyID, r.Revision)
		if err != nil {
			return ModerationReport{}, err
		}
		turns, err := view.Turns(ctx, id)
		if err != nil {
			return ModerationReport{}, err
		}
		decisions, err := view.Decisions(ctx, id)
		if err != nil {
			return ModerationReport{}, err
		}
		m.add(compiled, r, turns, decisions)
		progress(i+1, len(ids))
	}
	return m.report(), nil
}

// reporter builds a ModerationReport, one interview at a time.
type reporter struct {
	result     ModerationReport
	index      map[string]int     // indexes of questions in result.Questions
	replies    map[string]*volume // to open questions
	waits      []time.Duration
	firstWords []time.Duration
}

func newReporter() *reporter {
	return &reporter{index: map[string]int{}, replies: map[string]*volume{}, result: ModerationReport{
		Kinds: map[interview.ProbeKind]int{}, Sources: map[string]int{}, Violations: map[guardrail.Kind]int{}, Refused: map[string]int{}, Fallbacks: map[string]int{},
	}}
}

// add counts one interview.
func (m *reporter) add(compiled *interviewlog.CompiledGuide, r response.Response, turns []interview.Turn, decisions map[int]interview.Decision) {
	m.result.Responses++
	switch r.Progress {
	case response.Complete:
		m.result.Complete++
	case response.ScreenedOut:
		m.result.ScreenedOut++
	default:
		m.result.InProgress++
	}
	state := compiled.Begin(r).State
	for place, item := range compiled.Guide.Items() {
		m.question(place.Number, item)
	}
	conv := conversation{reporter: m, guide: compiled.Guide, response: r, answers: map[questionKey][]string{}}
	for seq, turn := range turns {
		step := state.Next()
		if _, err := state.Apply(inputOf(turn), turn.At); err != nil {
			m.result.Unreadable++
			return
		}
		conv.add(step, turn)
		if d, logged := decisions[seq]; logged {
			conv.decided(turn.ItemID, d)
		} else if turn.Kind == interview.TurnProbe || turn.Kind == interview.TurnDecline {
			m.result.Unlogged++
		}
	}
	if step := state.Next(); step.Kind == interview.StepQuestion {
		q := &m.result.Questions[m.index[step.Item.ID]]
		q.Skipped++
		if step.Screen == 0 {
			q.Asked++
		}
	}
}

// inputOf returns the input that a turn was made from.
func inputOf(turn interview.Turn) interview.Input {
	switch turn.Kind {
	case interview.TurnProbe:
		return interview.Probe{StepID: turn.StepID, Words: turn.Probe}
	case interview.TurnDecline:
		return interview.Decline{StepID: turn.StepID}
	}
	return interview.Submit{StepID: turn.StepID, Answer: turn.Answer}
}

// question adds a question when it is first seen; a later revision may add more.
func (m *reporter) question(number int, item *guide.Item) {
	if _, known := m.index[item.ID]; known || item.Type == guide.Statement {
		return
	}
	m.index[item.ID] = len(m.result.Questions)
	m.result.Questions = append(m.result.Questions, QuestionReport{Number: number, ID: item.ID, Text: item.Text, Type: item.Type, Kinds: map[interview.ProbeKind]int{}})
}

// questionKey identifies a question and the concept that it is asked about.
type questionKey struct{ item, concept string }

// conversation is the state of one interview while it is counted.
type conversation struct {
	*reporter
	guide    *guide.Guide
	response response.Response
	answers  map[questionKey][]string // to open questions, replies to follow-ups included
	asked    []string                 // follow-ups so far
	since    time.Time                // time of the participant's last turn
}

func (conv *conversation) add(step interview.Step, turn interview.Turn) {
	place := questionKey{turn.ItemID, turn.ConceptID}
	switch turn.Kind {
	case interview.TurnContinue:
		return
	case interview.TurnAnswer:
		q := &conv.result.Questions[conv.index[turn.ItemID]]
		if turn.Screen == 0 {
			q.Asked++
		}
		if turn.Screen+1 >= step.Screens {
			q.Answered++
		}
		conv.replied(step, turn, place)
	case interview.TurnReply:
		conv.replied(step, turn, place)
	case interview.TurnProbe:
		conv.result.FollowUps++
		conv.result.Sources[turn.Provider]++
		conv.result.Questions[conv.index[turn.ItemID]].FollowUps++
		if step.FollowUps >= step.Item.FollowUp.Limit() {
			conv.result.OverBudget++
		}
		for _, violation := range guardrail.Judge(turn.Probe, conv.guard(step, place)) {
			conv.result.Violations[violation.Kind]++
		}
		conv.asked = append(conv.asked, turn.Probe)
		conv.waits = append(conv.waits, max(turn.At.Sub(conv.since), 0))
	case interview.TurnDecline:
		conv.result.Declined++
		conv.waits = append(conv.waits, max(turn.At.Sub(conv.since), 0))
	}
}

// replied counts what the participant said.
func (conv *conversation) replied(step interview.Step, turn interview.Turn, place questionKey) {
	conv.since = turn.At
	if step.Item.Type != guide.OpenEnded {
		return
	}
	conv.answers[place] = append(conv.answers[place], turn.Answer.Text)
	v := conv.replies[turn.ItemID]
	if v == nil {
		v = newVolume()
		conv.replies[turn.ItemID] = v
	}
	if step.Concept != nil {
		v.addSubject(step.Concept.Title + " " + step.Concept.Description)
	}
	v.addSubject(step.Item.Text + " " + conv.guide.ParticipantTitle() + " " + conv.guide.StudyGoal)
	v.add(turn.Answer.Text)
}

// guard returns the context that the guard gets for a follow-up that was asked: the same as when it was asked.
func (conv *conversation) guard(step interview.Step, place questionKey) guardrail.Context {
	c := guardrail.Context{
		Language: conv.response.Language, Question: step.Item.Text, StudyTitle: conv.guide.ParticipantTitle(), StudyGoal: conv.guide.StudyGoal, Asked: conv.asked,
		Background: conv.guide.Background, Instructions: step.Item.AddInstructions,
		Secrets: []string{conv.guide.StudyGoal, conv.guide.Background, step.Item.AddInstructions}, Left: step.Item.FollowUp.Limit() - step.FollowUps,
	}
	for _, item := range conv.guide.Items() {
		if item.ID != step.Item.ID && item.Type != guide.Statement {
			c.Questions = append(c.Questions, item.Text)
		}
	}
	if step.Concept != nil {
		c.ConceptTitle = step.Concept.Title
	}
	if said := conv.answers[place]; len(said) > 0 {
		c.Answer, c.Earlier = said[len(said)-1], said[:len(said)-1]
	}
	return c
}

func (conv *conversation) decided(itemID string, d interview.Decision) {
	if d.Words != "" {
		conv.result.Kinds[d.Kind]++
		conv.result.Questions[conv.index[itemID]].Kinds[d.Kind]++
	}
	if d.Fallback != "" {
		conv.result.Fallbacks[d.Fallback]++
	}
	for _, attempt := range d.Attempts {
		for _, violation := range attempt.Violations {
			conv.result.Refused[violation.Kind]++
		}
	}
	if d.FirstWords > 0 {
		conv.firstWords = append(conv.firstWords, d.FirstWords)
	}
	conv.result.PromptTokens += d.PromptTokens
	conv.result.CompletionTokens += d.CompletionTokens
	conv.result.MicroCost += d.MicroCost
}

func (m *reporter) report() ModerationReport {
	for i := range m.result.Questions {
		if v := m.replies[m.result.Questions[i].ID]; v != nil {
			m.result.Questions[i].Words, m.result.Questions[i].OnSubject = v.words()
		}
	}
	m.result.Wait, m.result.FirstWords = spreadOf(m.waits), spreadOf(m.firstWords)
	return m.result
}

// spreadOf returns percentiles by the nearest rank.
func spreadOf(all []time.Duration) Spread {
	if len(all) == 0 {
		return Spread{}
	}
	slices.Sort(all)
	rank := func(share int) time.Duration { return all[max(0, (len(all)*share+99)/100-1)] }
	return Spread{len(all), rank(50), rank(95)}
}
