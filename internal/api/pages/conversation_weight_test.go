package pages_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/wallet"
)

// TestConversationsAtTheBounds checks that a follow-up with the longest conversation stays within the sizes of steps and pages.
func TestConversationsAtTheBounds(t *testing.T) {
	t.Parallel()
	h := open(t, wallet.Credit, withApp)
	b := h.begin(guideOf(guide.Item{Type: guide.OpenEnded, FollowUp: guide.FollowUpHeavy}), "")
	text := "I liked it, because my neighbour came by on Monday. "
	text += strings.Repeat("'", interview.MaxText-len(text)) // the character that needs the most bytes in a page
	turns, step, page := 0, 0, 0
	for strings.Contains(b.page, `name="text"`) {
		if b.submit("/answers", url.Values{"text": {text}}); b.status != http.StatusOK {
			t.Fatalf("after %d answers: %d", turns, b.status)
		}
		turns++
		_, body, _ := h.Call("GET", b.at, nil)
		step, page = max(step, len(encoded(t, body["step"]))), max(page, len(b.page))
	}
	t.Logf("%d answers, a step of %d bytes, a page of %d", turns, step, page)
	if turns < 2 || step > maxStepBytes || page > maxPageBytes {
		t.Errorf("%d answers, a step of %d bytes of %d, a page of %d of %d", turns, step, maxStepBytes, page, maxPageBytes)
	}
}

func encoded(t *testing.T, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
