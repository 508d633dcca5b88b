package guide

import (
	"strings"

	"verbatim/internal/domain/strictjson"
)

// SensitiveTopics prepares a study for answers that speak of grief or distress. It is an extension of the contract by this program:
// the object sensitiveTopics of config.verbatim. The zero value switches it off.
type SensitiveTopics struct {
	Message string // shown after such an answer, instead of a follow-up: the author's words, with help lines
}

// sensitiveTopics reads config.verbatim.sensitiveTopics.
func (d *decoder) sensitiveTopics(o *strictjson.Object) SensitiveTopics {
	return SensitiveTopics{Message: d.nonEmpty(o, "message", strictjson.Required, MaxLongText)}
}

// sensitiveMessageHasWords checks that the message is not blank: participants would be shown an empty frame.
func sensitiveMessageHasWords(r *rules) {
	message := r.guide.Config.SensitiveTopics.Message
	if message != "" && strings.TrimSpace(message) == "" {
		r.report("config.verbatim.sensitiveTopics.message", "has only spaces; write what participants are to read, or leave sensitiveTopics out")
	}
}
