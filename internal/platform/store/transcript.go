package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"verbatim/internal/domain/recording"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/transcript"
)

// transcriptBody is the stored form of a transcript.
type transcriptBody struct {
	Text  string            `json:"text"`
	Words []transcribedWord `json:"words"`
}

type transcribedWord struct {
	Text       string   `json:"t"`
	Start      int64    `json:"s"` // milliseconds
	End        int64    `json:"e"`
	Confidence *float64 `json:"c,omitempty"`
}

// Listen leases an upload to the caller until a time, to transcribe it, so that nobody else does it at the same time. own is
// false if another caller has the lease, or the upload is transcribed already; response.ErrGone when the response or the
// upload is gone.
func (tx *Tx) Listen(ctx context.Context, responseID, uploadID, listener string, until time.Time) (own bool, err error) {
	if err := tx.lockStudyOfID(ctx, responseID); err != nil {
		return false, err
	}
	n, err := tx.exec(ctx, `insert into transcript (upload_id, response_id, listener, listening_until, created_at)
		select u.id, u.response_id, $1, $2, $3
		from upload u
		join response r on r.id = u.response_id
		where u.id = $4 and u.response_id = $5 and u.state <> 'ended' and r.deleted_at is null
		on conflict (upload_id) do update set listener = excluded.listener, listening_until = excluded.listening_until
		where not transcript.heard and transcript.listening_until <= excluded.created_at`,
		listener, micros(until), micros(tx.at), uploadID, responseID)
	if err != nil || n > 0 {
		return n > 0, err
	}
	var there bool
	err = tx.q.QueryRowContext(ctx, `select exists (select 1 from transcript where upload_id = $1 and response_id = $2)`, uploadID, responseID).Scan(&there)
	if err == nil && !there {
		err = response.ErrGone
	}
	return false, err
}

// StopListening ends the lease of an upload that the listener could not transcribe.
func (tx *Tx) StopListening(ctx context.Context, uploadID, listener string) error {
	_, err := tx.exec(ctx, `delete from transcript where upload_id = $1 and listener = $2 and not heard`, uploadID, listener)
	return err
}

// SaveTranscript stores the transcript of an upload. The first that is stored stays. response.ErrGone when the response or
// the upload is gone.
func (tx *Tx) SaveTranscript(ctx context.Context, responseID, uploadID string, t transcript.Transcript) error {
	if err := tx.lockStudyOfID(ctx, responseID); err != nil {
		return err
	}
	words := make([]transcribedWord, len(t.Words))
	for i, w := range t.Words {
		words[i] = transcribedWord{Text: w.Text, Start: w.Start.Milliseconds(), End: w.End.Milliseconds()}
		if w.Confidence != transcript.Unknown {
			words[i].Confidence = &w.Confidence
		}
	}
	body, err := json.Marshal(transcriptBody{t.Text, words})
	if err != nil {
		return err
	}
	n, err := tx.exec(ctx, `insert into transcript (upload_id, response_id, listener, listening_until, heard, language, body,
			provider, model, duration_us, speech_us, created_at)
		select u.id, u.response_id, '', 0, true, $1, $2, $3, $4, $5, $6, $7
		from upload u
		join response r on r.id = u.response_id
		where u.id = $8 and u.response_id = $9 and u.state <> 'ended' and r.deleted_at is null
		on conflict (upload_id) do update set listener = '', listening_until = 0, heard = true, language = excluded.language,
			body = excluded.body, provider = excluded.provider, model = excluded.model, duration_us = excluded.duration_us, speech_us = excluded.speech_us
		where not transcript.heard`,
		t.Language, string(body), t.Provider, t.Model, t.Duration.Microseconds(), t.Speech.Microseconds(), micros(tx.at), uploadID, responseID)
	if err != nil || n > 0 {
		return err
	}
	if _, err = tx.Transcript(ctx, responseID, uploadID); errors.Is(err, transcript.ErrNone) {
		err = response.ErrGone
	}
	return err
}

