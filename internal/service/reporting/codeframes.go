package reporting

import (
	"cmp"
	"context"
	"errors"

	"verbatim/internal/domain/codeframe"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/outage"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/tables"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// loadFrames reads the stored themes of the study.
func (b *builder) loadFrames(ctx context.Context) error {
	stored, err := b.view.CodeFrames(ctx, b.study.ID)
	if err != nil {
		return err
	}
	b.frames = map[string]codeframe.Frame{}
	for _, f := range stored {
		b.frames[f.QuestionID] = f
	}
	return nil
}

// stored returns the Codebook of the themes that somebody edited, or that a report on some responses takes over from the whole study; nil if there are none.
func (b *builder) stored(ctx context.Context, c *counted, open OpenQuestion, themer Themer) (Codebook, error) {
	f, ok := b.frames[c.id]
	if !ok || !f.Edited && (b.only == nil || len(f.Themes) == 0) {
		return nil, nil
	}
	decisions, err := b.view.ThemeDecisions(ctx, b.study.ID, c.id)
	if err != nil {
		return nil, err
	}
	return newStoredBook(f, decisions, open, themer), nil
}

// keepFrames stores the themes that were found where nobody edited them. Keyword groups do not replace themes of a model. A report does not
// fail where the database cannot be written to.
func (b *builder) keepFrames(ctx context.Context, s *store.Store) error {
	if b.only != nil {
		return nil // themes of some responses are not those of the study
	}
	var fresh []codeframe.Frame
	for _, c := range b.questions {
		book, ok := c.codebook.(rooted)
		if !ok {
			continue
		}
		source, was := c.codebook.Source(), b.frames[c.id]
		if source == builtInSource && len(was.Themes) > 0 && was.Provider != builtInSource.Provider {
			continue
		}
		f := codeframe.Made(c.id, c.codebook.Name(), source.Provider, source.Model, source.Version, book.roots())
		f.Version = was.Version
		fresh = append(fresh, f)
	}
	if len(fresh) == 0 {
		return nil
	}
	err := s.Write(ctx, func(tx *store.Tx) error {
		for _, f := range fresh {
			if err := tx.SaveMachineFrame(ctx, b.study.ID, f); err != nil {
				return err
			}
		}
		return nil
	})
	if errors.Is(err, outage.ErrBusy) || errors.Is(err, outage.ErrDiskFull) || errors.Is(err, outage.ErrUnreachable) {
		return nil
	}
	return err
}

// namedBy returns who named each theme of a Codebook.
func namedBy(book Codebook) func(theme int) tables.Cell {
	stored, _ := book.(*storedBook)
	return func(theme int) tables.Cell {
		if stored == nil || stored.live[theme].NamedBy == "" {
			return tables.Text("machine")
		}
		return tables.Text(stored.live[theme].NamedBy)
	}
}

// numberOf returns the number by which a theme of a Codebook is stored.
func numberOf(book Codebook, theme int) int {
	if stored, ok := book.(*storedBook); ok {
		return stored.live[theme].Number
	}
	return theme + 1
}

// Frames are the stored themes of one question.
type Frames struct {
	codeframe.Frame
	Question string // its text
	Number   int    // 0 if the published revision no longer has it
	Changes  []store.ThemeChange
}

// Frames lists the stored themes of a study, in the order of its questions.
func (s *Service) Frames(ctx context.Context, st study.Study) (all []Frames, err error) {
	defer operation.Wrap(&err, "reporting.Frames")
	view := s.Store.View()
	schema, err := readSchema(ctx, view, st)
	if err != nil {
		return nil, err
	}
	stored, err := view.CodeFrames(ctx, st.ID)
	if err != nil {
		return nil, err
	}
	for _, q := range schema.questions {
		for _, f := range stored {
			if f.QuestionID != q.id || len(f.Themes) == 0 {
				continue
			}
			changes, err := view.ThemeChanges(ctx, st.ID, q.id)
			if err != nil {
				return nil, err
			}
			all = append(all, Frames{f, q.text, q.number, changes})
		}
	}
	return all, nil
}

// ThemeEdit is one change of the themes of a question. Exactly one of its pointers is set.
type ThemeEdit struct {
	Question string // its id or number
	By       string // the person
	Version  int    // that the person saw; 0: any
	Rename   *RenameTheme
	Merge    *MergeThemes
	Split    *SplitTheme
	Recode   *RecodeAnswer
	Reset    bool
}

// RenameTheme gives a theme, by its number or name, another name.
type RenameTheme struct{ Theme, To string }

// MergeThemes puts the answers of themes into another one.
type MergeThemes struct {
	From []string
	Into string
}

// SplitTheme puts those answers of a theme that say one of the phrases into a new one.
type SplitTheme struct {
	Theme, To string
	Phrases   []string
}

// RecodeAnswer gives an answer a theme, or takes one from it.
type RecodeAnswer struct {
	Response int    // its number within the study
	Concept  string // id of the concept that the answer is about; empty: all answers of this person to the question
	Theme    string
	Remove   bool
	From     string // a theme that the answer loses; empty: none
}

// EditThemes changes the stored themes of a question, and returns them. Errors: codeframe.ErrNone, codeframe.ErrConflict,
// *codeframe.ChangeError, response.ErrNotFound.
func (s *Service) EditThemes(ctx context.Context, st study.Study, e ThemeEdit) (f codeframe.Frame, err error) {
	defer operation.Wrap(&err, "reporting.EditThemes")
	schema, err := readSchema(ctx, s.Store.View(), st)
	if err != nil {
		return f, err
	}
	q := schema.find(e.Question)
	if q == nil {
		return f, &codeframe.ChangeError{Reason: "the study has no such question: give its id or number"}
	}
	if e.Recode != nil && e.Recode.Concept != "" && q.concepts.place(e.Recode.Concept) < 0 {
		return f, &codeframe.ChangeError{Reason: "the question is not asked about such a concept: give its id"}
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		if f, err = tx.CodeFrame(ctx, st.ID, q.id); err != nil {
			return err
		}
		switch {
		case len(f.Themes) == 0:
			return codeframe.ErrNone
		case e.Version != 0 && e.Version != f.Version:
			return codeframe.ErrConflict
		}
		if e.Recode != nil && e.Recode.From != "" {
			if err := e.leave(ctx, tx, st, q.id, &f); err != nil {
				return err
			}
		}
		change, decision, err := e.apply(ctx, tx, st, &f)
		if err != nil {
			return err
		}
		if decision != nil {
			if err := tx.AddThemeDecision(ctx, st.ID, q.id, *decision); err != nil {
				return err
			}
		}
		if e.Reset {
			if err := tx.DropThemeDecisions(ctx, st.ID, q.id); err != nil {
				return err
			}
		}
		return tx.SaveCodeFrame(ctx, st.ID, f, change)
	})
	return f, err
}

