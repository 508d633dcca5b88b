package reporting_test

import (
	"math/rand/v2"
	"testing"

	"verbatim/internal/domain/guide"
	"verbatim/internal/platform/llm"
	"verbatim/internal/platform/llm/llmtest"
	"verbatim/internal/service/reporting"
)

// TestWithheldQuestionsGetKeywords: answers that the study withholds are grouped by keywords, without a model and without a failure.
func TestWithheldQuestionsGetKeywords(t *testing.T) {
	t.Parallel()
	w := newWorld(t, &guide.Guide{Title: "Mornings", Config: guide.Config{Model: guide.ModelUse{NeverSend: []string{"why"}}}, Blocks: []guide.Block{{ID: "b", Type: guide.BlockFlat, Items: []guide.Item{
		{ID: "why", Type: guide.OpenEnded, Text: "Why?", FollowUp: guide.FollowUpNone},
	}}}})
	w.fill(t, 40, func(*rand.Rand) string { return "In the morning it heats for long." })
	server := llmtest.New(sorting(good))
	got := section(t, w.report(t, reporting.ModelThemer{Chat: server.Client(t, llm.Config{})}, ""), "why")
	want := section(t, w.report(t, nil, ""), "why")
	if len(server.Asked()) != 0 || asJSON(got.Tables) != asJSON(want.Tables) {
		t.Errorf("asked %d times: %s", len(server.Asked()), asJSON(got.Tables))
	}
}
