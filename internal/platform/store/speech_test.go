package store_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"verbatim/internal/domain/usage"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

func TestSpeechTotals(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	sc := storetest.NewScene(t, storetest.NewAt(t, clock))
	first, second := storetest.Response(t, sc.Store, sc.Study, nil), storetest.Response(t, sc.Store, sc.Study, nil)
	limits := usage.SpeechLimits{Interview: 60 * time.Minute, Study: 100 * time.Minute, Day: 110 * time.Minute}
	count := func(studyID, responseID string, minutes int, exceeded string) (receipt store.SpeechReceipt) {
		t.Helper()
		err := sc.Store.Write(t.Context(), func(tx *store.Tx) (err error) {
			receipt, err = tx.CountSpeech(t.Context(), usage.Scope{StudyID: studyID, ResponseID: responseID}, time.Duration(minutes)*time.Minute, limits)
			return err
		})
		full, _ := errors.AsType[*usage.CeilingError](err)
		if exceeded == "" && err != nil || exceeded != "" && (full == nil || full.Of != exceeded || full.Unit != usage.UnitSpeech) {
			t.Errorf("%d minutes of %s: %v, want the ceiling of %q", minutes, responseID, err, exceeded)
		}
		return receipt
	}
	receipt := count(sc.Study.ID, first.ID, 60, "")
	count(sc.Study.ID, first.ID, 1, "interview")
	count(sc.Study.ID, second.ID, 41, "study") // what is refused is not counted
	count(sc.Study.ID, second.ID, 40, "")
	count("another", "", 11, "day")
	count("another", "", 10, "")
	storetest.Write(t, sc.Store, func(tx *store.Tx) error { return tx.ReturnSpeech(t.Context(), receipt, 20*time.Minute) })
	count(sc.Study.ID, first.ID, 21, "interview")
	count(sc.Study.ID, first.ID, 20, "")
	clock.Advance(24 * time.Hour)
	count("another", "", 90, "")

	storetest.Write(t, sc.Store, func(tx *store.Tx) error { return tx.Purge(t.Context(), first.ID) })
	count(sc.Study.ID, first.ID, 1, "study") // a response that is gone has no total, and its study still has its share
	if left, err := sc.Store.SpeechRows(t.Context(), first.ID); left != 0 || err != nil {
		t.Errorf("%d rows of a purged response are left, %v", left, err)
	}
}

// Callers that count at the same time do not exceed a ceiling together.
func TestSpeechAtOnce(t *testing.T) {
	t.Parallel()
	sc := storetest.NewScene(t, storetest.New(t))
	r := storetest.Response(t, sc.Store, sc.Study, nil)
	var counted atomic.Int64
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			err := sc.Store.Write(t.Context(), func(tx *store.Tx) error {
				_, err := tx.CountSpeech(t.Context(), usage.Scope{StudyID: sc.Study.ID, ResponseID: r.ID}, time.Hour, usage.SpeechLimits{Interview: 4 * time.Hour})
				return err
			})
			switch {
			case err == nil:
				counted.Add(1)
			case !errors.Is(err, usage.ErrCeiling):
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := counted.Load(); n != 4 {
		t.Errorf("%d were counted, want 4", n)
	}
}
