package asking

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"time"
	"unicode/utf8"

	"verbatim/internal/domain/masking"
	"verbatim/internal/domain/usage"
	"verbatim/internal/platform/llm"
)

//go:embed prompts
var prompts embed.FS

var promptAsk = llm.ReadPrompt(prompts, "ask-1")

const (
	maxSent      = 24     // passages sent to the model
	maxSentRunes = 12_000 // characters of them together
)

// draft is an answer as a model writes it.
type draft struct {
	Supported bool        `json:"supported"`
	Sentences []statement `json:"sentences"`
}

type statement struct {
	Text   string   `json:"text"`
	Quotes []string `json:"quotes"`
}

var shape = llm.Schema{Name: "answer_from_passages", JSON: []byte(`{
	"type": "object", "additionalProperties": false, "required": ["supported", "sentences"], "properties": {
		"supported": {"type": "boolean"},
		"sentences": {"type": "array", "items": {
			"type": "object", "additionalProperties": false, "required": ["text", "quotes"], "properties": {
				"text": {"type": "string"}, "quotes": {"type": "array", "items": {"type": "string"}}}}}
	}
}`)}

// briefing is the input of a model. It is sent as JSON, so that no answer can end the string that holds it.
type briefing struct {
	Question string         `json:"question"`
	Passages []passageBrief `json:"passages"`
}

// passageBrief names people by small numbers, which identify nobody.
type passageBrief struct {
	Passage int    `json:"passage"`
	Study   int    `json:"study"`
	Person  int    `json:"person"`
	Asked   string `json:"asked"`
	Said    string `json:"said"`
}

// forModel returns what is sent to the model of the question and its passages, and the private values to mask in it. It is the
// only way by which words reach the model: whatever its author withholds is left out here. A passage that is not to be sent is
// returned in no briefing and cannot be quoted, because quotes are looked for in what was sent.
func forModel(question string, passages []Passage) (b briefing, sent []Passage, private []string) {
	runes := 0
	for _, p := range passages {
		if p.withheld || givesOrders(p.Said) { // what gives orders is no evidence; a researcher sees it among the passages
			continue
		}
		n := utf8.RuneCountInString(p.Asked) + utf8.RuneCountInString(p.Said)
		if len(sent) == maxSent || len(sent) > 0 && runes+n > maxSentRunes {
			break
		}
		runes += n
		sent = append(sent, p)
	}
	people, studies := map[string]int{}, map[string]int{}
	number := func(of map[string]int, id string) int {
		if of[id] == 0 {
			of[id] = len(of) + 1
		}
		return of[id]
	}
	b.Question = question
	for i, p := range sent {
		b.Passages = append(b.Passages, passageBrief{i + 1, number(studies, p.StudyID), number(people, p.ResponseID), p.Asked, p.Said})
		private = append(private, masking.PrivateValues(p.params)...)
	}
	return b, sent, private
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

// write has the model answer from the passages. Where it fails the answer stays as it is, and says so.
func (s *Service) write(ctx context.Context, q Question, answer Answer, found []Passage) (Answer, error) {
	brief, sent, private := forModel(q.Text, found)
	if len(sent) == 0 {
		answer.Status, answer.Reason = Declined, NotSupported
		return answer, nil
	}
	language, err := s.language(ctx, q)
	if err != nil {
		return Answer{}, err
	}
	within, cancel := context.WithTimeout(ctx, cmp.Or(s.Within, time.Minute))
	defer cancel()
	reply, err := s.Chat.Chat(within, llm.Request{
		Purpose:    "ask",
		Scope:      usage.Scope{OrgID: q.OrgID, StudyID: q.studyID()},
		System:     promptAsk.Text,
		Messages:   brief.message(),
		Schema:     &shape,
		MaxTokens:  2048,
		Seed:       1,
		Background: true,
		Masker:     masking.New(private...),
	})
	if ctx.Err() != nil {
		return Answer{}, ctx.Err()
	}
	var d draft
	if err == nil {
		err = llm.Decode(reply.Text, &shape, &d)
	}
	if err != nil {
		answer.Reason = ModelUnavailable
		return answer, nil
	}
	answer.Provider, answer.Model, answer.Prompt = reply.Provider, reply.Model, promptAsk.Name
	if d.Supported {
		c := newChecker(q.Text, language, sent)
		for _, one := range d.Sentences {
			sentence, ok := c.sentence(one)
			if !ok || len(answer.Sentences) == maxSentences {
				answer.Dropped++
				continue
			}
			answer.Sentences = append(answer.Sentences, sentence)
		}
	}
	answer.Status, answer.Reason = Answered, ""
	if len(answer.Sentences) == 0 {
		answer.Status, answer.Reason = Declined, NotSupported
	}
	return answer, nil
}
