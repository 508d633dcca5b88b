package moderator

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"verbatim/internal/domain/guardrail"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/masking"
	"verbatim/internal/domain/usage"
	"verbatim/internal/platform/llm"
)

// Model is the moderator whose words come from a language model. Rules limit it: they say when nothing more may be asked, what
// may not be asked (package guardrail), and how long a participant waits. If it fails in any way, BuiltIn decides.
type Model struct {
	LLM    llm.ChatModel
	Within time.Duration // how long a participant waits at most, both attempts together; 0: the constant Timeout
}

// Timeout is the longest a participant waits for a model if Model.Within is zero.
const Timeout = 8 * time.Second

// Limits of a request to the model.
const (
	modelAttempts    = 2
	modelTokens      = 400
	modelText        = 4096 // bytes of a reply, with escapes; a longer one is cut off while it arrives
	modelTemperature = 0.3
	maxRunes         = 300 // of a follow-up; the prompt asks for fewer
	seeds            = 1 << 31
)

// Decide asks the model once, and a second time with the reasons if the guard refuses its question; then BuiltIn decides.
func (m *Model) Decide(ctx context.Context, in interview.Ask) interview.Decision {
	if reason := declineReason(in); reason != "" {
		return interview.Decision{Provider: interview.BuiltIn, Reason: reason}
	}
	if in.Guide.Withheld()[in.Item.ID] { // the answer may not be sent, so nothing can be asked about it
		return BuiltIn{}.Decide(ctx, in)
	}
	begun := time.Now()
	within := m.Within
	if within == 0 {
		within = Timeout
	}
	asking, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	c := conversation{Model: m, in: in, guard: guardrail.For(guardOf(in)), begun: begun, decided: interview.Decision{
		Prompt: current.Name, PromptHash: current.Hash, Seed: drawFrom(in) % seeds,
	}}
	if err := c.ask(asking); err != nil {
		c.decided.Fallback = fallbackReason(err)
		c.fallBack(ctx)
	}
	if c.decided.Provider == "" { // no model could be asked
		c.decided.Provider = interview.BuiltIn
	}
	c.decided.Took = time.Since(begun)
	return c.decided
}

// Fallback decides in place of a Model whose server died while it was asking: as if the model had failed, and at once.
type Fallback struct{}

// Decide implements fieldwork's Moderator.
func (Fallback) Decide(ctx context.Context, in interview.Ask) interview.Decision {
	if reason := declineReason(in); reason != "" {
		return interview.Decision{Provider: interview.BuiltIn, Reason: reason}
	}
	begun := time.Now()
	c := conversation{in: in, guard: guardrail.For(guardOf(in)), begun: begun, decided: interview.Decision{Provider: interview.BuiltIn, Fallback: interview.FallbackServerDied}}
	c.fallBack(ctx)
	c.decided.Took = time.Since(begun)
	return c.decided
}

// declineReason returns why no follow-up may be asked, whatever a model would say, or "" if one may be asked.
func declineReason(in interview.Ask) string {
	switch {
	case in.Item == nil || in.Guide == nil || in.Left < 1:
		return "no follow-up is left"
	case strings.TrimSpace(in.Answer) == "":
		return "the answer has no words"
	}
	book := bookFor(in.Language)
	if bookFor("en").wantsToStop(in.Answer) || book != nil && book.wantsToStop(in.Answer) {
		return leaves.name
	}
	return ""
}

// guardOf returns what the guard needs to know of an ask.
func guardOf(in interview.Ask) guardrail.Context {
	c := guardrail.Context{
		Language: in.Language, Question: in.Item.Text, StudyTitle: in.Guide.ParticipantTitle(), StudyGoal: in.Guide.StudyGoal,
		Answer: in.Answer, Earlier: in.Earlier, Asked: in.Asked, Questions: others(in), MaxRunes: maxRunes, Left: in.Left,
		Background: in.Guide.Background, Instructions: in.Item.AddInstructions,
		Secrets: []string{current.Text, in.Guide.StudyGoal, in.Guide.Background, in.Item.AddInstructions},
	}
	if in.Guide.Title != c.StudyTitle { // then the title is internal
		c.Background += "\n“" + in.Guide.Title + "”"
		c.Secrets = append(c.Secrets, in.Guide.Title)
	}
	if in.Concept != nil {
		c.ConceptTitle = in.Concept.Title
	}
	return c
}

// conversation is one decision in progress.
type conversation struct {
	*Model
	in      interview.Ask
	guard   *guardrail.Guard
	begun   time.Time
	decided interview.Decision

	// State of the reply that is being streamed.
	streamed bool              // some of it has arrived
	shown    interview.Attempt // its question, if the page already shows it
}

// errRefused ends the attempts.
var errRefused = errors.New("the guard refused what the model would ask")

