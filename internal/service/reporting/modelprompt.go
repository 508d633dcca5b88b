package reporting

import (
	"bytes"
	"embed"
	"encoding/json"
	"unicode/utf8"

	"verbatim/internal/domain/masking"
	"verbatim/internal/platform/llm"
)

//go:embed prompts
var prompts embed.FS

// Prompts in use.
var (
	promptThemes = llm.ReadPrompt(prompts, "themes-1")
	promptAssign = llm.ReadPrompt(prompts, "assign-1")
)

// frame is a code frame as a model proposes it.
type frame struct {
	Themes []struct {
		Name        string `json:"name"`
		Description string `json:"description"`
	} `json:"themes"`
}

var frameShape = llm.Schema{Name: "themes", JSON: []byte(`{
	"type": "object", "additionalProperties": false, "required": ["themes"], "properties": {
		"themes": {"type": "array", "items": {
			"type": "object", "additionalProperties": false, "required": ["name", "description"],
			"properties": {"name": {"type": "string"}, "description": {"type": "string"}}}}}
}`)}

// placed is answers with their themes as a model sorts them.
type placed struct {
	Answers []struct {
		Answer int `json:"answer"`
		Themes []struct {
			Theme int    `json:"theme"`
			Quote string `json:"quote"`
		} `json:"themes"`
	} `json:"answers"`
}

var placedShape = llm.Schema{Name: "assignments", JSON: []byte(`{
	"type": "object", "additionalProperties": false, "required": ["answers"], "properties": {
		"answers": {"type": "array", "items": {
			"type": "object", "additionalProperties": false, "required": ["answer", "themes"], "properties": {
				"answer": {"type": "integer"},
				"themes": {"type": "array", "items": {
					"type": "object", "additionalProperties": false, "required": ["theme", "quote"],
					"properties": {"theme": {"type": "integer"}, "quote": {"type": "string"}}}}}}}}
}`)}

// briefing is the input of a model. It is sent as JSON, so that no answer can end the string that holds it.
type briefing struct {
	Study    studyBrief    `json:"study"`
	Language string        `json:"language"`
	Question string        `json:"question"`
	Themes   []themeBrief  `json:"themes,omitempty"`
	Answers  []answerBrief `json:"answers"`
}

type studyBrief struct {
	Title string `json:"title"`
	Goal  string `json:"goal"`
}

type themeBrief struct {
	Theme       int    `json:"theme"` // from 1
	Name        string `json:"name"`
	Description string `json:"description"`
}

type answerBrief struct {
	Answer int      `json:"answer"` // from 1, within the call: a model copies a small number without mistakes, and it identifies nobody
	Said   []string `json:"said"`
}

// brief describes a question and some answers. The values of each participant's link are masked in their own answers alone; the client
// of the model masks the rest with the same masker.
func (q OpenQuestion) brief(said []OpenAnswer) (b briefing, masker *masking.Masker) {
	b = briefing{Study: studyBrief{q.Title, q.Goal}, Language: q.Language, Question: q.Text, Answers: make([]answerBrief, len(said))}
	masker = masking.New()
	for i := range said {
		sealed := make([]string, len(said[i].Texts))
		for t, text := range said[i].Texts {
			sealed[t] = masker.Seal(text, said[i].Private...)
		}
		b.Answers[i] = answerBrief{i + 1, sealed}
	}
	return b, masker
}

func (b briefing) message() []llm.Message {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(b); err != nil {
		panic(err) // only strings and numbers, so it cannot fail
	}
	return []llm.Message{{Role: llm.User, Text: text.String()}}
}

// runes returns the length of an answer in characters.
func (s *OpenAnswer) runes() (n int) {
	for _, text := range s.Texts {
		n += utf8.RuneCountInString(text)
	}
	return n
}
