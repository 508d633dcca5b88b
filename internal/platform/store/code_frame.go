package store

import (
	"context"
	"encoding/json"
	"time"

	"verbatim/internal/domain/codeframe"
)

// frameBody is the stored form of the themes of a frame.
type frameBody struct {
	Roots  []frameRoot  `json:"roots,omitempty"`
	Themes []frameTheme `json:"themes,omitempty"`
	Steps  []frameStep  `json:"steps,omitempty"`
}

type frameRoot struct {
	Label   string   `json:"label"`
	Meaning string   `json:"meaning"`
	Words   []string `json:"words,omitempty"`
	Stems   []string `json:"stems,omitempty"`
	Phrase  bool     `json:"phrase,omitempty"`
}

type frameTheme struct {
	Number     int    `json:"number"`
	Label      string `json:"label"`
	Meaning    string `json:"meaning"`
	NamedBy    string `json:"namedBy,omitempty"`
	MergedInto int    `json:"mergedInto,omitempty"`
}

type frameStep struct {
	Version int      `json:"version"`
	From    []int    `json:"from"`
	Into    int      `json:"into"`
	Phrases []string `json:"phrases,omitempty"`
}

func encodeFrame(f *codeframe.Frame) (string, error) {
	var b frameBody
	for _, r := range f.Roots {
		b.Roots = append(b.Roots, frameRoot(r))
	}
	for _, t := range f.Themes {
		b.Themes = append(b.Themes, frameTheme(t))
	}
	for _, s := range f.Steps {
		b.Steps = append(b.Steps, frameStep(s))
	}
	body, err := json.Marshal(b)
	return string(body), err
}

const selectFrame = `select question_id, version, edited, provider, model, maker_version, name, body from code_frame `

func scanFrame(r scanner) (f codeframe.Frame, err error) {
	var body []byte
	if err := r.Scan(&f.QuestionID, &f.Version, &f.Edited, &f.Provider, &f.Model, &f.Release, &f.Name, &body); err != nil {
		return f, err
	}
	var b frameBody
	if err := json.Unmarshal(body, &b); err != nil {
		return f, err
	}
	for _, r := range b.Roots {
		f.Roots = append(f.Roots, codeframe.Root(r))
	}
	for _, t := range b.Themes {
		f.Themes = append(f.Themes, codeframe.Theme(t))
	}
	for _, s := range b.Steps {
		f.Steps = append(f.Steps, codeframe.Step(s))
	}
	return f, nil
}

// CodeFrames lists the themes of a study's open questions.
func (v *View) CodeFrames(ctx context.Context, studyID string) ([]codeframe.Frame, error) {
	return collect(ctx, v, scanFrame, selectFrame+`where study_id = $1 order by question_id`, studyID)
}

// CodeFrame finds the themes of an open question; codeframe.ErrNone.
func (v *View) CodeFrame(ctx context.Context, studyID, questionID string) (codeframe.Frame, error) {
	f, err := scanFrame(v.q.QueryRowContext(ctx, selectFrame+`where study_id = $1 and question_id = $2`, studyID, questionID))
	return f, noRowsAs(err, codeframe.ErrNone)
}

// SaveMachineFrame stores themes that a machine found over those that were read before, which have the version of f. It does nothing if
// somebody changed them meanwhile, or if they are the same.
func (tx *Tx) SaveMachineFrame(ctx context.Context, studyID string, f codeframe.Frame) error {
	body, err := encodeFrame(&f)
	if err != nil {
		return err
	}
	return tx.run(ctx, `insert into code_frame (study_id, question_id, version, edited, provider, model, maker_version, name, body, updated_at)
		values ($1, $2, 1, false, $3, $4, $5, $6, $7, $8)
		on conflict (study_id, question_id) do update set version = code_frame.version + 1, provider = excluded.provider,
			model = excluded.model, maker_version = excluded.maker_version, name = excluded.name, body = excluded.body, updated_at = excluded.updated_at
		where not code_frame.edited and code_frame.version = $9 and (code_frame.body <> excluded.body or code_frame.name <> excluded.name
			or code_frame.provider <> excluded.provider or code_frame.model <> excluded.model or code_frame.maker_version <> excluded.maker_version)`,
		studyID, f.QuestionID, f.Provider, f.Model, f.Release, f.Name, body, micros(tx.at), f.Version)
}

