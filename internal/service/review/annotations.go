package review

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"verbatim/internal/domain/annotation"
	"verbatim/internal/domain/document"
	"verbatim/internal/domain/evidence"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/recording"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/transcript"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/results"
)

// Highlighted are the words of a row that somebody selected, in UTF-16 code units of the participant's text.
type Highlighted struct {
	Row, From, To int
	Words         string
}

// ShownAnnotation is an annotation with the place of its words in UTF-16 code units.
type ShownAnnotation struct {
	annotation.Annotation
	From, To int // both 0 for words that are lost, and for what is about the whole response
}

// Annotations lists what people noted about a response; response.ErrNotFound.
func (s *Service) Annotations(ctx context.Context, st Study, number int) (shown []ShownAnnotation, err error) {
	defer operation.Wrap(&err, "review.Annotations")
	view := s.Store.View()
	rows, responseID, err := rowsOf(ctx, view, st, number)
	if err != nil {
		return nil, err
	}
	all, err := view.Annotations(ctx, responseID)
	if err != nil {
		return nil, err
	}
	for _, a := range all {
		shown = append(shown, show(a, rows))
	}
	return shown, nil
}

// show finds the words of an annotation in the rows of its response.
func show(a annotation.Annotation, rows []document.Row) ShownAnnotation {
	made := ShownAnnotation{Annotation: a}
	at := slices.IndexFunc(rows, func(r document.Row) bool { return r.Index == a.Row })
	if !a.IsHighlight() {
		return made
	}
	if at < 0 {
		made.Lost = true
		return made
	}
	if text := rows[at].User; a.Lost || a.End > len(text) || text[a.Start:a.End] != a.Words { // an earlier program changed the text
		made.Follow(text)
	}
	if !made.Lost {
		made.From, made.To = evidence.Span{Start: made.Start, End: made.End}.UTF16(rows[at].User)
	}
	return made
}

// rowsOf returns the transcript of a response of a study.
func rowsOf(ctx context.Context, view *store.View, st Study, number int) (rows []document.Row, responseID string, err error) {
	item, err := view.ItemByReadableID(ctx, st.ID, number)
	if err != nil {
		return nil, "", err
	}
	single, err := document.DecodeSingle(item.Single)
	return single.Transcript, item.ResponseID, err
}

// Annotate adds an annotation to a response, to words of it unless at is nil; response.ErrNotFound, annotation.ErrMoved, annotation.ErrNoTag,
// annotation.ErrEmpty, annotation.ErrTooMany.
func (s *Service) Annotate(ctx context.Context, st Study, number int, at *Highlighted, note string, tags []string) (_ ShownAnnotation, err error) {
	defer operation.Wrap(&err, "review.Annotate")
	view := s.Store.View()
	rows, responseID, err := rowsOf(ctx, view, st, number)
	if err != nil {
		return ShownAnnotation{}, err
	}
	a := annotation.Annotation{ID: store.NewID(), StudyID: st.ID, ResponseID: responseID, Row: annotation.NoRow, Note: note, Tags: tags, UserID: st.Caller.UserID}
	if at != nil {
		row := slices.IndexFunc(rows, func(r document.Row) bool { return r.Index == at.Row })
		if row < 0 {
			return ShownAnnotation{}, annotation.ErrMoved
		}
		if err := a.Mark(at.Row, rows[row].User, at.From, at.To, at.Words); err != nil {
			return ShownAnnotation{}, err
		}
		timed, err := timedWords(ctx, view, responseID, rows[row])
		if err != nil {
			return ShownAnnotation{}, err
		}
		a.Begins, a.Ends, _ = transcript.Times(timed, at.From, at.To)
	}
	if err := a.Check(); err != nil {
		return ShownAnnotation{}, err
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.AddAnnotation(ctx, st.OrgID, a); err != nil {
			return err
		}
		return s.auditOne(ctx, tx, st, org.AuditAnnotated, number, nil)
	})
	if err != nil {
		return ShownAnnotation{}, err
	}
	a, err = view.Annotation(ctx, st.ID, a.ID)
	return show(a, rows), err
}

// ChangeAnnotation changes the note and the tags of an annotation, each unless it is nil; annotation.ErrNotFound, annotation.ErrNoTag,
// annotation.ErrEmpty, and org.ErrRoleNeeded for somebody else's, unless the caller may change the study.
func (s *Service) ChangeAnnotation(ctx context.Context, st Study, number int, id string, note *string, tags *[]string) (_ ShownAnnotation, err error) {
	defer operation.Wrap(&err, "review.ChangeAnnotation")
	err = s.changeAnnotation(ctx, st, number, id, org.AuditAnnotationChanged, func(tx *store.Tx, a annotation.Annotation) error {
		if note != nil {
			a.Note = *note
		}
		if tags != nil {
			a.Tags = *tags
		}
		if err := a.Check(); err != nil {
			return err
		}
		return tx.ChangeAnnotation(ctx, st.OrgID, a)
	})
	if err != nil {
		return ShownAnnotation{}, err
	}
	view := s.Store.View()
	a, err := view.Annotation(ctx, st.ID, id)
	if err != nil {
		return ShownAnnotation{}, err
	}
	rows, _, err := rowsOf(ctx, view, st, number)
	return show(a, rows), err
}

