package translation_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/translation"
)

// german returns every text of fruit in another language.
func german() map[string]string {
	return map[string]string{
		"study/title": "Ihr Obst", "study/welcomeTitle": "Willkommen", "study/welcomeMessage": "Danke, {name}.", "study/closingMessage": "Auf Wiedersehen",
		"item/hi/text": "Nun zum Obst.", "item/hi/continueButtonText": "Weiter", "item/which/text": "Welches Obst essen Sie?",
		"item/which/option/a": "Äpfel", "item/which/option/p~11": "Birnen", "item/which/option/n": "1-3", "item/which/media/0": "Ein Korb mit Obst",
		"item/best/text": "Was ist Ihnen wichtig?", "item/best/metric": "wichtig", "item/rank/text": "In welcher Reihenfolge?",
		"item/best/option/x": "Preis", "item/best/option/y": "Geschmack", "item/best/option/z": "Aussehen", "item/rate/text": "Wie oft?", "item/rate/row/r1": "Zu Hause",
		"item/rate/row/r2": "Unterwegs", "item/rate/option/c1": "Täglich", "item/rate/option/c2": "Nie", "concept/k/title": "Eine Kiste",
		"concept/k/description": "Obst an Ihrer Tür.", "item/why/text": "Würden Sie sie kaufen?",
	}
}

// TestShow takes an interview to each kind of step: its texts are in the other language, and everything else is the same.
func TestShow(t *testing.T) {
	t.Parallel()
	g := fruit()
	shown := translation.Apply(g, german())
	state := interview.NewPlan(g).Begin(3, nil)
	submit := func(a interview.Answer) {
		t.Helper()
		if _, err := state.Apply(interview.Submit{StepID: state.Next().ID, Answer: a}, time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	check := func(words string, options map[string]string) interview.Step {
		t.Helper()
		step := state.Next()
		got := translation.Show(step, shown)
		texts := map[string]string{}
		for i, o := range got.Options {
			texts[o.ID] = o.Text
			if o.ID != step.Options[i].ID || o.Exclusive != step.Options[i].Exclusive {
				t.Errorf("option %d is %+v, want that of %+v", i, o, step.Options[i])
			}
		}
		if got.Words != words {
			t.Errorf("it says %q, want %q", got.Words, words)
		}
		if diff := cmp.Diff(options, texts); options != nil && diff != "" {
			t.Errorf("options (-want +got):\n%s", diff)
		}
		if got.ID != step.ID || got.Kind != step.Kind || got.Number != step.Number || got.Progress != step.Progress || got.MinSelect != step.MinSelect {
			t.Errorf("the step is %+v, want that of %+v", got, step)
		}
		return got
	}
	if got := check("Nun zum Obst.", nil); got.Item.ContinueButtonText != "Weiter" {
		t.Errorf("the button says %q", got.Item.ContinueButtonText)
	}
	submit(interview.Answer{})
	check("Welches Obst essen Sie?", map[string]string{"a": "Äpfel", "p/1": "Birnen", "n": "1-3"})
	submit(interview.Answer{Selected: []string{"a", "n"}, CustomText: "Äpfel"})
	custom := guide.CustomOptionID("which")
	check("In welcher Reihenfolge?", map[string]string{"a": "Äpfel", "n": "1-3", custom: "Äpfel"})
	submit(interview.Answer{Ranking: []string{custom, "a", "n"}})
	if got := check("Was ist Ihnen wichtig?", map[string]string{"x": "Preis", "y": "Geschmack", "z": "Aussehen"}); got.Item.Metric != "wichtig" {
		t.Errorf("the metric is %q", got.Item.Metric)
	}
	for state.Next().Item.ID == "best" {
		options := state.Next().Options
		submit(interview.Answer{Best: options[0].ID, Worst: options[1].ID})
	}
	if got := check("Wie oft?", map[string]string{"c1": "Täglich", "c2": "Nie"}); got.Item.Rows[1].Text != "Unterwegs" {
		t.Errorf("rows are %v", got.Item.Rows)
	}
	submit(interview.Answer{Cells: map[string]string{"r1": "c1", "r2": "c2"}})
	got := check("Würden Sie sie kaufen?", nil)
	if got.Concept.Title != "Eine Kiste" || got.Concept.Description != "Obst an Ihrer Tür." {
		t.Errorf("the concept is %+v", got.Concept)
	}
	if got.Item.Conditional == nil || got.Item.AddInstructions != "secret instructions" {
		t.Error("what is not for participants has changed")
	}
	submit(interview.Answer{Text: "Ja."})
	step := state.Next()
	ask := translation.Ask(interview.Ask{Guide: g, Item: step.Item, Concept: step.Concept, Exchanges: state.Exchanges()}, shown)
	if ask.Item.Text != "Würden Sie sie kaufen?" || ask.Exchanges[1].Moderator != "Welches Obst essen Sie?" || ask.Guide.StudyGoal != "secret goal" {
		t.Errorf("the moderator is told %+v", ask)
	}
	if state.Exchanges()[1].Moderator != "Which fruit do you eat?" {
		t.Error("what is stored has changed")
	}
	if _, err := state.Apply(interview.Probe{StepID: step.ID, Words: "Warum?"}, time.Time{}); err != nil {
		t.Fatal(err)
	}
	check("Warum?", nil)
	submit(interview.Answer{Text: "Darum."})
	if _, err := state.Apply(interview.Decline{StepID: state.Next().ID}, time.Time{}); err != nil {
		t.Fatal(err)
	}
	check("", nil)
	if answers := state.Answers(); answers[0].Text != "Apples; 1-3; Äpfel" || answers[0].Question != "Which fruit do you eat?" {
		t.Errorf("stored: %+v", answers[0])
	}
}

func TestShowOfAnotherGuide(t *testing.T) {
	t.Parallel()
	g := fruit()
	step := interview.NewPlan(g).Begin(1, nil).Next()
	if diff := cmp.Diff(step, translation.Show(step, &guide.Guide{}), cmp.Comparer(func(a, b *guide.Item) bool { return a == b })); diff != "" {
		t.Errorf("a step that the guide has not (-want +got):\n%s", diff)
	}
}
