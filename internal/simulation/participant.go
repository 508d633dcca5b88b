package simulation

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Participant is one simulated person. The zero Persona has a mixed mood and uses few words.
type Participant struct {
	Persona
	Seed     uint64
	Language string              // requested at the start; empty: the study's own
	Rejects  map[string][]string // option ids that screen out, by question id, if the caller knows them
	Timeout  time.Duration       // how long one request is retried while the server cannot be reached or is busy; 0: no retries
	Pause    time.Duration       // average thinking time before each answer

	// Think is called before each answer with the time that a person needs to read, think and type; the answer then has how it was
	// typed. nil: the participant needs none.
	Think func(context.Context, time.Duration) error
}

// New returns a participant with a persona drawn from the seed.
func New(seed uint64) *Participant { return &Participant{Persona: Draw(seed), Seed: seed} }

// Outcome is the result of an interview.
type Outcome struct {
	Token   string
	End     string  // complete, screened_out, quota_full, or left (deliberately stopped half-way)
	Given   []Given // every answer that the server acknowledged, in order
	Retries int     // requests that had to be sent again
}

// The ends besides those of the protocol's steps.
const (
	Complete    = "complete"
	ScreenedOut = "screened_out"
	QuotaFull   = "quota_full"
	Left        = "left"
	Before      = "took_part_before" // of a Load: the study knows the participant already
)

// Given is an acknowledged answer.
type Given struct {
	StepID     string
	QuestionID string
	ConceptID  string
	Body       Body
}

// Take takes an interview on a study link from consent to its end. baseURL is the service's address; params are added to the
// link. The outcome is filled in as far as the interview got, even on an error.
//
// A request that got no answer is sent again with the same stepId until Timeout is over; the server stores the answer once.
// A start that got no answer may leave behind an interview that nobody continues.
func (p *Participant) Take(ctx context.Context, client *http.Client, baseURL, linkID string, params url.Values) (Outcome, error) {
	t := session{Participant: p, client: client, base: strings.TrimSuffix(baseURL, "/"), mind: newMind(p), pace: newPace(p.Seed)}
	err := t.run(ctx, linkID, params)
	return t.outcome, err
}

// session is an interview in progress.
type session struct {
	*Participant
	client  *http.Client
	base    string
	mind    *mind
	pace    pace
	outcome Outcome
}

func (t *session) run(ctx context.Context, linkID string, params url.Values) error {
	var begun struct {
		Token string `json:"token"`
		Step  step   `json:"step"`
	}
	start := Body{"oldEnough": true} // simulated people are
	if t.Language != "" {
		start["language"] = t.Language
	}
	if err := t.post(ctx, "/s/"+url.PathEscape(linkID)+"/interviews?"+params.Encode(), start, &begun); err != nil {
		return fmt.Errorf("starting: %w", err)
	}
	t.outcome.Token = begun.Token
	at := begun.Step
	for {
		switch {
		case at.Kind == ScreenedOut && at.Reason == QuotaFull:
			t.outcome.End = QuotaFull
			return nil
		case at.Kind == Complete || at.Kind == ScreenedOut:
			t.outcome.End = at.Kind
			return nil
		case t.LeaveAfter > 0 && len(t.outcome.Given) >= t.LeaveAfter:
			t.outcome.End = Left
			return nil
		}
		next, err := t.answer(ctx, at)
		if err != nil {
			return fmt.Errorf("step %s: %w", at.StepID, err)
		}
		at = next
	}
}

// answer thinks, answers one step and returns the next.
func (t *session) answer(ctx context.Context, at step) (step, error) {
	body, err := t.mind.answer(at)
	if err != nil {
		return step{}, err
	}
	if t.Pause > 0 {
		if err := sleep(ctx, t.Pause/2+time.Duration(t.mind.chance.Int64N(int64(t.Pause)))); err != nil {
			return step{}, err
		}
	}
	sent := Body{"stepId": at.StepID}
	for key, value := range body {
		sent[key] = value
	}
	if t.Think != nil {
		needed, typed := t.pace.timeFor(at, body)
		if err := t.Think(ctx, needed); err != nil {
			return step{}, err
		}
		if typed != nil {
			sent["telemetry"] = typed
		}
	}
	var next struct {
		Step step `json:"step"`
	}
	err = t.post(ctx, "/i/"+t.outcome.Token+"/answers", sent, &next)
	if refused, ok := errors.AsType[*RefusedError](err); ok && refused.step != nil {
		return *refused.step, nil // another client with the same token was faster: continue where the interview stands
	}
	if err != nil {
		return step{}, err
	}
	given := Given{StepID: at.StepID, Body: body}
	if at.Question != nil {
		given.QuestionID = at.Question.ID
	}
	if at.Concept != nil {
		given.ConceptID = at.Concept.ID
	}
	t.outcome.Given = append(t.outcome.Given, given)
	return next.Step, nil
}

// RefusedError is an error response of the server.
type RefusedError struct {
	Status  int
	Code    string
	Message string

	step *step
}

// Error implements error.
func (e *RefusedError) Error() string { return fmt.Sprintf("%d %s: %s", e.Status, e.Code, e.Message) }

// temporary reports whether a retry may succeed: no connection, a busy server, a proxy in front of a dead one.
func temporary(err error) bool {
	refused, ok := errors.AsType[*RefusedError](err)
	return !ok || refused.Status == http.StatusTooManyRequests || refused.Status >= 500
}

// post sends JSON until it is answered or Timeout is over.
func (t *session) post(ctx context.Context, path string, body Body, answer any) error {
	encoded, err := json.Marshal(body)
	if err != nil {
		return err
	}
	timeout := time.Now().Add(t.Timeout)
	for pause := 20 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		err := t.postOnce(ctx, path, encoded, answer)
		if err == nil || !temporary(err) || ctx.Err() != nil || time.Now().After(timeout) {
			return err
		}
		t.outcome.Retries++
		if err := sleep(ctx, pause/2+rand.N(pause)); err != nil {
			return err
		}
	}
}

func (t *session) postOnce(ctx context.Context, path string, body []byte, answer any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, t.base+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json")
	reply, err := t.client.Do(request)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		return err
	}
	if reply.StatusCode/100 == 2 {
		return json.Unmarshal(text, answer)
	}
	var why refusal
	if json.Unmarshal(text, &why) != nil {
		why.Error = "the server's answer is no JSON"
	}
	return &RefusedError{Status: reply.StatusCode, Code: why.Code, Message: why.Error, step: why.Step}
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
