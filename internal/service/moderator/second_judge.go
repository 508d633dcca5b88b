package moderator

import (
	"cmp"
	"context"
	"encoding/json"

	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/masking"
	"verbatim/internal/domain/usage"
	"verbatim/internal/platform/llm"
)

// judging is the prompt of the second judge.
var judging = llm.ReadPrompt(prompts, "judge-1")

// review is the reply of the second judge.
type review struct {
	Refused bool   `json:"refused"`
	Rule    string `json:"rule"`
	Reason  string `json:"reason"`
}

var reviewShape = llm.Schema{Name: "review", JSON: []byte(`{
	"type": "object", "additionalProperties": false, "required": ["refused", "rule", "reason"],
	"properties": {
		"refused": {"type": "boolean"},
		"rule": {"type": "string", "enum": ["identifies", "reveals", "suggests", "states", "repeats", "several", "strays", "foreign", "none"]},
		"reason": {"type": "string"}
	}
}`)}

// SecondJudge is the kind of the violations that the second judge finds. It is stored in the log of decisions: do not change it.
const SecondJudge = "second_judge"

// Limits of the second judge's reply.
const (
	judgeTokens = 150
	judgeText   = 2048 // bytes
)

// refusedByJudge asks the model, with a prompt of its own, about words that the guard accepts. It can only refuse more: without a reply in
// time, or one that cannot be read, it returns nil, and the guard's judgement stands.
func (c *conversation) refusedByJudge(ctx context.Context, words string) []interview.Violation {
	if !c.SecondJudge || words == "" {
		return nil
	}
	reply, err := c.LLM.Chat(ctx, llm.Request{
		Purpose: "judge", Scope: usage.Scope{OrgID: c.in.OrgID, StudyID: c.in.StudyID, ResponseID: c.in.ResponseID},
		System: judging.Text, Messages: []llm.Message{{Role: llm.User, Text: reviewMessage(c.in, words)}}, Schema: &reviewShape,
		MaxTokens: judgeTokens, MaxText: judgeText, Seed: int64(c.decided.Seed),
		Masker: masking.OfInterview(c.in.Exchanges, c.in.Guide.Withheld(), c.in.Private),
	})
	c.count(reply)
	var found review
	if err != nil || json.Unmarshal([]byte(reply.Text), &found) != nil || !found.Refused {
		return nil
	}
	return []interview.Violation{{Kind: SecondJudge, Detail: cmp.Or(found.Rule, "none") + ": " + found.Reason}}
}

// reviewMessage returns the message that the second judge answers.
func reviewMessage(in interview.Ask, words string) string {
	return asJSON(struct {
		briefing
		Proposed string `json:"proposed"`
	}{briefingOf(in), words})
}
