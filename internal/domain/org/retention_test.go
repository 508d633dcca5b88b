package org_test

import (
	"errors"
	"testing"
	"time"

	"verbatim/internal/domain/org"
)

func TestRetention(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule, than org.Retention
		more       bool
		err        error
	}{
		{org.Retention{}, org.Retention{}, false, nil},
		{org.Retention{ResponseDays: 30}, org.Retention{}, true, nil},
		{org.Retention{ResponseDays: 30}, org.Retention{ResponseDays: 30}, false, nil},
		{org.Retention{ResponseDays: 30}, org.Retention{ResponseDays: 60}, true, nil},
		{org.Retention{ResponseDays: 60}, org.Retention{ResponseDays: 30}, false, nil},
		{org.Retention{}, org.Retention{ResponseDays: 30}, false, nil},
		{org.Retention{RecordingDays: 7, ResponseDays: 60}, org.Retention{ResponseDays: 60}, true, nil},
		{org.Retention{RecordingDays: 7, DropTranscripts: true}, org.Retention{RecordingDays: 7}, true, nil},
		{org.Retention{RecordingDays: 7}, org.Retention{RecordingDays: 7, LegalHold: true}, true, nil},
		{org.Retention{}, org.Retention{LegalHold: true}, false, nil},
		{org.Retention{RecordingDays: 1, LegalHold: true}, org.Retention{}, false, nil},
		{org.Retention{RecordingDays: -1}, org.Retention{}, false, org.ErrRetentionDays},
		{org.Retention{ResponseDays: 3651}, org.Retention{ResponseDays: 1}, false, org.ErrRetentionDays},
		{org.Retention{RecordingDays: 31, ResponseDays: 30}, org.Retention{RecordingDays: 7, ResponseDays: 7}, false, org.ErrRetentionLate},
	} {
		if got, err := test.rule.DeletesMore(test.than), test.rule.Check(); got != test.more || !errors.Is(err, test.err) {
			t.Errorf("%+v after %+v: %v, %v", test.rule, test.than, got, err)
		}
	}
	now := time.Date(2027, 3, 31, 12, 0, 0, 0, time.UTC)
	if recordings, responses := (org.Retention{RecordingDays: 30}).Cutoffs(now); recordings != now.AddDate(0, 0, -30) || !responses.IsZero() {
		t.Errorf("%v, %v", recordings, responses)
	}
	if recordings, responses := (org.Retention{RecordingDays: 30, ResponseDays: 60, LegalHold: true}).Cutoffs(now); !recordings.IsZero() || !responses.IsZero() {
		t.Errorf("on hold: %v, %v", recordings, responses)
	}
}
