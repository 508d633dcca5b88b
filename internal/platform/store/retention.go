package store

import (
	"context"
	"time"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/study"
)

const selectRetention = `select org_id, study_id, recording_days, response_days, drop_transcripts, legal_hold, effective_at, changed_at, changed_by, nullif(ran_at, 0)
	from retention_rule `

func scanRetention(r scanner) (rule org.RetentionRule, err error) {
	return rule, r.Scan(&rule.OrgID, &rule.StudyID, &rule.RecordingDays, &rule.ResponseDays, &rule.DropTranscripts, &rule.LegalHold,
		nullTime{&rule.EffectiveAt}, nullTime{&rule.ChangedAt}, &rule.ChangedBy, nullTime{&rule.RanAt})
}

// RetentionRules lists the rules of an organization, or of all where orgID is empty; that of an organization comes before those of its studies.
func (v *View) RetentionRules(ctx context.Context, orgID string) ([]org.RetentionRule, error) {
	return collect(ctx, v, scanRetention, selectRetention+`where cast($1 as text) = '' or org_id = $1 order by org_id, study_id`, orgID)
}

// RetentionRule finds the rule of an organization, or with a study's id that of the study; org.ErrNoRetention.
func (v *View) RetentionRule(ctx context.Context, orgID, studyID string) (org.RetentionRule, error) {
	rule, err := scanRetention(v.q.QueryRowContext(ctx, selectRetention+`where org_id = $1 and study_id = $2`, orgID, studyID))
	return rule, noRowsAs(err, org.ErrNoRetention)
}

// SaveRetentionRule stores a rule in place of an earlier one. The store sets when it was changed.
func (tx *Tx) SaveRetentionRule(ctx context.Context, r org.RetentionRule) error {
	_, err := tx.exec(ctx, `insert into retention_rule (org_id, study_id, recording_days, response_days, drop_transcripts, legal_hold, effective_at, changed_at, changed_by)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
		on conflict (org_id, study_id) do update set recording_days = excluded.recording_days, response_days = excluded.response_days,
			drop_transcripts = excluded.drop_transcripts, legal_hold = excluded.legal_hold, effective_at = excluded.effective_at,
			changed_at = excluded.changed_at, changed_by = excluded.changed_by, ran_at = 0`,
		r.OrgID, r.StudyID, r.RecordingDays, r.ResponseDays, r.DropTranscripts, r.LegalHold, micros(r.EffectiveAt), micros(tx.at), r.ChangedBy)
	return err
}

// RemoveRetentionRule removes the rule of a study, so that its organization's holds; org.ErrNoRetention.
func (tx *Tx) RemoveRetentionRule(ctx context.Context, orgID, studyID string) error {
	n, err := tx.exec(ctx, `delete from retention_rule where org_id = $1 and study_id = $2`, orgID, studyID)
	if err == nil && n == 0 {
		err = org.ErrNoRetention
	}
	return err
}

// NoteRetentionRun notes that the rules of an organization were carried out completely.
func (tx *Tx) NoteRetentionRun(ctx context.Context, orgID string) error {
	_, err := tx.exec(ctx, `update retention_rule set ran_at = $1 where org_id = $2`, micros(tx.at), orgID)
	return err
}

// RetentionStudies lists the studies of an organization that are not purged, also those in the trash, by id.
func (v *View) RetentionStudies(ctx context.Context, orgID string) ([]study.Study, error) {
	return collect(ctx, v, func(r scanner) (study.Study, error) { return scanStudy(r) }, selectStudy+`
		from study s
		where s.org_id = $1 and s.purged_at is null
		order by s.id`, orgID)
}

// ended is the condition of a response that nobody goes on with, and that is not deleted.
const ended = `(r.ended_at is not null or r.abandoned) and r.deleted_at is null`

// recorded is the condition of a response that has something of a recording, or, where $3 is true, a transcript of one.
const recorded = `(exists (select 1 from recording c where c.response_id = r.id)
	or exists (select 1 from upload u join upload_part p on p.upload_id = u.id where u.response_id = r.id and u.kind <> 'file')
	or $3 and exists (select 1 from transcript t where t.response_id = r.id))`

// DueResponse is a response that a rule deletes, or whose recordings it deletes.
type DueResponse struct {
	ID     string
	Number int
}

func scanDue(r scanner) (d DueResponse, err error) { return d, r.Scan(&d.ID, &d.Number) }

// DueResponses lists responses of a study in which the participant did something last before a time, the oldest first.
func (v *View) DueResponses(ctx context.Context, studyID string, before time.Time, limit int) ([]DueResponse, error) {
	return collect(ctx, v, scanDue, `select r.id, r.readable_id
		from response r
		where r.study_id = $1 and r.active_at < $2 and `+ended+`
		order by r.active_at, r.id
		limit cast($3 as bigint)`, studyID, micros(before), limit)
}

