package store

import (
	"context"
	"database/sql"
	"errors"

	"verbatim/internal/domain/response"
)

// GiveConsent stores that the participant of a response has agreed to a text, and the text if it is new in the study. The caller has locked the
// study, or has started the response.
func (tx *Tx) GiveConsent(ctx context.Context, r response.Response, c response.Consent) error {
	if err := tx.run(ctx, `insert into consent_text (study_id, hash, version, language, words, created_at)
		select s.id, $2, (select coalesce(max(t.version), 0) + 1 from consent_text t where t.study_id = s.id and t.language = $3), $3, $4, $5
		from study s
		where s.id = $1
		on conflict (study_id, hash) do nothing`, r.StudyID, c.Hash, c.Language, c.Text, micros(tx.at)); err != nil {
		return err
	}
	if err := tx.run(ctx, `insert into consent_given (response_id, hash, given_at) values ($1, $2, $3)
		on conflict (response_id, hash) do update set given_at = excluded.given_at`, r.ID, c.Hash, micros(tx.at)); err != nil {
		return err
	}
	return tx.run(ctx, `update response set consent_hash = $2 where id = $1`, r.ID, c.Hash)
}

// Consent returns the text that the participant of a response agreed to last; nil if there is none.
func (v *View) Consent(ctx context.Context, responseID string) (*response.Consent, error) {
	var c response.Consent
	err := v.q.QueryRowContext(ctx, `select t.hash, t.version, t.language, t.words, g.given_at
		from response r
		join consent_text t on t.study_id = r.study_id and t.hash = r.consent_hash
		join consent_given g on g.response_id = r.id and g.hash = r.consent_hash
		where r.id = $1`, responseID).Scan(&c.Hash, &c.Version, &c.Language, &c.Text, nullTime{&c.GivenAt})
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return &c, err
}

// Consents returns the texts that participants of a study agreed to, by their hashes.
func (v *View) Consents(ctx context.Context, studyID string) (map[string]response.Consent, error) {
	all := map[string]response.Consent{}
	_, err := collect(ctx, v, func(r scanner) (c response.Consent, err error) {
		err = r.Scan(&c.Hash, &c.Version, &c.Language, &c.Text)
		all[c.Hash] = c
		return c, err
	}, `select hash, version, language, words from consent_text where study_id = $1`, studyID)
	return all, err
}
