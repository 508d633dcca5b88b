package participant

import (
	"fmt"
	"slices"
	"strings"

	"verbatim/internal/api/locale"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/service/fieldwork"
)

// AnsweredStep is the JSON of a step with the answer that it was given, in words.
type AnsweredStep struct {
	StepID    string   `json:"stepId"`
	Kind      string   `json:"kind"`
	Type      string   `json:"type"`
	Concept   *string  `json:"concept"` // its title
	Moderator string   `json:"moderator"`
	Said      []string `json:"said"`
	Recorded  bool     `json:"recorded"`
}

// ConversationOf returns what was said about the question that is open.
func ConversationOf(v fieldwork.View) []AnsweredStep {
	all := make([]AnsweredStep, len(v.Conversation))
	for i := range v.Conversation {
		all[i] = answeredStep(&v.Conversation[i], v.Response.Language)
	}
	return all
}

// AnsweredOf returns the step with the answer that stands; nil where there is none.
func AnsweredOf(v fieldwork.View) *AnsweredStep {
	if v.Answered == nil {
		return nil
	}
	step := answeredStep(v.Answered, v.Response.Language)
	return &step
}

func answeredStep(a *interview.AnsweredStep, language string) AnsweredStep {
	var concept *string
	if a.Concept != nil {
		concept = orNull(a.Concept.Title)
	}
	return AnsweredStep{
		Concept: concept,
		StepID:  a.ID, Kind: string(a.Kind), Type: string(a.Item.Type), Moderator: a.Words,
		Said: SaidIn(&a.Step, &a.Answer, language), Recorded: a.Answer.Recordings != interview.Recordings{},
	}
}

// SaidIn returns the lines of an answer to a step; answerLines in web/shared/draft.ts makes the same for the app. language is the
// participant's.
func SaidIn(step *interview.Step, a *interview.Answer, language string) []string {
	said := []string{}
	if step.Kind == interview.StepFollowUp || step.Item.Type == guide.OpenEnded {
		if a.Text != "" {
			said = strings.Split(a.Text, "\n")
		}
		return said
	}
	texts := make(map[string]string, len(step.Options))
	for _, o := range step.Options {
		texts[o.ID] = o.Text
	}
	switch step.Item.Type {
	case guide.MultipleChoice:
		for _, o := range step.Options {
			if slices.Contains(a.Selected, o.ID) {
				said = append(said, o.Text)
			}
		}
		if a.CustomText != "" {
			said = append(said, a.CustomText)
		}
	case guide.Ranking:
		for i, id := range a.Ranking {
			said = append(said, fmt.Sprintf("%d. %s", i+1, texts[id]))
		}
	case guide.Matrix:
		for _, row := range step.Item.Rows {
			said = append(said, row.Text+": "+texts[a.Cells[row.ID]])
		}
	case guide.MaxDiff:
		words := locale.WordsFor(language)
		said = append(said, words["most"]+": "+texts[a.Best], words["least"]+": "+texts[a.Worst])
	case guide.FileUpload:
		said = append(said, a.FileNames...)
	}
	return said
}