// DueRecordings lists those of DueResponses that have recordings, or transcripts where they are to go as well.
func (v *View) DueRecordings(ctx context.Context, studyID string, before time.Time, transcripts bool, limit int) ([]DueResponse, error) {
	return collect(ctx, v, scanDue, `select r.id, r.readable_id
		from response r
		where r.study_id = $1 and r.active_at < $2 and `+ended+` and `+recorded+`
		order by r.active_at, r.id
		limit cast($4 as bigint)`, studyID, micros(before), transcripts, limit)
}

// CountDue counts DueResponses of a study, and the recordings in DueRecordings that are not of responses from before another time.
func (v *View) CountDue(ctx context.Context, studyID string, responsesBefore, recordingsBefore time.Time, transcripts bool) (responses, recordings int, err error) {
	if !responsesBefore.IsZero() {
		if err := v.q.QueryRowContext(ctx, `select count(*) from response r where r.study_id = $1 and r.active_at < $2 and `+ended,
			studyID, micros(responsesBefore)).Scan(&responses); err != nil {
			return 0, 0, err
		}
	}
	if recordingsBefore.IsZero() {
		return responses, 0, nil
	}
	from := int64(0)
	if !responsesBefore.IsZero() {
		from = responsesBefore.UnixMicro()
	}
	err = v.q.QueryRowContext(ctx, `select count(*)
		from response r
		where r.study_id = $1 and r.active_at < $2 and `+ended+` and `+recorded+` and r.active_at >= $4`,
		studyID, micros(recordingsBefore), transcripts, from).Scan(&recordings)
	return responses, recordings, err
}

// RecordingFolders lists the prefixes of the names of all objects of a response's recordings: what was sent, and what is played. Files that
// were sent as answers are not among them.
func (v *View) RecordingFolders(ctx context.Context, responseID string) (prefixes []string, err error) {
	return collect(ctx, v, func(r scanner) (s string, err error) { return s, r.Scan(&s) },
		`select 'responses/' || response_id || '/recordings/' || id || '/' from recording where response_id = $1
		union all
		select 'responses/' || response_id || '/uploads/' || id || '/' from upload where response_id = $1 and kind <> 'file'`, responseID)
}

// DropRecordings removes the rows of a response's recordings, and its transcripts with them if asked; the caller has removed the objects. The
// answers stay, also those that were spoken.
func (tx *Tx) DropRecordings(ctx context.Context, responseID string, withTranscripts bool) (recordings, transcripts int, err error) {
	if err := tx.lockStudyOfID(ctx, responseID); err != nil {
		return 0, 0, err
	}
	n, err := tx.exec(ctx, `delete from recording where response_id = $1`, responseID)
	if err != nil {
		return 0, 0, err
	}
	recordings = int(n)
	for _, statement := range []string{
		`update upload_total
			set bytes = bytes - (select cast(coalesce(sum(allotted), 0) as bigint) from upload where response_id = $1 and kind <> 'file')
			where study_id = (select study_id from response where id = $1)`,
		`delete from upload_part where upload_id in (select id from upload where response_id = $1 and kind <> 'file')`,
		`update upload set allotted = 0 where response_id = $1 and kind <> 'file'`,
		`update response_item set has_media = false where response_id = $1`,
	} {
		if _, err := tx.exec(ctx, statement, responseID); err != nil {
			return 0, 0, err
		}
	}
	if withTranscripts {
		n, err = tx.exec(ctx, `delete from transcript where response_id = $1`, responseID)
		transcripts = int(n)
	}
	return recordings, transcripts, err
}

// AddRetentionReceipt stores what one batch of work has deleted. The store sets its id and time.
func (tx *Tx) AddRetentionReceipt(ctx context.Context, r org.RetentionReceipt) (org.RetentionReceipt, error) {
	r.ID, r.CreatedAt = NewID(), tx.at
	_, err := tx.exec(ctx, `insert into retention_receipt (id, org_id, study_id, recordings, transcripts, responses, created_at)
		values ($1, $2, $3, $4, $5, $6, $7)`, r.ID, r.OrgID, r.StudyID, r.Recordings, r.Transcripts, r.Responses, micros(r.CreatedAt))
	return r, err
}

// RetentionReceipts lists the latest receipts of an organization, the last one first.
func (v *View) RetentionReceipts(ctx context.Context, orgID string, limit int) ([]org.RetentionReceipt, error) {
	return collect(ctx, v, func(r scanner) (e org.RetentionReceipt, err error) {
		return e, r.Scan(&e.ID, &e.OrgID, &e.StudyID, &e.Recordings, &e.Transcripts, &e.Responses, nullTime{&e.CreatedAt})
	}, `select id, org_id, study_id, recordings, transcripts, responses, created_at
		from retention_receipt
		where org_id = $1
		order by created_at desc, id desc
		limit cast($2 as bigint)`, orgID, limit)
}
