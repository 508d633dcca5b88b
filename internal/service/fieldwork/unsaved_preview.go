package fieldwork

import (
	"context"
	"slices"
	"time"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/translation"
	"verbatim/internal/platform/operation"
	"verbatim/internal/service/interviewlog"
	"verbatim/internal/service/moderator"
)

// PreviewRequest describes an interview that is not stored.
type PreviewRequest struct {
	Guide    *guide.Guide
	Language string // of the participant; if the guide does not offer it, the question language
	Seed     uint64
	Params   map[string]string
	Answers  []PreviewAnswer // those before Answer
	Answer   *PreviewAnswer  // the one that was just given; nil: none
}

// PreviewAnswer is an answer to a step of a preview.
type PreviewAnswer struct {
	StepID      string
	Answer      interview.Answer
	NoFollowUps bool // the moderator asks nothing after it
}

// PreviewLanding returns the landing page of a guide that is not stored.
func PreviewLanding(g *guide.Guide, language string) (landing Landing, chosen string) {
	all := languages(g)
	if !slices.Contains(all, language) {
		language = all[0]
	}
	return Landing{Guide: g, Languages: all, TextLanguage: all[0], AcceptsParticipants: true}, language
}

// Preview runs an interview that is not stored, with the built-in moderator, and returns how its participant sees it. fit is how many of
// the answers fitted: from the first one that does not, as when the guide has changed, the others are left out, and Answer with them.
// *interview.AnswerError if Answer itself does not fit its step.
func Preview(ctx context.Context, in PreviewRequest) (_ View, fit int, err error) {
	defer operation.Wrap(&err, "fieldwork.Preview")
	_, language := PreviewLanding(in.Guide, in.Language)
	compiled := &interviewlog.CompiledGuide{Guide: in.Guide, Plan: interview.NewPlan(in.Guide)}
	sess := &session{
		Interview: compiled.Begin(response.Response{Seed: in.Seed, Language: language, URLParams: in.Params}),
		localized: interviewlog.LocalizedGuide{Guide: in.Guide, Language: translation.From(in.Guide)},
	}
	for _, answer := range in.Answers {
		if sess.try(ctx, answer) != nil {
			return sess.view(), fit, ctx.Err()
		}
		fit++
	}
	if in.Answer != nil {
		err = sess.try(ctx, *in.Answer)
		if err == nil {
			fit++
		}
	}
	return sess.view(), fit, err
}

// try applies an answer, and the follow-up that the built-in moderator asks after it.
func (sess *session) try(ctx context.Context, answer PreviewAnswer) error {
	turn, err := sess.State.Apply(interview.Submit{StepID: answer.StepID, Answer: answer.Answer}, time.Time{})
	if err != nil {
		return err
	}
	sess.Turns = append(sess.Turns, turn)
	unstored := &Service{Synchronous: true}
	for sess.State.Next().Kind == interview.StepProbe {
		var decision interview.Decision
		if !answer.NoFollowUps {
			decision = unstored.decide(ctx, moderator.BuiltIn{}, sess, nil)
		}
		decided, err := sess.applyDecision(decision)
		if err != nil {
			return err
		}
		sess.Turns = append(sess.Turns, decided.turn)
	}
	return ctx.Err()
}