func (e *ThemeEdit) apply(ctx context.Context, tx *store.Tx, st study.Study, f *codeframe.Frame) (c codeframe.Change, d *codeframe.Decision, err error) {
	switch {
	case e.Rename != nil:
		var number int
		if number, err = f.Find(e.Rename.Theme); err == nil {
			c, err = f.Rename(number, e.Rename.To, e.By)
		}
	case e.Merge != nil:
		var from []int
		for _, ref := range e.Merge.From {
			number, err := f.Find(ref)
			if err != nil {
				return c, nil, err
			}
			from = append(from, number)
		}
		var into int
		if into, err = f.Find(e.Merge.Into); err == nil {
			c, err = f.Merge(from, into, e.By)
		}
	case e.Split != nil:
		var number int
		if number, err = f.Find(e.Split.Theme); err == nil {
			c, err = f.Split(number, e.Split.To, e.Split.Phrases, e.By)
		}
	case e.Recode != nil:
		return e.recode(ctx, tx, st, f)
	default:
		c = f.Reset(e.By)
	}
	return c, nil, err
}

func (e *ThemeEdit) recode(ctx context.Context, tx *store.Tx, st study.Study, f *codeframe.Frame) (c codeframe.Change, d *codeframe.Decision, err error) {
	number, err := f.Find(e.Recode.Theme)
	if err != nil {
		return c, nil, err
	}
	responseID, err := findAnswered(ctx, tx, st, e.Recode.Response)
	if err != nil {
		return c, nil, err
	}
	if c, err = f.Recode(number, !e.Recode.Remove, e.By); err != nil {
		return c, nil, err
	}
	return c, &codeframe.Decision{ResponseID: responseID, ConceptID: e.Recode.Concept, Theme: number, Assigned: !e.Recode.Remove, Version: c.Version}, nil
}

// leave takes from an answer the theme that it loses when it is moved to another one. It is a change of its own.
func (e *ThemeEdit) leave(ctx context.Context, tx *store.Tx, st study.Study, questionID string, f *codeframe.Frame) error {
	lose := *e
	lose.Recode = &RecodeAnswer{Response: e.Recode.Response, Concept: e.Recode.Concept, Theme: e.Recode.From, Remove: true}
	change, decision, err := lose.recode(ctx, tx, st, f)
	if err != nil {
		return err
	}
	if err := tx.AddThemeDecision(ctx, st.ID, questionID, *decision); err != nil {
		return err
	}
	return tx.SaveCodeFrame(ctx, st.ID, *f, change)
}

// findAnswered returns the id of the response with a number; response.ErrNotFound.
func findAnswered(ctx context.Context, tx *store.Tx, st study.Study, number int) (string, error) {
	found, err := tx.StudyResponses(ctx, st.ID, number-1, 1)
	if err != nil {
		return "", err
	}
	if len(found) == 0 || found[0].ReadableID != number {
		return "", response.ErrNotFound
	}
	return found[0].ID, nil
}

// EditThemesFor is EditThemes for a caller of the API, whose name is recorded.
func (s *Service) EditThemesFor(ctx context.Context, caller org.Caller, st study.Study, e ThemeEdit) (_ codeframe.Frame, err error) {
	defer operation.Wrap(&err, "reporting.EditThemesFor")
	member, err := s.Store.View().Member(ctx, st.OrgID, caller.UserID)
	if err != nil {
		return codeframe.Frame{}, err
	}
	e.By = cmp.Or(member.User.Name, member.User.Email)
	return s.EditThemes(ctx, st, e)
}
