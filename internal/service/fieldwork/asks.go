package fieldwork

import (
	"context"

	"verbatim/internal/domain/interview"
	"verbatim/internal/platform/operation"
	"verbatim/internal/service/interviewlog"
)

// Asks returns what the moderator was given at each follow-up that was due in an interview, in order: asked, declined, or due now.
func (s *Service) Asks(ctx context.Context, iv interviewlog.Interview) (asks []interview.Ask, err error) {
	defer operation.Wrap(&err, "fieldwork.Asks")
	localized, err := s.Interviews.Localize(ctx, s.Store.View(), iv.CompiledGuide, iv.Response.Language)
	if err != nil {
		return nil, err
	}
	for i := range len(iv.Turns) + 1 {
		if i < len(iv.Turns) && byParticipant(iv.Turns[i].Kind) {
			continue
		}
		then, err := iv.Replay(iv.Response, iv.Turns[:i])
		if err != nil {
			return nil, err
		}
		if step := then.State.Next(); step.Kind == interview.StepProbe {
			asks = append(asks, (&session{Interview: then, localized: localized}).ask(step, nil))
		}
	}
	return asks, nil
}
