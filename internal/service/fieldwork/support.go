package fieldwork

import (
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/service/moderator"
)

// support returns the author's message for sensitive topics if the participant's last answer speaks of distress, or "". It is read from
// the log each time, so that it is shown again when the participant comes back to the same step.
func (sess *session) support() string {
	message := sess.localized.Guide.Config.SensitiveTopics.Message
	if message == "" {
		return ""
	}
	for i := len(sess.Turns) - 1; i >= 0; i-- {
		turn := &sess.Turns[i]
		if !byParticipant(turn.Kind) {
			continue
		}
		item, _, found := sess.localized.Guide.Item(turn.ItemID)
		if !found || turn.Kind != interview.TurnReply && item.Type != guide.OpenEnded {
			return ""
		}
		last := interview.Ask{Guide: sess.localized.Guide, Item: item, Language: sess.Response.Language, Answer: turn.Answer.Text}
		if moderator.SpeaksOfDistress(last) {
			return message
		}
		return ""
	}
	return ""
}