// RemoveAnnotation removes an annotation; annotation.ErrNotFound, org.ErrRoleNeeded as ChangeAnnotation.
func (s *Service) RemoveAnnotation(ctx context.Context, st Study, number int, id string) (err error) {
	defer operation.Wrap(&err, "review.RemoveAnnotation")
	return s.changeAnnotation(ctx, st, number, id, org.AuditAnnotationRemoved, func(tx *store.Tx, a annotation.Annotation) error {
		return tx.RemoveAnnotation(ctx, st.ID, a.ID)
	})
}

func (s *Service) changeAnnotation(ctx context.Context, st Study, number int, id, action string, change func(*store.Tx, annotation.Annotation) error) error {
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		ids, err := tx.ResponsesByNumber(ctx, st.ID, []int{number})
		if err != nil {
			return err
		}
		if ids[number] == "" {
			return response.ErrNotFound
		}
		a, err := tx.Annotation(ctx, st.ID, id)
		if err == nil && a.Number != number {
			err = annotation.ErrNotFound
		}
		if err == nil && a.UserID != st.Caller.UserID && !st.MayChange {
			err = org.ErrRoleNeeded
		}
		if err == nil {
			err = change(tx, a)
		}
		if err != nil {
			return err
		}
		return s.auditOne(ctx, tx, st, action, number, nil)
	})
}

// auditOne adds an entry about one response to the audit log.
func (s *Service) auditOne(ctx context.Context, tx *store.Tx, st Study, action string, number int, detail map[string]string) error {
	return tx.Audit(ctx, org.AuditEntry{OrgID: st.OrgID, UserID: st.Caller.UserID, Action: action, Subject: subject(st, []int{number}), Detail: detail})
}

// timedWords returns the words of a row's answer with the times at which they were said; nil if that is not known.
func timedWords(ctx context.Context, view *store.View, responseID string, row document.Row) ([]transcript.PlacedWord, error) {
	recorded, err := view.Recordings(ctx, responseID)
	if err != nil || len(recorded) == 0 {
		return nil, err
	}
	transcribed, err := transcripts(ctx, view, responseID)
	if err != nil {
		return nil, err
	}
	for _, rec := range recorded {
		if t := transcribed[stepKind{rec.StepID, rec.Kind}]; t != nil && rec.Row == row.Index {
			if words := answerWords(t, row.User); words != nil {
				return words, nil
			}
		}
	}
	return nil, nil
}

// answerWords returns the words of an answer with the times of a transcript; nil if the answer was not made of it.
func answerWords(t *transcript.Transcript, answer string) []transcript.PlacedWord {
	if t.Text == answer {
		return t.Place()
	}
	return transcript.Align(answer, t.Words)
}

// Quote is a highlight of a study, with a link to its recording.
type Quote struct {
	ShownAnnotation
	Recording *results.Recording // nil: none that can be played
}

// Quotes is a page of highlights. Next is the cursor of the following one; empty on the last.
type Quotes struct {
	List   []Quote
	People []store.Annotator // who highlighted words of the study
	Next   string
}

// quotesPage limits the quotes of a page.
const quotesPage = 50

// QuoteFilter selects quotes.
type QuoteFilter struct {
	TagID, UserID string // empty: any
	Number        int    // of the response; 0: any
}

// Quotes lists the highlights of a study, the latest first, after a cursor; ErrBadCursor.
func (s *Service) Quotes(ctx context.Context, st Study, f QuoteFilter, cursor string) (page Quotes, err error) {
	defer operation.Wrap(&err, "review.Quotes")
	view := s.Store.View()
	all, err := view.Quotes(ctx, st.ID, store.QuoteQuery{TagID: f.TagID, UserID: f.UserID, Number: f.Number, After: cursor, Limit: quotesPage + 1})
	if err != nil {
		return Quotes{}, err
	}
	if len(all) > quotesPage {
		all = all[:quotesPage]
		page.Next = all[quotesPage-1].ID
	}
	recorded := map[int][]results.Recording{} // by the number of the response
	rows := map[int][]document.Row{}
	for _, a := range all {
		if _, known := rows[a.Number]; !known {
			if rows[a.Number], recorded[a.Number], err = s.playable(ctx, view, st, a.Number); errors.Is(err, response.ErrNotFound) {
				continue // it was deleted meanwhile
			} else if err != nil {
				return Quotes{}, err
			}
		}
		q := Quote{ShownAnnotation: show(a, rows[a.Number])}
		if i := slices.IndexFunc(recorded[a.Number], func(r results.Recording) bool { return r.Row == a.Row }); i >= 0 {
			q.Recording = &recorded[a.Number][i]
		}
		page.List = append(page.List, q)
	}
	page.People, err = view.Annotators(ctx, st.ID)
	return page, err
}

// mainKinds are the kinds of recordings in the order in which one of them is chosen to be played.
var mainKinds = []recording.Kind{recording.Video, recording.Audio, recording.ScreenVideo}

// playable returns the rows of a response and its recordings that can be played, those that are to be chosen first before others.
func (s *Service) playable(ctx context.Context, view *store.View, st Study, number int) (rows []document.Row, playable []results.Recording, err error) {
	if rows, _, err = rowsOf(ctx, view, st, number); err != nil {
		return nil, nil, err
	}
	ref, err := results.ParseRef(strconv.Itoa(number))
	if err != nil {
		return nil, nil, err
	}
	all, err := s.Results.Recordings(ctx, st.Caller, st.ID, ref)
	for _, kind := range mainKinds {
		for _, rec := range all {
			if rec.Kind == kind && rec.Object != "" {
				playable = append(playable, rec)
			}
		}
	}
	return rows, playable, err
}
