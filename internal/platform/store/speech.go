package store

import (
	"context"
	"time"

	"verbatim/internal/domain/usage"
)

// SpeechReceipt names the count to which speech was added, so that speech that was not transcribed can be subtracted there.
type SpeechReceipt struct {
	scope  usage.Scope
	day    string
	speech time.Duration
}

// Speech returns how much was counted.
func (r SpeechReceipt) Speech() time.Duration { return r.speech }

// CountSpeech adds speech that is about to be sent to a service to the totals of its interview, its study and the day; a
// *usage.CeilingError when that would exceed a ceiling, and then nothing is counted. Of two that would exceed a ceiling
// together, one fails.
func (tx *Tx) CountSpeech(ctx context.Context, scope usage.Scope, speech time.Duration, limits usage.SpeechLimits) (SpeechReceipt, error) {
	there, err := tx.lockResponseRow(ctx, scope.ResponseID)
	if err != nil {
		return SpeechReceipt{}, err
	}
	if !there {
		scope.ResponseID = ""
	}
	receipt := SpeechReceipt{scope: scope, day: tx.day(), speech: speech}
	var spoken usage.SpeechTotals
	for _, row := range receipt.rows() {
		total, err := tx.addSpeech(ctx, row.scope, row.id, speech)
		if err != nil {
			return SpeechReceipt{}, err
		}
		switch row.scope {
		case usageInterview:
			spoken.Interview = total
		case usageStudy:
			spoken.Study = total
		case usageDay:
			spoken.Day = total
		}
	}
	return receipt, limits.Check(spoken)
}

// ReturnSpeech subtracts speech that was counted and then not transcribed from the totals.
func (tx *Tx) ReturnSpeech(ctx context.Context, r SpeechReceipt, unheard time.Duration) error {
	if r.scope.ResponseID != "" {
		there, err := tx.lockResponseRow(ctx, r.scope.ResponseID)
		if err != nil {
			return err
		}
		if !there {
			r.scope.ResponseID = ""
		}
	}
	for _, row := range r.rows() {
		if _, err := tx.addSpeech(ctx, row.scope, row.id, -min(unheard, r.speech)); err != nil {
			return err
		}
	}
	return nil
}

type speechRow struct{ scope, id string }

// rows returns the totals of a receipt, in the order in which they are locked.
func (r SpeechReceipt) rows() (rows []speechRow) {
	for _, row := range []speechRow{{usageInterview, r.scope.ResponseID}, {usageStudy, r.scope.StudyID}, {usageDay, r.day}} {
		if row.id != "" {
			rows = append(rows, row)
		}
	}
	return rows
}

func (tx *Tx) addSpeech(ctx context.Context, scope, id string, speech time.Duration) (time.Duration, error) {
	var micro int64
	err := tx.q.QueryRowContext(ctx, `insert into speech_total (scope, id, speech_us)
		values ($1, $2, $3)
		on conflict (scope, id) do update set speech_us = speech_total.speech_us + excluded.speech_us
		returning speech_us`,
		scope, id, speech.Microseconds()).Scan(&micro)
	return time.Duration(micro) * time.Microsecond, err
}

// purgeSpeech removes the total of a response; those of its study and its days stay.
func (tx *Tx) purgeSpeech(ctx context.Context, responseID string) error {
	_, err := tx.exec(ctx, `delete from speech_total where scope = 'interview' and id = $1`, responseID)
	return err
}
