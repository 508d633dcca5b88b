package transcription

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/recording"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/transcript"
	"verbatim/internal/domain/usage"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/jobs"
)

// Run transcribes the recording of a job of jobs.KindTranscribe, and makes the transcript the text of the answer in every
// document. The recording must be the only content of its answer (Transcribe); typed text and an earlier transcript are kept.
// Run may be repeated at any time. If transcription is unavailable, or nothing was understood, the answer stays without text:
// the recording is still there.
func (s *Service) Run(ctx context.Context, job store.Job) (err error) {
	defer operation.Wrap(&err, "transcription.Run")
	args := jobs.DecodeTranscribe(job)
	rec, err := s.Store.View().Recording(ctx, args.RecordingID)
	if errors.Is(err, recording.ErrNoRecording) || err == nil && !rec.Transcribe {
		return nil
	}
	if err != nil {
		return err
	}
	words, err := s.recordingText(ctx, &rec)
	if errors.Is(err, errUnavailable) || errors.Is(err, errTooLong) || errors.Is(err, response.ErrGone) {
		return nil
	}
	if ceiling, ok := errors.AsType[*usage.CeilingError](err); ok {
		return s.retryTomorrow(ctx, args, ceiling)
	}
	if err == nil && words != "" {
		err = s.saveText(ctx, &rec, words)
	}
	if err != nil {
		return fmt.Errorf("transcribing recording %s: %w", rec.ID, err)
	}
	return nil
}

// retryTomorrow enqueues the job for the next day if it was a day's ceiling that was reached. The ceilings of an interview and
// a study do not reset, so then the answer stays without text.
func (s *Service) retryTomorrow(ctx context.Context, args jobs.TranscribeArgs, ceiling *usage.CeilingError) error {
	if ceiling.Of != "day" {
		return nil
	}
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		return jobs.EnqueueAt(ctx, tx, args, tx.Now().Truncate(24*time.Hour).Add(24*time.Hour+afterMidnight))
	})
}

// afterMidnight reserves the first minutes of a day's ceiling for participants who are waiting.
const afterMidnight = 10 * time.Minute

// recordingText returns the transcript of all sessions of a recording.
func (s *Service) recordingText(ctx context.Context, rec *recording.Recording) (string, error) {
	uploads, err := s.Store.View().Uploads(ctx, rec.ResponseID)
	if err != nil {
		return "", err
	}
	var all transcript.Recognized
	for _, u := range uploads {
		if u.StepID != rec.StepID || u.Kind != rec.Kind || !u.Used || u.State != recording.Complete || u.Received == 0 {
			continue
		}
		t, err := s.transcribe(ctx, u, jobTimeout)
		if err != nil {
			return "", err
		}
		all.Append(transcript.Recognized{Text: t.Text}, 0)
	}
	all.Clean(0) // together they may be longer than an answer may be
	return all.Text, nil
}

// saveText makes words the text of the answer that a recording belongs to, and updates everything that depends on the answer,
// in one transaction. An interview that changes meanwhile is loaded again.
func (s *Service) saveText(ctx context.Context, rec *recording.Recording, words string) error {
	for {
		err := s.saveTextOnce(ctx, rec, words)
		if !errors.Is(err, response.ErrMoved) {
			return err
		}
	}
}

// saveTextOnce is one try of saveText. It returns response.ErrMoved if the interview changed meanwhile.
func (s *Service) saveTextOnce(ctx context.Context, rec *recording.Recording, words string) error {
	view := s.Store.View()
	r, err := view.AnyResponse(ctx, rec.ResponseID)
	if errors.Is(err, response.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	compiled, err := s.Interviews.CompiledGuide(ctx, view, r.OrgID, r.StudyID, r.Revision)
	if err != nil {
		return err
	}
	turns, err := view.Turns(ctx, r.ID)
	if err != nil || !fillText(compiled.Guide, turns, rec.StepID, words) {
		return err
	}
	iv, err := compiled.Replay(r, turns)
	if err != nil {
		return err
	}
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		err := iv.Lock(ctx, tx)
		if err != nil {
			return err
		}
		next := iv // iv stays as it was loaded, because Write may run this again
		if next.Response.UpdatedAt, err = tx.NextUpdate(ctx, r.StudyID); err != nil {
			return err
		}
		if err := tx.TranscribeTurn(ctx, r.ID, rec.StepID, words, next.Response.UpdatedAt); err != nil {
			return err
		}
		analysis, err := tx.Analysis(ctx, r.ID)
		if err != nil {
			return err
		}
		if s.TranslateAnswers {
			if err := next.EnqueueTranslation(ctx, tx); err != nil {
				return err
			}
		}
		if err := next.SaveDocuments(ctx, tx, analysis); err != nil || analysis == nil {
			return err
		}
		return jobs.Enqueue(ctx, tx, jobs.AnalyseArgs{ResponseID: r.ID}) // the analysis was written without these words
	})
}

// fillText sets the text of a step's turn, as store.TranscribeTurn does. It reports whether there was a turn without text that
// accepts it.
func fillText(g *guide.Guide, turns []interview.Turn, stepID, words string) bool {
	for i := range turns {
		t := &turns[i]
		if t.StepID == stepID && acceptsText(g, t) {
			t.Answer.Text = words
			return true
		}
	}
	return false
}

// acceptsText reports whether a transcript may become a turn's text: the turn is answered in words, and nothing was typed.
func acceptsText(g *guide.Guide, t *interview.Turn) bool {
	if strings.TrimSpace(t.Answer.Text) != "" {
		return false
	}
	item, _, _ := g.Item(t.ItemID)
	return t.Kind == interview.TurnReply || t.Kind == interview.TurnAnswer && item != nil && item.Type == guide.OpenEnded
}

const (
	// Attempts and Backoff configure the runner of these jobs: ten attempts over about three hours.
	Attempts = 10
	Backoff  = 30 * time.Second
)
