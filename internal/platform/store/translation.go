package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"verbatim/internal/domain/response"
	"verbatim/internal/domain/translation"
)

// storedEntry is the stored form of an entry of a translation, without what the guide says of it.
type storedEntry struct {
	Key       string            `json:"k"`
	Origin    string            `json:"o"`
	Text      string            `json:"t,omitempty"`
	State     translation.State `json:"s,omitempty"`
	Model     string            `json:"w,omitempty"`
	Made      string            `json:"m,omitempty"`
	Violation string            `json:"f,omitempty"`
}

// Translation finds the translation of a revision into a language, or else that of the newest revision before it, from which
// a new one is made; translation.ErrNone. The segments of its entries have nothing but their keys.
func (v *View) Translation(ctx context.Context, studyID string, revision int, language string) (translation.Translation, error) {
	s := translation.Translation{StudyID: studyID, Language: language}
	var entries []byte
	var shown sql.NullString
	err := v.q.QueryRowContext(ctx, `select revision, version, auto, entries, shown
		from translation
		where study_id = $1 and language = $2 and revision <= $3
		order by revision desc
		limit 1`, studyID, language, revision).
		Scan(&s.Revision, &s.Version, &s.Auto, &entries, &shown)
	if err != nil {
		return translation.Translation{}, noRowsAs(err, translation.ErrNone)
	}
	var stored []storedEntry
	if err := json.Unmarshal(entries, &stored); err != nil {
		return translation.Translation{}, err
	}
	for _, e := range stored {
		s.Entries = append(s.Entries, translation.Entry{
			Segment: translation.Segment{Key: e.Key}, Origin: e.Origin, Text: e.Text, State: e.State, Model: e.Model, Made: e.Made, Violation: e.Violation,
		})
	}
	if shown.Valid {
		err = json.Unmarshal([]byte(shown.String), &s.Shown)
	}
	return s, err
}

// SaveTranslation stores a translation over the version that was read; translation.ErrConflict when another one came first.
func (tx *Tx) SaveTranslation(ctx context.Context, s *translation.Translation) error {
	stored := make([]storedEntry, 0, len(s.Entries))
	for i := range s.Entries {
		e := &s.Entries[i]
		stored = append(stored, storedEntry{e.Key, e.Origin, e.Text, e.State, e.Model, e.Made, e.Violation})
	}
	entries, err := json.Marshal(stored)
	if err != nil {
		return err
	}
	var shown any
	if s.Shown != nil {
		text, err := json.Marshal(s.Shown)
		if err != nil {
			return err
		}
		shown = string(text)
	}
	n, err := tx.exec(ctx, `insert into translation (study_id, revision, language, version, auto, entries, shown,
			shown_version, created_at, updated_at)
		values ($1, $2, $3, 1, $4, $5, $6, 1, $7, $7)
		on conflict (study_id, language, revision) do update set version = translation.version + 1, auto = excluded.auto,
			entries = excluded.entries,
			shown_version = case
				when excluded.shown is not distinct from translation.shown then translation.shown_version
				else translation.shown_version + 1
			end,
			shown = excluded.shown, updated_at = excluded.updated_at
		where translation.version = $8`, s.StudyID, s.Revision, s.Language, s.Auto, string(entries), shown, micros(tx.at), s.Version)
	if err == nil && n == 0 {
		err = translation.ErrConflict
	}
	return err
}

// ShownTranslation returns which version of a translation participants see; 0: none, and they see the guide's own texts.
func (v *View) ShownTranslation(ctx context.Context, studyID string, revision int, language string) (version int, err error) {
	err = v.q.QueryRowContext(ctx, `select shown_version
		from translation
		where study_id = $1 and language = $2 and revision = $3 and shown is not null`,
		studyID, language, revision).Scan(&version)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return version, err
}

// ShownLanguages returns the languages of a revision's translations that participants see.
func (v *View) ShownLanguages(ctx context.Context, studyID string, revision int) (languages []string, err error) {
	rows, err := v.q.QueryContext(ctx, `select language
		from translation
		where study_id = $1 and revision = $2 and shown is not null
		order by language`, studyID, revision)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var language string
		if err := rows.Scan(&language); err != nil {
			return nil, err
		}
		languages = append(languages, language)
	}
	return languages, rows.Err()
}

// ShownTexts returns the texts that participants see, by the keys of their segments, and their version; translation.ErrNone.
func (v *View) ShownTexts(ctx context.Context, studyID string, revision int, language string) (texts map[string]string, version int, err error) {
	var shown []byte
	err = v.q.QueryRowContext(ctx, `select shown, shown_version
		from translation
		where study_id = $1 and language = $2 and revision = $3 and shown is not null`,
		studyID, language, revision).Scan(&shown, &version)
	if err != nil {
		return nil, 0, noRowsAs(err, translation.ErrNone)
	}
	return texts, version, json.Unmarshal(shown, &texts)
}

// SaveAnswerTranslations stores the answers of a response in the study's language; response.ErrGone once it is deleted.
func (tx *Tx) SaveAnswerTranslations(ctx context.Context, responseID string, all []translation.Answer) error {
	if _, err := tx.LockResponse(ctx, responseID); err != nil {
		if errors.Is(err, response.ErrNotFound) {
			err = response.ErrGone
		}
		return err
	}
	for _, a := range all {
		if _, err := tx.exec(ctx, `insert into answer_translation (response_id, step_id, source_hash, body, model, prompt,
				fault, created_at)
			values ($1, $2, $3, $4, $5, $6, $7, $8)
			on conflict (response_id, step_id) do update set source_hash = excluded.source_hash, body = excluded.body,
				model = excluded.model, prompt = excluded.prompt, fault = excluded.fault, created_at = excluded.created_at`,
			responseID, a.StepID, a.Hash, a.Text, a.Model, a.Prompt, a.Violation, micros(tx.at)); err != nil {
			return err
		}
	}
	return nil
}

// AnswerTranslations returns the translated answers of a response, by step; none once it is deleted.
func (v *View) AnswerTranslations(ctx context.Context, responseID string) (map[string]translation.Answer, error) {
	byStep := map[string]translation.Answer{}
	_, err := collect(ctx, v, func(r scanner) (a translation.Answer, err error) {
		if err = r.Scan(&a.StepID, &a.Hash, &a.Text, &a.Model, &a.Prompt, &a.Violation); err == nil {
			byStep[a.StepID] = a
		}
		return a, err
	}, `select step_id, source_hash, body, model, prompt, fault from answer_translation where response_id = $1`, responseID)
	return byStep, err
}
