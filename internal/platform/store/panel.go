package store

import (
	"context"
	"database/sql"
	"errors"

	"verbatim/internal/domain/panel"
)

// panelSecrets begins the names of the settings with the secrets of panels. Backups leave them out.
const panelSecrets = "panel_secret/"

// PanelSecret returns the name of the setting with a secret of a study's panel.
func PanelSecret(studyID string, of panel.Secret) string {
	return panelSecrets + studyID + "/" + string(of)
}

// sharedSecretSettings lists the settings with secrets of panels and webhooks.
func (v *View) sharedSecretSettings(ctx context.Context) ([]string, error) {
	return v.collectTexts(ctx, `select name from setting where name like '`+panelSecrets+`%' or name like '`+webhookSecrets+`%' order by name`)
}

// PanelSalt returns the salt of a study; empty if it has none yet.
func (v *View) PanelSalt(ctx context.Context, studyID string) (salt string, err error) {
	err = v.q.QueryRowContext(ctx, `select salt from panel_study where study_id = $1`, studyID).Scan(&salt)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return salt, err
}

// MakePanelSalt stores a salt for a study that has none.
func (tx *Tx) MakePanelSalt(ctx context.Context, studyID, salt string) error {
	_, err := tx.exec(ctx, `insert into panel_study (study_id, salt) values ($1, $2) on conflict (study_id) do nothing`, studyID, salt)
	return err
}

// PanelParticipant is a participant of a study that identifies them.
type PanelParticipant struct {
	StudyID    string
	Hash       string // panel.ParticipantHash
	ResponseID string // of the latest interview; empty: it was deleted
	Remember   bool   // the row stays when the response is deleted
	TokenSalt  string // makes the interview's token, together with the identifying parameter; empty: only its token resumes it

	Outcome panel.Outcome // of the latest interview; empty: it has not ended
}

// PanelParticipant finds a participant of a study.
func (v *View) PanelParticipant(ctx context.Context, studyID, hash string) (p PanelParticipant, found bool, err error) {
	p = PanelParticipant{StudyID: studyID, Hash: hash}
	err = v.q.QueryRowContext(ctx, `select response_id, outcome, remember, token_salt from panel_participant where study_id = $1 and participant_hash = $2`,
		studyID, hash).Scan(&p.ResponseID, &p.Outcome, &p.Remember, &p.TokenSalt)
	if errors.Is(err, sql.ErrNoRows) {
		return PanelParticipant{}, false, nil
	}
	return p, err == nil, err
}

// PanelParticipant is View.PanelParticipant with the study locked until this transaction ends, so that no other one can change the
// participant.
func (tx *Tx) PanelParticipant(ctx context.Context, studyID, hash string) (PanelParticipant, bool, error) {
	if err := tx.lockStudy(ctx, studyID); err != nil {
		return PanelParticipant{}, false, err
	}
	return tx.View.PanelParticipant(ctx, studyID, hash)
}

// SavePanelParticipant stores the latest interview of a participant.
func (tx *Tx) SavePanelParticipant(ctx context.Context, p PanelParticipant) error {
	return tx.run(ctx, `insert into panel_participant (study_id, participant_hash, response_id, remember, token_salt, created_at)
		values ($1, $2, $3, $4, $5, $6)
		on conflict (study_id, participant_hash) do update
		set response_id = excluded.response_id, outcome = excluded.outcome, remember = excluded.remember, token_salt = excluded.token_salt`,
		p.StudyID, p.Hash, p.ResponseID, p.Remember, p.TokenSalt, micros(tx.at))
}

// EndPanelParticipant stores the outcome of an interview, if its participant is identified.
func (tx *Tx) EndPanelParticipant(ctx context.Context, responseID string, outcome panel.Outcome) error {
	return tx.run(ctx, `update panel_participant set outcome = $2 where response_id = $1`, responseID, string(outcome))
}

// AbandonForAnother marks a running interview as abandoned because its participant has begun another one.
func (tx *Tx) AbandonForAnother(ctx context.Context, responseID string) error {
	if err := tx.lockStudyOfID(ctx, responseID); err != nil {
		return err
	}
	_, err := tx.exec(ctx, `update response
		set abandoned = true
		where id = $1 and ended_at is null and not abandoned and deleted_at is null`, responseID)
	return err
}

// forgetPanel are the statements that remove what panels know of the response $1.
var forgetPanel = []string{
	`delete from panel_delivery where response_id = $1`,
	`delete from panel_participant where response_id = $1 and not remember`,
	`update panel_participant set response_id = '', token_salt = '', outcome = '' where response_id = $1`,
}
