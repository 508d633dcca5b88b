package store

import (
	"context"

	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
)

// turnBatch is the number of logs that TurnsOf reads with one statement.
const turnBatch = 64

// StudyResponses returns responses of a study in the order of their readable ids, after one of them or from the start (0).
// Hidden responses are included; those that are being deleted are not.
func (v *View) StudyResponses(ctx context.Context, studyID string, after, limit int) ([]response.Response, error) {
	return collect(ctx, v, func(r scanner) (response.Response, error) { return scanResponse(r) },
		selectResponse+` from response r
			where r.study_id = $1 and r.readable_id > $2 and r.deleted_at is null
			order by r.readable_id
			limit $3`,
		studyID, after, limit)
}

// TurnsOf returns the logs of responses as Turns does; a response without turns has no entry.
func (v *View) TurnsOf(ctx context.Context, ids []string) (map[string][]interview.Turn, error) {
	logs := make(map[string][]interview.Turn, len(ids))
	for len(ids) > 0 {
		batch := make([]string, turnBatch) // padded with one of the ids, so that there is one statement to keep
		n := copy(batch, ids)
		for ids = ids[n:]; n < turnBatch; n++ {
			batch[n] = batch[0]
		}
		_, err := collect(ctx, v, func(r scanner) (none struct{}, err error) {
			var id string
			t, err := scanTurn(r, &id)
			logs[id] = append(logs[id], t)
			return none, err
		}, selectTurn+`, response_id from turn where response_id in `+v.d.placeholders(1, turnBatch)+` order by response_id, seq`, anySlice(batch)...)
		if err != nil {
			return nil, err
		}
	}
	return logs, nil
}

// RevisionsUsed lists the revisions of a study's guide that responses used, the latest first.
func (v *View) RevisionsUsed(ctx context.Context, studyID string) ([]int, error) {
	return collect(ctx, v, func(r scanner) (revision int, err error) { return revision, r.Scan(&revision) },
		`select distinct revision from response where study_id = $1 and deleted_at is null order by revision desc`, studyID)
}
