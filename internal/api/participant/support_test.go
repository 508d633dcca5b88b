package participant_test

import (
	"strings"
	"testing"

	"verbatim/internal/api/participant/participanttest"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/wallet"
)

// TestSupport: after an answer that speaks of grief the study's message is shown, no follow-up is asked, and both end with the next answer.
func TestSupport(t *testing.T) {
	t.Parallel()
	h := open(t, 3*wallet.Credit)
	const message = "Call 116 123, day and night."
	g := participanttest.FollowUpGuide()
	g.Blocks[0].Items = append(g.Blocks[0].Items,
		guide.Item{ID: "then", Type: guide.OpenEnded, Text: "What then?", FollowUp: guide.FollowUpNone},
		guide.Item{ID: "last", Type: guide.OpenEnded, Text: "And last?", FollowUp: guide.FollowUpNone})
	for _, prepared := range []bool{true, false} {
		g.Config.SensitiveTopics.Message = ""
		if prepared {
			g.Config.SensitiveTopics.Message = message
		}
		token, step := h.Begin(h.Launch(g, h.Wallet).LinkID, "")
		answer := func(text, asked string, shown bool) {
			t.Helper()
			_, body, _ := h.Call("POST", "/i/"+token+"/answers", object{"stepId": step["stepId"], "text": text})
			_, again, _ := h.Call("GET", "/i/"+token, nil)
			for _, body := range []object{body, again} {
				step, _ = body["step"].(object)
				support, _ := step["support"].(string)
				if words, _ := step["moderator"].(string); !strings.Contains(words, asked) || (support == message) != (shown && prepared) {
					t.Errorf("after %q: %q with the message %q", text, words, support)
				}
			}
		}
		answer("My mother died in spring.", "What then?", true)
		answer("I sold the garden.", "And last?", false)
		answer("My brother died, too.", "", true) // at the end
	}
}
