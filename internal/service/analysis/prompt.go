package analysis

import (
	"embed"
	"encoding/json"
	"fmt"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/textanalysis"
	"verbatim/internal/platform/llm"
)

//go:embed prompts
var prompts embed.FS

// Prompts in use.
var (
	promptAnalyse = llm.ReadPrompt(prompts, "analysis-2")
	promptMerge   = llm.ReadPrompt(prompts, "merge-2")
)

// statement is a claim as a model makes it.
type statement struct {
	Text   string   `json:"text"`
	Quotes []string `json:"quotes"`
}

// draft is an analysis as a model writes it.
type draft struct {
	Summary      []statement `json:"summary"`
	Tagline      statement   `json:"tagline"`
	Bullets      []statement `json:"bullets"`
	Tags         []statement `json:"tags"`
	Personas     []statement `json:"personas"`
	OtherRemarks []string    `json:"other_remarks"`
	Moderator    []shortTurn `json:"moderator"`
}

type shortTurn struct {
	Row  int    `json:"row"`
	Text string `json:"text"`
}

const statementShape = `{"type": "object", "additionalProperties": false, "required": ["text", "quotes"], "properties": {
	"text": {"type": "string"}, "quotes": {"type": "array", "items": {"type": "string"}}}}`

// shape is the schema of draft.
var shape = llm.Schema{Name: "analysis", JSON: fmt.Appendf(nil, `{
	"type": "object", "additionalProperties": false,
	"required": ["summary", "tagline", "bullets", "tags", "personas", "other_remarks", "moderator"],
	"properties": {
		"summary": {"type": "array", "items": %[1]s},
		"tagline": %[1]s,
		"bullets": {"type": "array", "items": %[1]s},
		"tags": {"type": "array", "items": %[1]s},
		"personas": {"type": "array", "items": %[1]s},
		"other_remarks": {"type": "array", "items": {"type": "string"}},
		"moderator": {"type": "array", "items": {
			"type": "object", "additionalProperties": false, "required": ["row", "text"],
			"properties": {"row": {"type": "integer"}, "text": {"type": "string"}}}}
	}
}`, statementShape)}

// briefing is the input of a model. It is sent as JSON, so that no answer can end the string that holds it.
type briefing struct {
	Study      studyBrief     `json:"study"`
	Language   string         `json:"language"`
	Counts     map[string]int `json:"counts"`
	Part       string         `json:"part,omitempty"` // of a long interview
	Rows       []rowBrief     `json:"rows,omitempty"`
	Statements *draft         `json:"statements,omitempty"`
}

type studyBrief struct {
	Title      string `json:"title"`
	Goal       string `json:"goal"`
	Background string `json:"background"`
}

type rowBrief struct {
	Row         int    `json:"row"`
	Concept     string `json:"concept,omitempty"`
	Moderator   string `json:"moderator"`
	Open        bool   `json:"open"`
	Participant string `json:"participant"`
}

// briefOf returns the briefing of an interview without its rows.
func briefOf(in textanalysis.Input) briefing {
	b := briefing{Language: "en", Counts: countsOf(in)}
	if g := in.Guide; g != nil {
		b.Study = studyBrief{Title: g.ParticipantTitle(), Goal: g.StudyGoal, Background: g.Background}
		if g.Config.QuestionLanguage != "" {
			b.Language = g.Config.QuestionLanguage
		}
	}
	return b
}

// countsOf returns the numbers that a model may insert by their names.
func countsOf(in textanalysis.Input) map[string]int {
	counts := map[string]int{
		"asked": len(in.Answers), "questions": len(in.Answers), "answered": 0, "answers": 0, "followUps": 0, "rows": len(textanalysis.Turns(in.Exchanges)),
		"minutes": int(in.Response.Duration.Minutes() + 0.5),
	}
	for _, a := range in.Answers {
		if a.Text != "" {
			counts["answered"]++
			counts["answers"]++
		}
		counts["followUps"] += a.FollowUps
	}
	return counts
}

// rowsOf returns the rows of an interview as a model gets them.
func rowsOf(in textanalysis.Input) []rowBrief {
	open, concepts := map[string]bool{}, map[string]string{}
	if in.Guide != nil {
		for b := range in.Guide.Blocks {
			for i := range in.Guide.Blocks[b].Items {
				it := &in.Guide.Blocks[b].Items[i]
				open[it.ID] = it.Type == guide.OpenEnded
			}
		}
	}
	for _, a := range in.Answers {
		concepts[a.ConceptID] = a.ConceptTitle
	}
	rows := make([]rowBrief, 0, len(in.Exchanges))
	for i, e := range in.Exchanges {
		rows = append(rows, rowBrief{
			Row: textanalysis.Row(i), Concept: concepts[e.ConceptID], Moderator: e.Moderator, Open: isOpen(open, e), Participant: e.User,
		})
	}
	return rows
}

// sendable returns the rows that a model may be given: none of the items whose answers the study withholds.
func sendable(in textanalysis.Input) []rowBrief {
	rows, sent := rowsOf(in), []rowBrief{}
	kept := withheld(in)
	for i, row := range rows {
		if !kept[in.Exchanges[i].ItemID] {
			sent = append(sent, row)
		}
	}
	return sent
}

// withheld returns the items whose answers no model may be given.
func withheld(in textanalysis.Input) map[string]bool {
	if in.Guide == nil {
		return nil
	}
	return in.Guide.Withheld()
}

func isOpen(open map[string]bool, e interview.Exchange) bool { return open[e.ItemID] && !e.Statement }

// message returns a briefing as the user's message of a request.
func (b briefing) message() ([]llm.Message, error) {
	text, err := json.Marshal(b)
	return []llm.Message{{Role: llm.User, Text: string(text)}}, err
}
