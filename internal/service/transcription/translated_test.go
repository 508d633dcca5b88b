package transcription_test

import (
	"testing"
	"time"

	"verbatim/internal/domain/recording"
	"verbatim/internal/domain/response"
	"verbatim/internal/platform/speech/speechtest"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/jobs"
)

// TestTranscriptsAreTranslated: only if the interview is already over; otherwise its end enqueues the translation.
func TestTranscriptsAreTranslated(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, language string
		on             bool
		ended          response.Progress
		jobs           int
	}{
		{"over", "de", true, response.Complete, 1},
		{"not over", "de", true, response.InProgress, 0},
		{"its own language", "en", true, response.Complete, 0},
		{"nobody translates", "de", false, response.Complete, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := newFixture(t, speechtest.Says("Ich mag Äpfel.", time.Second/2))
			b.service.TranslateAnswers = tt.on
			storetest.Write(t, b.sc.Store, func(tx *store.Tx) (err error) {
				b.r, err = tx.StartResponse(t.Context(), response.Response{
					ID: store.NewID(), OrgID: b.r.OrgID, StudyID: b.r.StudyID, Revision: b.r.Revision, Seed: 7, Language: tt.language,
					DisclosedAt: tx.Now(), ConsentedAt: tx.Now(),
				}, "hash")
				return err
			})
			job := b.answer("", b.upload(recording.Audio, "s0", recorderFile(t, voice), 0))
			storetest.Write(t, b.sc.Store, func(tx *store.Tx) error {
				r, err := tx.LockResponse(t.Context(), b.r.ID)
				if err != nil {
					return err
				}
				r.Progress = tt.ended
				return tx.SaveProgress(t.Context(), r, tx.Now())
			})
			if err := b.service.Run(t.Context(), job); err != nil {
				t.Fatal(err)
			}
			b.wantText("Ich mag Äpfel.")
			if claimed := b.jobs(jobs.KindTranslate); len(claimed) != tt.jobs {
				t.Errorf("jobs: %+v, want %d", claimed, tt.jobs)
			}
		})
	}
}
