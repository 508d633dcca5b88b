package store

import (
	"context"
	"iter"
	"time"

	"verbatim/internal/domain/recording"
)

const recordingColumns = `recording.id, recording.org_id, recording.response_id, recording.step_id, recording.kind, recording.row_index,
	recording.stage, recording.media_type, recording.object, recording.playlist, recording.poster, recording.waveform,
	recording.duration_us, recording.error, recording.hear, recording.created_at`

const selectRecording = `select ` + recordingColumns + `
	from recording `

func scanRecording(r scanner) (c recording.Recording, err error) {
	var micro int64
	err = r.Scan(&c.ID, &c.OrgID, &c.ResponseID, &c.StepID, &c.Kind, &c.Row, &c.Stage, &c.MediaType, &c.Object, &c.Playlist, &c.Poster,
		&c.Waveform, &micro, &c.Error, &c.Transcribe, nullTime{&c.CreatedAt})
	c.Duration = time.Duration(micro) * time.Microsecond
	return c, err
}

// AddRecording stores a recording of a step that is answered in this transaction; the second time it changes nothing. The
// store sets its id and time.
func (tx *Tx) AddRecording(ctx context.Context, c recording.Recording) error {
	_, err := tx.exec(ctx, `insert into recording (id, org_id, response_id, step_id, kind, row_index, stage, hear, created_at)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
		on conflict (response_id, step_id, kind) do nothing`,
		NewID(), c.OrgID, c.ResponseID, c.StepID, c.Kind, c.Row, recording.Waiting, c.Transcribe, micros(tx.at))
	return err
}

// QueueRecordings marks those recordings of a response as queued whose uploads have all arrived, and returns them. The caller
// enqueues their jobs in this transaction (jobs.EnqueueRecordings).
func (tx *Tx) QueueRecordings(ctx context.Context, responseID string) ([]recording.Recording, error) {
	if err := tx.lockStudyOfID(ctx, responseID); err != nil {
		return nil, err
	}
	return collect(ctx, &tx.View, scanRecording, `update recording
		set stage = $1
		where response_id = $2 and stage = $3 and not exists (select 1 from upload u
			where u.response_id = $2 and u.step_id = recording.step_id and u.kind = recording.kind and u.used and u.state = 'open')
		returning `+recordingColumns, recording.Queued, responseID, recording.Waiting)
}

// Recording finds a recording of any organization, for jobs; recording.ErrNoRecording.
func (v *View) Recording(ctx context.Context, id string) (recording.Recording, error) {
	c, err := scanRecording(v.q.QueryRowContext(ctx, selectRecording+`join response r on r.id = recording.response_id
		where recording.id = $1 and r.deleted_at is null`, id))
	return c, noRowsAs(err, recording.ErrNoRecording)
}

// Recordings lists the recordings of a response, in the order of the transcript's rows and of their steps.
func (v *View) Recordings(ctx context.Context, responseID string) ([]recording.Recording, error) {
	return collect(ctx, v, scanRecording, selectRecording+`where response_id = $1 order by row_index, created_at, id`, responseID)
}

// RecordingObjects yields the names of the objects that recordings are played from, except for responses that are being
// deleted. An error ends it.
func (v *View) RecordingObjects(ctx context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		const batch = 500
		for after := ""; ; {
			page, err := collect(ctx, v, scanRecording, selectRecording+`join response r on r.id = recording.response_id
				where recording.id > $1 and recording.stage = 'ready' and r.deleted_at is null
				order by recording.id
				limit $2`, after, batch)
			if err != nil {
				yield("", err)
				return
			}
			for _, c := range page {
				for _, name := range c.Objects() {
					if !yield(name, nil) {
						return
					}
				}
				after = c.ID
			}
			if len(page) < batch {
				return
			}
		}
	}
}

// FinishRecording makes a recording playable. It returns recording.ErrNoRecording when the response is deleted, or when
// another run of the same job came first: then the caller removes what it made.
func (tx *Tx) FinishRecording(ctx context.Context, c recording.Recording, made recording.Rendition) error {
	if err := tx.lockStudyOfID(ctx, c.ResponseID); err != nil {
		return err
	}
	n, err := tx.exec(ctx, `update recording
		set stage = $1, media_type = $2, object = $3, playlist = $4, poster = $5, waveform = $6, duration_us = $7, error = ''
		where id = $8 and stage <> 'ready' and exists (select 1 from response r where r.id = response_id and r.deleted_at is null)`,
		recording.Ready, made.MediaType, made.Object, made.Playlist, made.Poster, made.Waveform, made.Duration.Microseconds(), c.ID)
	if err == nil && n == 0 {
		err = recording.ErrNoRecording
	}
	if err != nil {
		return err
	}
	_, err = tx.exec(ctx, `update response_item set has_media = true where response_id = $1`, c.ResponseID)
	return err
}

// FailRecording marks a recording that is not ready as failed, with a reason that researchers may read. A recording that is
// gone is no error.
func (tx *Tx) FailRecording(ctx context.Context, id, reason string) error {
	_, err := tx.exec(ctx, `update recording set stage = $1, error = $2 where id = $3 and stage <> 'ready'`, recording.Failed, reason, id)
	return err
}
