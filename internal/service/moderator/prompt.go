package moderator

import (
	"bytes"
	"embed"
	"encoding/json"
	"slices"
	"unicode/utf8"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/platform/llm"
)

//go:embed prompts
var prompts embed.FS

// current is the prompt in use.
var current = llm.ReadPrompt(prompts, "probe-1")

// modelReply is the reply of a model.
type modelReply struct {
	Probe    bool                `json:"probe"`
	Kind     interview.ProbeKind `json:"kind"`
	Question string              `json:"question"`
	Reason   string              `json:"reason"`
}

// shape is the schema of modelReply. The question comes before its reason, so that a participant need not wait for the reason.
var shape = llm.Schema{Name: "follow_up", JSON: []byte(`{
	"type": "object", "additionalProperties": false, "required": ["probe", "kind", "question", "reason"],
	"properties": {
		"probe": {"type": "boolean"},
		"kind": {"type": "string", "enum": ["clarifying", "descriptive", "idiographic", "explanatory", "none"]},
		"question": {"type": "string"},
		"reason": {"type": "string"}
	}
}`)}

// briefing is the input of a model about an interview. It is sent as JSON, so that no answer can end the string that holds it.
type briefing struct {
	Researcher researcher `json:"researcher"`
	Interview  record     `json:"interview"`
}

type researcher struct {
	Study          string   `json:"study"`
	Goal           string   `json:"goal,omitempty"`
	Background     string   `json:"background,omitempty"`
	Question       string   `json:"question"`
	Instructions   string   `json:"instructions,omitempty"`
	Concept        *concept `json:"concept,omitempty"`
	Language       string   `json:"language"`
	FollowUpsLeft  int      `json:"followUpsLeft"`
	OtherQuestions []string `json:"otherQuestions,omitempty"`
}

type concept struct {
	Title       string `json:"title"`
	Description string `json:"description,omitempty"`
}

type record struct {
	Before       []exchange `json:"before,omitempty"`
	ThisQuestion []exchange `json:"thisQuestion"`
}

// exchange is a moderator's turn with the participant's words.
type exchange struct {
	Moderator   string `json:"moderator"`
	Participant string `json:"participant"`
}

// Limits of a briefing, in characters: of one reply, and of everything said before this question. Complete turns are cut, the
// oldest first, and the middle of a long reply.
const (
	maxReply  = 4_000
	maxBefore = 12_000
)

// brief returns the message that a model answers.
func brief(in interview.Ask) string { return asJSON(briefingOf(in)) }

func briefingOf(in interview.Ask) briefing {
	b := briefing{Researcher: researcher{
		Study: in.Guide.ParticipantTitle(), Goal: in.Guide.StudyGoal, Background: in.Guide.Background, Question: in.Item.Text,
		Instructions: in.Item.AddInstructions, Language: in.Language, FollowUpsLeft: in.Left, OtherQuestions: others(in),
	}}
	conceptID := ""
	if in.Concept != nil {
		conceptID = in.Concept.ID
		b.Researcher.Concept = &concept{in.Concept.Title, in.Concept.Description}
	}
	var before []exchange
	withheld := in.Guide.Withheld()
	for _, e := range in.Exchanges {
		if withheld[e.ItemID] {
			continue
		}
		turn := exchange{e.Moderator, clip(e.User)}
		switch {
		case e.ItemID == in.Item.ID && e.ConceptID == conceptID:
			b.Interview.ThisQuestion = append(b.Interview.ThisQuestion, turn)
		case !e.Statement:
			before = append(before, turn)
		}
	}
	length := 0
	for i, turn := range slices.Backward(before) {
		if length += utf8.RuneCountInString(turn.Moderator) + utf8.RuneCountInString(turn.Participant); length > maxBefore {
			before = before[i+1:]
			break
		}
	}
	b.Interview.Before = before
	return b
}

// clip leaves out the middle of a long reply.
func clip(reply string) string {
	runes := []rune(reply)
	if len(runes) <= maxReply {
		return reply
	}
	return string(runes[:maxReply/2]) + " [...] " + string(runes[len(runes)-maxReply/2:])
}

// others returns the texts of the guide's other questions.
func others(in interview.Ask) (texts []string) {
	for _, item := range in.Guide.Items() {
		if item.ID != in.Item.ID && item.Type != guide.Statement {
			texts = append(texts, item.Text)
		}
	}
	return texts
}

// again returns the message that asks for another question.
func again(violations []interview.Violation) string {
	type refusal struct {
		Violation string `json:"violation"`
		Detail    string `json:"detail,omitempty"`
	}
	var refused struct {
		Refused []refusal `json:"refused"`
		Wanted  string    `json:"wanted"`
	}
	for _, f := range violations {
		refused.Refused = append(refused.Refused, refusal{f.Kind, f.Detail})
	}
	refused.Wanted = "The question was not asked, for these reasons. Answer once more in the same form: another question without these violations, or none."
	return asJSON(refused)
}

func asJSON(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // only strings and numbers, so it cannot fail
	}
	return b.String()
}
