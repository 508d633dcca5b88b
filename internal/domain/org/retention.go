package org

import (
	"errors"
	"time"
)

// RetentionGrace is the time between a change of a rule by which more is deleted, and the first deletion by it.
const RetentionGrace = 24 * time.Hour

// MaxRetentionDays is the longest time of a rule.
const MaxRetentionDays = 3650

// Errors of rules. Their texts are made for people.
var (
	ErrRetentionDays = errors.New("recordings and responses are kept for 1 to 3650 days, or for ever")
	ErrRetentionLate = errors.New("recordings are deleted with their responses at the latest: keep them no longer than responses")
	ErrNoRetention   = errors.New("there is no retention rule")
	ErrHeld          = errors.New("a legal hold keeps it")
)

// Retention says how long responses and their recordings are kept, in days after the participant did something last.
type Retention struct {
	RecordingDays   int  // 0: as long as the response
	ResponseDays    int  // 0: for ever
	DropTranscripts bool // with the recordings
	LegalHold       bool // nothing is deleted by any rule, nor from the trash
}

// Check returns ErrRetentionDays or ErrRetentionLate for a rule that cannot be.
func (r Retention) Check() error {
	for _, days := range []int{r.RecordingDays, r.ResponseDays} {
		if days < 0 || days > MaxRetentionDays {
			return ErrRetentionDays
		}
	}
	if r.ResponseDays > 0 && r.RecordingDays > r.ResponseDays {
		return ErrRetentionLate
	}
	return nil
}

// DeletesMore reports whether the rule may delete something that another one would not.
func (r Retention) DeletesMore(than Retention) bool {
	sooner := func(days, before int) bool { return days > 0 && (before == 0 || days < before) }
	if r.LegalHold || r.ResponseDays == 0 && r.RecordingDays == 0 {
		return false
	}
	return than.LegalHold || sooner(r.RecordingDays, than.RecordingDays) || sooner(r.ResponseDays, than.ResponseDays) ||
		r.DropTranscripts && !than.DropTranscripts
}

// RetentionRule is a stored rule of an organization, or of one of its studies, where it stands in place of the organization's.
type RetentionRule struct {
	Retention
	OrgID, StudyID string // StudyID is empty in the rule of the organization
	EffectiveAt    time.Time
	ChangedAt      time.Time
	ChangedBy      string    // empty: the operator
	RanAt          time.Time // when it was carried out completely; zero: never
}

// Cutoffs returns before which time the participant did something last in whatever the rule deletes at a time; zero: it deletes nothing of
// the kind.
func (r Retention) Cutoffs(at time.Time) (recordings, responses time.Time) {
	const day = 24 * time.Hour
	if r.LegalHold {
		return recordings, responses
	}
	if r.RecordingDays > 0 {
		recordings = at.Add(-time.Duration(r.RecordingDays) * day)
	}
	if r.ResponseDays > 0 {
		responses = at.Add(-time.Duration(r.ResponseDays) * day)
	}
	return recordings, responses
}

// RetentionReceipt counts what one batch of work has deleted.
type RetentionReceipt struct {
	ID, OrgID, StudyID                 string
	Recordings, Transcripts, Responses int
	CreatedAt                          time.Time
}

// Empty reports whether nothing was deleted.
func (r RetentionReceipt) Empty() bool {
	return r.Recordings == 0 && r.Transcripts == 0 && r.Responses == 0
}