// ask fills in the decision, or returns why there is none.
func (c *conversation) ask(ctx context.Context) error {
	messages := []llm.Message{{Role: llm.User, Text: brief(c.in)}}
	var failed error
	for range modelAttempts {
		reply, err := c.LLM.Chat(ctx, c.request(messages))
		c.count(reply)
		var answer modelReply
		if err == nil && json.Unmarshal([]byte(reply.Text), &answer) != nil {
			err = llm.ErrShape
		}
		switch {
		case err != nil && c.shown.Words != "": // the participant has already read it
			c.accept(c.shown)
			return nil
		case err != nil:
			if failed = err; ctx.Err() != nil || !c.streamed || errors.Is(err, llm.ErrRefused) {
				return err
			}
			continue // some of the reply had arrived, which the client does not retry
		}
		failed = errRefused
		attempt := interview.Attempt{Reason: answer.Reason}
		if answer.Probe {
			attempt = attemptOf(strings.TrimSpace(answer.Question), answer.Kind, answer.Reason)
			for _, violation := range c.guard.Judge(attempt.Words) {
				attempt.Violations = append(attempt.Violations, interview.Violation{Kind: string(violation.Kind), Detail: violation.Detail})
			}
		}
		if len(attempt.Violations) == 0 {
			c.accept(attempt)
			return nil
		}
		c.decided.Attempts = append(c.decided.Attempts, attempt)
		messages = append(messages, llm.Message{Role: llm.Assistant, Text: reply.Text}, llm.Message{Role: llm.User, Text: again(attempt.Violations)})
	}
	return failed
}

// accept takes an attempt as the decision.
func (c *conversation) accept(a interview.Attempt) {
	c.decided.Attempts = append(c.decided.Attempts, a)
	c.decided.Words, c.decided.Kind, c.decided.Reason = a.Words, a.Kind, a.Reason
	if a.Words != "" && a.Words != c.shown.Words {
		c.show(a.Words)
	}
}

// request returns the next request to the model. While the model writes, the participant gets as much as may be shown.
func (c *conversation) request(messages []llm.Message) llm.Request {
	r := llm.Request{
		Purpose: "moderate", Scope: usage.Scope{OrgID: c.in.OrgID, StudyID: c.in.StudyID, ResponseID: c.in.ResponseID},
		System: current.Text, Messages: messages, Schema: &shape, MaxTokens: modelTokens, MaxText: modelText, Temperature: modelTemperature,
		Seed: int64(c.decided.Seed), Masker: masking.OfInterview(c.in.Exchanges, c.in.Guide.Withheld(), c.in.Private),
	}
	if c.streamed, c.shown = false, (interview.Attempt{}); c.in.Words != nil {
		r.Delta = c.streamReader()
	}
	return r
}

// streamReader returns a function that reads a reply while it is written. It shows the question as soon as it is complete and the guard
// accepts it, without waiting for the reason. It does not show beginnings: too many that are harmless by themselves begin what a
// hostile participant told the model to say.
func (c *conversation) streamReader() func(text string) {
	var answer llm.Partial
	complete := false
	return func(text string) {
		c.streamed = true
		if complete {
			return
		}
		answer.Write(text)
		words, ended := answer.Field("question")
		if probes, _ := answer.Field("probe"); !ended || probes != "true" {
			return
		}
		complete, words = true, strings.TrimSpace(words)
		if len(c.guard.Judge(words)) == 0 {
			kind, _ := answer.Field("kind")
			c.shown = attemptOf(words, interview.ProbeKind(kind), "the reply ended before its reason")
			c.show(words)
		}
	}
}

// attemptOf returns an attempt with the model's words. An unknown kind becomes "".
func attemptOf(words string, kind interview.ProbeKind, reason string) interview.Attempt {
	if !slices.Contains(interview.ProbeKinds, kind) {
		kind = ""
	}
	return interview.Attempt{Words: words, Kind: kind, Reason: reason}
}

// show shows words to the participant.
func (c *conversation) show(words string) {
	if c.decided.FirstWords == 0 {
		c.decided.FirstWords = time.Since(c.begun)
	}
	if c.in.Words != nil {
		c.in.Words(words)
	}
}

// count adds the cost of a call.
func (c *conversation) count(reply llm.Reply) {
	if reply.Provider != "" {
		c.decided.Provider, c.decided.Model = reply.Provider, reply.Model
	}
	c.decided.PromptTokens += reply.Usage.PromptTokens
	c.decided.CompletionTokens += reply.Usage.CompletionTokens
	c.decided.MicroCost += reply.Usage.MicroCost
}

// fallBack lets BuiltIn decide. The guard judges its words, too, because the guard knows what the model asked before.
func (c *conversation) fallBack(ctx context.Context) {
	b := BuiltIn{}.Decide(ctx, c.in)
	if b.Words != "" && len(c.guard.Judge(b.Words)) > 0 {
		b.Words, b.Kind, b.Reason = "", "", "the guard refuses the built-in question"
	}
	c.decided.Words, c.decided.Kind, c.decided.Reason = b.Words, b.Kind, b.Reason
}

// fallbackReason returns the code for the reason why BuiltIn decides.
func fallbackReason(err error) string {
	switch {
	case errors.Is(err, errRefused):
		return interview.FallbackGuard
	case errors.Is(err, context.DeadlineExceeded):
		return interview.FallbackTimeout
	case errors.Is(err, llm.ErrCeiling):
		return interview.FallbackCeiling
	case errors.Is(err, llm.ErrRefused):
		return interview.FallbackModelRefused
	case errors.Is(err, llm.ErrShape):
		return interview.FallbackMalformed
	}
	return interview.FallbackUnavailable
}
