package analysis_test

import (
	"strings"
	"testing"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/response"
	"verbatim/internal/platform/llm"
	"verbatim/internal/platform/llm/llmtest"
	"verbatim/internal/service/analysis"
)

// TestAnalysisMasksDetails: details reach a model as placeholders, and a quote with one is verified against what was said.
func TestAnalysisMasksDetails(t *testing.T) {
	t.Parallel()
	in := conversation("Why did you leave?", "Maria said to write to maria@example.org because nobody rang back on 0171 2345678.", "And then?", "I wrote to maria@example.org and the shop answered within a day.")
	in.Response.URLParams = map[string]string{"first_name": "Maria"}
	remark := "I wrote to [mail 1] and the shop answered within a day."
	server := llmtest.New(llmtest.Says(written{
		Summary: []said{{"The person was told to write.", []string{"[private 1] said to write to [mail 1]"}}, {"The shop answered quickly.", []string{"the shop answered within a day"}}},
		Bullets: []said{{"Nobody rang back.", []string{"nobody rang back on [phone 1]"}}, {"The shop answered.", []string{"the shop answered within a day"}}, {"Writing worked.", []string{"I wrote to [mail 1]"}}},
		Tagline: said{"Writing worked, ringing did not", []string{"nobody rang back on [phone 1]"}}, Remarks: []string{remark},
	}.json()))
	got, err := analysis.Model{Chat: server.Client(t, llm.Config{})}.Analyse(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	sent := server.Asked()[0].Last()
	for _, detail := range []string{"Maria", "maria@", "2345678"} {
		if strings.Contains(sent, detail) {
			t.Errorf("%q leaves: %s", detail, sent)
		}
	}
	if strings.Count(sent, "[mail 1]") != 2 || got.OtherRemarks != strings.Replace(remark, "[mail 1]", "maria@example.org", 1) || got.Tagline != "Writing worked, ringing did not" {
		t.Errorf("sent %s, got %+v", sent, got)
	}
}

// TestAnalysisLeavesOutWithheldItems: answers that the study withholds are in no request; where nothing else was said, none is made.
func TestAnalysisLeavesOutWithheldItems(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		use   guide.ModelUse
		asked int
	}{
		"one item":  {guide.ModelUse{NeverSend: []string{"q0"}}, 1},
		"each item": {guide.ModelUse{NeverSend: []string{"q0", "q1"}}, 0},
		"all":       {guide.ModelUse{SendNothing: true}, 0},
	} {
		in := conversation("What illness?", "I have had asthma since I was a child.", "Why did you leave?", "Because the shop closed too early for me.")
		in.Guide.Config.Model = tt.use
		model := says(written{Summary: []said{{"The shop closed early.", []string{"the shop closed too early"}}}, Tagline: said{"Closed too early", []string{"the shop closed too early"}}})
		got, err := analysis.Model{Chat: model}.Analyse(t.Context(), in)
		if err != nil || len(model.asked) != tt.asked {
			t.Errorf("%s: %v, asked %d times, want %d", name, err, len(model.asked), tt.asked)
		}
		if tt.asked > 0 && (strings.Contains(model.asked[0].Messages[0].Text, "asthma") || len(model.briefs[0].Rows) != 1 || model.briefs[0].Rows[0].Row != 2) {
			t.Errorf("%s: sent %s", name, model.asked[0].Messages[0].Text)
		}
		if tt.asked == 0 && got.Authors[response.PartSummary].Model != "" {
			t.Errorf("%s: %+v", name, got.Authors)
		}
	}
}
