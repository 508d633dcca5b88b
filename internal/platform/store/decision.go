package store

import (
	"context"
	"encoding/json"
	"time"

	"verbatim/internal/domain/interview"
)

// decisionBody is the stored form of the parts of a decision that have no columns.
type decisionBody struct {
	Reason   string        `json:"reason,omitempty"`
	Attempts []attemptBody `json:"attempts,omitempty"`
}

type attemptBody struct {
	Words      string              `json:"words,omitempty"`
	Kind       interview.ProbeKind `json:"kind,omitempty"`
	Reason     string              `json:"reason,omitempty"`
	Violations []violationBody     `json:"faults,omitempty"`
}

type violationBody struct {
	Kind   string `json:"kind"`
	Detail string `json:"detail,omitempty"`
}

// AppendDecision stores how a turn of the moderator came about, in the transaction that appends the turn.
func (tx *Tx) AppendDecision(ctx context.Context, responseID string, seq int, d interview.Decision) error {
	b := decisionBody{Reason: d.Reason}
	for _, a := range d.Attempts {
		attempt := attemptBody{Words: a.Words, Kind: a.Kind, Reason: a.Reason}
		for _, f := range a.Violations {
			attempt.Violations = append(attempt.Violations, violationBody(f))
		}
		b.Attempts = append(b.Attempts, attempt)
	}
	body, err := json.Marshal(b)
	if err != nil {
		return err
	}
	return tx.run(ctx, `insert into decision (response_id, seq, words, kind, provider, model, prompt, prompt_hash, seed, fallback,
			prompt_tokens, completion_tokens, micro_cost, first_words_us, took_us, body, created_at)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
		responseID, seq, d.Words, d.Kind, d.Provider, d.Model, d.Prompt, d.PromptHash, int64(d.Seed), d.Fallback,
		d.PromptTokens, d.CompletionTokens, d.MicroCost, d.FirstWords.Microseconds(), d.Took.Microseconds(), string(body), micros(tx.at))
}

// Decisions returns how the moderator's turns of a response came about, by the numbers of the turns.
func (v *View) Decisions(ctx context.Context, responseID string) (map[int]interview.Decision, error) {
	bySeq := map[int]interview.Decision{}
	_, err := collect(ctx, v, func(r scanner) (none struct{}, err error) {
		var seq int
		var seed, first, took int64
		var raw []byte
		var d interview.Decision
		if err := r.Scan(&seq, &d.Words, &d.Kind, &d.Provider, &d.Model, &d.Prompt, &d.PromptHash, &seed, &d.Fallback,
			&d.PromptTokens, &d.CompletionTokens, &d.MicroCost, &first, &took, &raw); err != nil {
			return none, err
		}
		var b decisionBody
		if err := json.Unmarshal(raw, &b); err != nil {
			return none, err
		}
		d.Seed, d.Reason = uint64(seed), b.Reason
		d.FirstWords, d.Took = time.Duration(first)*time.Microsecond, time.Duration(took)*time.Microsecond
		for _, a := range b.Attempts {
			attempt := interview.Attempt{Words: a.Words, Kind: a.Kind, Reason: a.Reason}
			for _, f := range a.Violations {
				attempt.Violations = append(attempt.Violations, interview.Violation(f))
			}
			d.Attempts = append(d.Attempts, attempt)
		}
		bySeq[seq] = d
		return none, nil
	}, `select seq, words, kind, provider, model, prompt, prompt_hash, seed, fallback, prompt_tokens, completion_tokens, micro_cost,
		first_words_us, took_us, body
		from decision
		where response_id = $1`, responseID)
	return bySeq, err
}

// ResponseIDs lists the responses of a study in the order of their numbers, without imported ones and those that are being
// deleted.
func (v *View) ResponseIDs(ctx context.Context, studyID string) ([]string, error) {
	return collect(ctx, v, func(r scanner) (id string, err error) { return id, r.Scan(&id) },
		`select id
			from response r
			where study_id = $1 and deleted_at is null
				and not exists (select 1 from imported_item i where i.response_id = r.id)
			order by readable_id`, studyID)
}
