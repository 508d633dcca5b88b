package translation_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/guide/guidetest"
	"verbatim/internal/domain/translation"
)

// fruit returns a guide with a text in every place that participants see, and one in every place that they do not.
func fruit() *guide.Guide {
	return &guide.Guide{
		Title: "Internal title", ExternalTitle: "Your fruit", Background: "secret background", StudyGoal: "secret goal",
		Welcome: guide.Welcome{Title: "Welcome", Message: "Thank you, {name}."}, ClosingMessage: "Goodbye",
		Config: guide.Config{QuestionLanguage: "en", AvailableLanguages: []string{"en", "de", "ja", "de"}},
		Blocks: []guide.Block{
			{ID: "b1", Type: guide.BlockFlat, Title: "secret block", Items: []guide.Item{
				{ID: "hi", Type: guide.Statement, Text: "Now about fruit.", ContinueButtonText: "Go on"},
				{
					ID: "which", Type: guide.MultipleChoice, Text: "Which fruit do you eat?", MultiSelect: true, AllowCustomOption: true,
					Options: []guide.Option{{ID: "a", Text: "Apples"}, {ID: "p/1", Text: "Pears"}, {ID: "n", Text: "1-3"}},
					Media:   []guide.Media{{Type: "image", Name: "A basket of fruit", URL: "https://x.example.com/a.png"}, {Type: "image", Name: "basket.png", URL: "https://x.example.com/b.png"}},
				},
				{ID: "rank", Type: guide.Ranking, Text: "In which order?", CarryForwardFrom: "which"},
				{
					ID: "best", Type: guide.MaxDiff, Text: "Which matters?", Metric: "important",
					Options: []guide.Option{{ID: "x", Text: "Price"}, {ID: "y", Text: "Taste"}, {ID: "z", Text: "Look"}},
				},
				{
					ID: "rate", Type: guide.Matrix, Text: "How often?", Rows: []guide.Row{{ID: "r1", Text: "At home"}, {ID: "r2", Text: "Outside"}},
					Options: []guide.Option{{ID: "c1", Text: "Daily"}, {ID: "c2", Text: "Never"}},
				},
			}},
			{ID: "b2", Type: guide.BlockConcept, Sampling: &guide.Sampling{Concepts: []guide.Concept{
				{ID: "k", Nickname: "secret nickname", Title: "A box", Description: "Fruit at your door."},
			}}, Items: []guide.Item{{
				ID: "why", Type: guide.OpenEnded, Text: "Would you buy it?", AddInstructions: "secret instructions",
				Conditional: &guide.Conditional{Operator: guide.And, Criteria: []guide.Criterion{{
					Type: guide.SelectedTemplateOptions, QuestionID: "which", Matching: guide.MustSelect, Choices: []string{"Apples"},
				}}},
			}}},
		},
	}
}

func TestSegments(t *testing.T) {
	t.Parallel()
	g := fruit()
	type short struct {
		Key    string
		Kind   translation.Kind
		Source string
		Of     string
		Part   int
	}
	var got []short
	for _, s := range translation.Segments(g) {
		got = append(got, short{s.Key, s.Kind, s.Source, s.Of, s.Part})
	}
	const which, rate = "Which fruit do you eat?", "How often?"
	want := []short{
		{"study/title", translation.Title, "Your fruit", "", 0},
		{"study/welcomeTitle", translation.WelcomeTitle, "Welcome", "", 0},
		{"study/welcomeMessage", translation.WelcomeMessage, "Thank you, {name}.", "", 0},
		{"item/hi/text", translation.Statement, "Now about fruit.", "", 1},
		{"item/hi/continueButtonText", translation.Button, "Go on", "Now about fruit.", 1},
		{"item/which/text", translation.Question, which, "", 1},
		{"item/which/option/a", translation.Option, "Apples", which, 1},
		{"item/which/option/p~11", translation.Option, "Pears", which, 1},
		{"item/which/option/n", translation.Option, "1-3", which, 1},
		{"item/which/media/0", translation.MediaName, "A basket of fruit", which, 1},
		{"item/rank/text", translation.Question, "In which order?", "", 1},
		{"item/best/text", translation.Question, "Which matters?", "", 1},
		{"item/best/metric", translation.Metric, "important", "Which matters?", 1},
		{"item/best/option/x", translation.Option, "Price", "Which matters?", 1},
		{"item/best/option/y", translation.Option, "Taste", "Which matters?", 1},
		{"item/best/option/z", translation.Option, "Look", "Which matters?", 1},
		{"item/rate/text", translation.Question, rate, "", 1},
		{"item/rate/row/r1", translation.Row, "At home", rate, 1},
		{"item/rate/row/r2", translation.Row, "Outside", rate, 1},
		{"item/rate/option/c1", translation.Column, "Daily", rate, 1},
		{"item/rate/option/c2", translation.Column, "Never", rate, 1},
		{"concept/k/title", translation.ConceptTitle, "A box", "", 2},
		{"concept/k/description", translation.ConceptDescription, "Fruit at your door.", "A box", 2},
		{"item/why/text", translation.Question, "Would you buy it?", "", 2},
		{"study/closingMessage", translation.ClosingMessage, "Goodbye", "", 0},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("segments (-want +got):\n%s", diff)
	}
	if got := translation.Targets(g); !cmp.Equal(got, []string{"de", "ja"}) {
		t.Errorf("targets are %v", got)
	}
	g.ExternalTitle = ""
	if got := translation.Segments(g)[0].Source; got != "Internal title" {
		t.Errorf("without a title for participants they see %q", got)
	}
}

func TestApply(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		g := guidetest.Guide(t)
		before := guide.Encode(g)
		texts, seen := map[string]string{}, map[string]bool{}
		for _, s := range translation.Segments(g) {
			if seen[s.Key] {
				t.Fatalf("the key %s stands twice", s.Key)
			}
			seen[s.Key], texts[s.Key] = true, "§ "+s.Source
		}
		shown := translation.Apply(g, texts)
		if string(guide.Encode(g)) != string(before) {
			t.Fatal("the guide itself was changed")
		}
		for _, s := range translation.Segments(shown) {
			if s.Source != texts[s.Key] {
				t.Fatalf("%s reads %q", s.Key, s.Source)
			}
		}
		// Everything else is unchanged: removing the marks gives the original guide.
		back := map[string]string{}
		for key, text := range texts {
			back[key] = strings.TrimPrefix(text, "§ ")
		}
		again := translation.Apply(shown, back)
		if g.ExternalTitle == "" {
			again.ExternalTitle = ""
		}
		if diff := cmp.Diff(g, again); diff != "" {
			t.Fatalf("something else has changed (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(g, translation.Apply(g, nil)); diff != "" {
			t.Fatalf("without texts (-want +got):\n%s", diff)
		}
	})
}