// SaveCodeFrame stores a change that somebody made to themes, whose version it raised by one; codeframe.ErrConflict if another one came first.
func (tx *Tx) SaveCodeFrame(ctx context.Context, studyID string, f codeframe.Frame, c codeframe.Change) error {
	body, err := encodeFrame(&f)
	if err != nil {
		return err
	}
	n, err := tx.exec(ctx, `update code_frame
		set version = $3, edited = $4, provider = $5, model = $6, maker_version = $7, name = $8, body = $9, updated_at = $10
		where study_id = $1 and question_id = $2 and version = $11`,
		studyID, f.QuestionID, f.Version, f.Edited, f.Provider, f.Model, f.Release, f.Name, body, micros(tx.at), f.Version-1)
	if err != nil {
		return err
	}
	if n == 0 {
		return tx.conflict(codeframe.ErrConflict)
	}
	return tx.run(ctx, `insert into theme_change (study_id, question_id, version, action, detail, changed_by, changed_at)
		values ($1, $2, $3, $4, $5, $6, $7)`, studyID, f.QuestionID, c.Version, c.Action, c.Detail, c.By, micros(tx.at))
}

// AddThemeDecision stores what was decided by hand on an answer.
func (tx *Tx) AddThemeDecision(ctx context.Context, studyID, questionID string, d codeframe.Decision) error {
	return tx.run(ctx, `insert into theme_decision (response_id, question_id, concept_id, theme, version, assigned, study_id)
		values ($1, $2, $3, $4, $5, $6, $7)`, d.ResponseID, questionID, d.ConceptID, d.Theme, d.Version, d.Assigned, studyID)
}

// DropThemeDecisions removes what was decided by hand on the answers to a question.
func (tx *Tx) DropThemeDecisions(ctx context.Context, studyID, questionID string) error {
	return tx.run(ctx, `delete from theme_decision where study_id = $1 and question_id = $2`, studyID, questionID)
}

// ThemeDecisions lists what was decided by hand on the answers to a question, the earliest first.
func (v *View) ThemeDecisions(ctx context.Context, studyID, questionID string) ([]codeframe.Decision, error) {
	return collect(ctx, v, func(r scanner) (d codeframe.Decision, err error) {
		return d, r.Scan(&d.ResponseID, &d.ReadableID, &d.ConceptID, &d.Theme, &d.Assigned, &d.Version)
	}, `select d.response_id, r.readable_id, d.concept_id, d.theme, d.assigned, d.version
		from theme_decision d
		join response r on r.id = d.response_id
		where d.study_id = $1 and d.question_id = $2 and r.deleted_at is null
		order by d.version, d.theme`, studyID, questionID)
}

// ThemeChange is a change of themes with its time.
type ThemeChange struct {
	codeframe.Change
	At time.Time
}

// ThemeChanges lists the changes of the themes of a question, the earliest first.
func (v *View) ThemeChanges(ctx context.Context, studyID, questionID string) ([]ThemeChange, error) {
	return collect(ctx, v, func(r scanner) (c ThemeChange, err error) {
		return c, r.Scan(&c.Version, &c.Action, &c.Detail, &c.By, nullTime{&c.At})
	}, `select version, action, detail, changed_by, changed_at
		from theme_change
		where study_id = $1 and question_id = $2
		order by version`, studyID, questionID)
}

// forgetMachineFrames empties those themes of a study that nobody edited: their words may be those of one person. The next report finds them
// again. Themes that somebody edited are that person's.
func (tx *Tx) forgetMachineFrames(ctx context.Context, studyID string) error {
	_, err := tx.exec(ctx, `update code_frame
		set version = version + 1, body = '{}'
		where study_id = $1 and not edited and body <> '{}'`, studyID)
	return err
}

// ThemesChangedSince reports whether somebody changed themes of a study after a time.
func (v *View) ThemesChangedSince(ctx context.Context, studyID string, after time.Time) (changed bool, err error) {
	err = v.q.QueryRowContext(ctx, `select exists (select 1 from theme_change where study_id = $1 and changed_at >= $2)`, studyID, micros(after)).Scan(&changed)
	return changed, err
}
