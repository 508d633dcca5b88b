package store

import (
	"context"
	"encoding/json"
	"time"

	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
)

// previewsPerStudy is how many previews of a study are kept. A new one removes the oldest beyond that.
const previewsPerStudy = 100

// loggedTurn is a turn in the log of a preview.
type loggedTurn struct {
	StepID    string             `json:"stepId"`
	Kind      interview.TurnKind `json:"kind"`
	ItemID    string             `json:"itemId,omitempty"`
	ConceptID string             `json:"conceptId,omitempty"`
	Screen    int                `json:"screen,omitempty"`
	Body      turnBody           `json:"body"`
	At        time.Time          `json:"at"`
}

// StartPreview stores a preview of a study. The caller sets the id and the seed.
func (tx *Tx) StartPreview(ctx context.Context, r response.Response, tokenHash string) error {
	params, err := json.Marshal(r.URLParams)
	if err != nil {
		return err
	}
	if _, err := tx.exec(ctx, `insert into preview (id, token_hash, org_id, study_id, revision, seed, language, url_params, log, created_at, active_at)
		values ($1, $2, $3, $4, $5, $6, $7, $8, '[]', $9, $9)`,
		r.ID, tokenHash, r.OrgID, r.StudyID, r.Revision, int64(r.Seed), r.Language, string(params), micros(tx.at)); err != nil {
		return err
	}
	_, err = tx.exec(ctx, `delete from preview
		where study_id = $1 and id not in (select id from preview where study_id = $1 order by active_at desc, id desc limit $2)`, r.StudyID, previewsPerStudy)
	return err
}

// Preview finds a preview by its id, with its log and the hash of its token; response.ErrNotFound.
func (v *View) Preview(ctx context.Context, id string) (r response.Response, tokenHash string, turns []interview.Turn, err error) {
	var seed int64
	var params, log []byte
	err = v.q.QueryRowContext(ctx, `select id, token_hash, org_id, study_id, revision, seed, language, url_params, log, turn_count, created_at
		from preview
		where id = $1`, id).
		Scan(&r.ID, &tokenHash, &r.OrgID, &r.StudyID, &r.Revision, &seed, &r.Language, &params, &log, &r.TurnCount, nullTime{&r.CreatedAt})
	if err != nil {
		return response.Response{}, "", nil, noRowsAs(err, response.ErrNotFound)
	}
	r.Seed, r.Progress = uint64(seed), response.InProgress
	if err := json.Unmarshal(params, &r.URLParams); err != nil {
		return response.Response{}, "", nil, err
	}
	var logged []loggedTurn
	if err := json.Unmarshal(log, &logged); err != nil {
		return response.Response{}, "", nil, err
	}
	for _, l := range logged {
		turn := interview.Turn{StepID: l.StepID, Kind: l.Kind, ItemID: l.ItemID, ConceptID: l.ConceptID, Screen: l.Screen, At: l.At}
		l.Body.fill(&turn)
		turns = append(turns, turn)
	}
	return r, tokenHash, turns, nil
}

// SavePreview stores the log of a preview, if it still has as many turns as were read; response.ErrMoved.
func (tx *Tx) SavePreview(ctx context.Context, was response.Response, turns []interview.Turn) error {
	logged := make([]loggedTurn, len(turns))
	for i, t := range turns {
		logged[i] = loggedTurn{StepID: t.StepID, Kind: t.Kind, ItemID: t.ItemID, ConceptID: t.ConceptID, Screen: t.Screen, Body: bodyOf(&t), At: t.At}
	}
	log, err := json.Marshal(logged)
	if err != nil {
		return err
	}
	n, err := tx.exec(ctx, `update preview set log = $1, turn_count = $2, active_at = $3 where id = $4 and turn_count = $5`,
		string(log), len(turns), micros(tx.at), was.ID, was.TurnCount)
	if err == nil && n == 0 {
		return response.ErrMoved
	}
	return err
}

// DeletePreview removes a preview, if it exists.
func (tx *Tx) DeletePreview(ctx context.Context, id string) error {
	_, err := tx.exec(ctx, `delete from preview where id = $1`, id)
	return err
}

// StalePreviews reports whether PrunePreviews would remove something, without the cost of a write.
func (v *View) StalePreviews(ctx context.Context, before time.Time) (stale bool, err error) {
	err = v.q.QueryRowContext(ctx, `select exists (select 1 from preview where active_at < $1)`, micros(before)).Scan(&stale)
	return stale, err
}

// PrunePreviews removes the previews that were last used before a time.
func (tx *Tx) PrunePreviews(ctx context.Context, before time.Time) error {
	_, err := tx.exec(ctx, `delete from preview where active_at < $1`, micros(before))
	return err
}