const selectTranscript = `select x.language, x.body, x.provider, x.model, x.duration_us, x.speech_us from transcript x `

func scanTranscript(r scanner) (t transcript.Transcript, err error) {
	var body []byte
	var duration, speech int64
	if err := r.Scan(&t.Language, &body, &t.Provider, &t.Model, &duration, &speech); err != nil {
		return t, err
	}
	t.Duration, t.Speech = time.Duration(duration)*time.Microsecond, time.Duration(speech)*time.Microsecond
	var b transcriptBody
	if err := json.Unmarshal(body, &b); err != nil {
		return t, err
	}
	t.Text = b.Text
	for _, w := range b.Words {
		word := transcript.Word{Text: w.Text, Start: time.Duration(w.Start) * time.Millisecond, End: time.Duration(w.End) * time.Millisecond, Confidence: transcript.Unknown}
		if w.Confidence != nil {
			word.Confidence = *w.Confidence
		}
		t.Words = append(t.Words, word)
	}
	return t, nil
}

// Transcript finds the transcript of an upload; transcript.ErrNone as long as there is none.
func (v *View) Transcript(ctx context.Context, responseID, uploadID string) (transcript.Transcript, error) {
	t, err := scanTranscript(v.q.QueryRowContext(ctx, selectTranscript+`where x.upload_id = $1 and x.response_id = $2 and x.heard`, uploadID, responseID))
	return t, noRowsAs(err, transcript.ErrNone)
}

// StepTranscript is the transcript of one upload with the step and kind of the recording that the upload is a part of.
type StepTranscript struct {
	StepID string
	Kind   recording.Kind
	transcript.Transcript
}

// Transcripts lists the transcripts of a response that answers use, in the order in which their recordings began.
func (v *View) Transcripts(ctx context.Context, responseID string) ([]StepTranscript, error) {
	return collect(ctx, v, func(r scanner) (t StepTranscript, err error) {
		t.Transcript, err = scanTranscript(withColumns{r, []any{&t.StepID, &t.Kind}})
		return t, err
	}, `select x.language, x.body, x.provider, x.model, x.duration_us, x.speech_us, u.step_id, u.kind
		from transcript x
		join upload u on u.id = x.upload_id
		where x.response_id = $1 and x.heard and u.used
		order by u.created_at, u.id`, responseID)
}

// withColumns scans further columns after those that its reader knows.
type withColumns struct {
	scanner
	more []any
}

// Scan implements scanner.
func (w withColumns) Scan(dest ...any) error { return w.scanner.Scan(append(dest, w.more...)...) }

// TranscribeTurn makes the transcript of a recording the text of the answer at that step, and sets the response's update
// time. It does nothing if the answer has a transcript already. The caller makes sure that the answer is one that takes text
// and has none, and stores the documents.
func (tx *Tx) TranscribeTurn(ctx context.Context, responseID, stepID, words string, at time.Time) error {
	if err := tx.lockStudyOfID(ctx, responseID); err != nil {
		return err
	}
	n, err := tx.exec(ctx, `update turn
		set heard = $1, heard_at = $2
		where response_id = $3 and step_id = $4 and kind in ('answer', 'reply') and heard is null`,
		words, micros(at), responseID, stepID)
	if err == nil && n > 0 {
		_, err = tx.exec(ctx, `update response set updated_at = $1 where id = $2`, micros(at), responseID)
	}
	return err
}

// TranscribedAt returns when transcribed words last entered a response's log; zero if none did.
func (v *View) TranscribedAt(ctx context.Context, responseID string) (at time.Time, err error) {
	var micro sql.NullInt64
	err = v.q.QueryRowContext(ctx, `select max(heard_at) from turn where response_id = $1`, responseID).Scan(&micro)
	if micro.Valid {
		at = time.UnixMicro(micro.Int64).UTC()
	}
	return at, err
}
