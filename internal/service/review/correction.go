package review

import (
	"context"
	"errors"
	"slices"
	"strings"

	"verbatim/internal/domain/document"
	"verbatim/internal/domain/evidence"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/transcript"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/interviewlog"
	"verbatim/internal/service/jobs"
)

// Errors of corrections.
var (
	ErrNotSpoken     = errors.New("the answer has no transcript")
	ErrAnswerChanged = errors.New("the answer has changed meanwhile")
	ErrUnderWay      = errors.New("the interview is under way")
	ErrNoWordsLeft   = errors.New("a corrected answer needs words")
	ErrNoCorrection  = store.ErrNoCorrection
)

// Correct makes words the text of a spoken answer in place of those that it has. The transcript stays; documents, evidence and highlights
// follow. ErrAnswerChanged if the answer is not the one that was corrected; ErrNotSpoken, ErrUnderWay, ErrNoWordsLeft, org.ErrRoleNeeded,
// response.ErrNotFound.
func (s *Service) Correct(ctx context.Context, st Study, number, row int, before, words string) (err error) {
	defer operation.Wrap(&err, "review.Correct")
	words = strings.TrimSpace(words)
	if words == "" {
		return ErrNoWordsLeft
	}
	return s.rewrite(ctx, st, number, row, func(_ *store.View, _ *interviewlog.Interview, turn *interview.Turn) (rewriting, error) {
		if turn.Answer.Text != before {
			return rewriting{}, ErrAnswerChanged
		}
		c := store.Correction{ID: store.NewID(), StepID: turn.StepID, Row: row, Words: words, Before: before, UserID: st.Caller.UserID}
		return rewriting{words, org.AuditCorrected, func(tx *store.Tx, responseID string) error {
			c.ResponseID = responseID
			return tx.AddCorrection(ctx, c)
		}}, nil
	})
}

// UndoCorrection takes the last correction of an answer back; ErrNoCorrection, and the errors of Correct.
func (s *Service) UndoCorrection(ctx context.Context, st Study, number, row int) (err error) {
	defer operation.Wrap(&err, "review.UndoCorrection")
	return s.rewrite(ctx, st, number, row, func(view *store.View, iv *interviewlog.Interview, turn *interview.Turn) (rewriting, error) {
		last, err := view.LastCorrection(ctx, iv.Response.ID, row)
		if err != nil {
			return rewriting{}, err
		}
		if turn.Answer.Text != last.Words {
			return rewriting{}, ErrAnswerChanged
		}
		return rewriting{last.Before, org.AuditCorrectionUndone, func(tx *store.Tx, responseID string) error {
			return tx.UndoCorrection(ctx, responseID, last.ID, st.Caller.UserID)
		}}, nil
	})
}

// rewriting is a change of the text of an answer.
type rewriting struct {
	words  string
	action string // for the audit log
	record func(tx *store.Tx, responseID string) error
}

// rewrite changes the text of the answer of a row. An interview that changes meanwhile is loaded again.
func (s *Service) rewrite(ctx context.Context, st Study, number, row int, plan func(*store.View, *interviewlog.Interview, *interview.Turn) (rewriting, error)) error {
	if !st.MayChange {
		return org.ErrRoleNeeded
	}
	for {
		err := s.rewriteOnce(ctx, st, number, row, plan)
		if !errors.Is(err, response.ErrMoved) {
			return err
		}
	}
}

func (s *Service) rewriteOnce(ctx context.Context, st Study, number, row int, plan func(*store.View, *interviewlog.Interview, *interview.Turn) (rewriting, error)) error {
	view := s.Store.View()
	rows, responseID, err := rowsOf(ctx, view, st, number)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(rows, func(r document.Row) bool { return r.Index == row })
	if at < 0 {
		return ErrNotSpoken
	}
	r, err := view.Response(ctx, st.OrgID, responseID)
	if err != nil {
		return err
	}
	if r.EndedAt.IsZero() && !r.Abandoned {
		return ErrUnderWay
	}
	stepID, said, err := spokenStep(ctx, view, responseID, row)
	if err != nil {
		return err
	}
	iv, err := s.Interviews.Load(ctx, view, r)
	if err != nil {
		return err
	}
	turns := slices.Clone(iv.Turns)
	turn := slices.IndexFunc(turns, func(t interview.Turn) bool {
		return t.StepID == stepID && (t.Kind == interview.TurnAnswer || t.Kind == interview.TurnReply)
	})
	if turn < 0 || turns[turn].Answer.Text != rows[at].User { // another kind of answer, or one that is shown in a translation
		return ErrNotSpoken
	}
	change, err := plan(view, &iv, &turns[turn])
	if err != nil {
		return err
	}
	turns[turn].Answer.Text = change.words
	next, err := iv.Replay(r, turns)
	if err != nil {
		return err
	}
	placed := answerWords(said, change.words)
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		if err := iv.Lock(ctx, tx); err != nil {
			return err
		}
		next := next
		if next.Response.UpdatedAt, err = tx.NextUpdate(ctx, r.StudyID); err != nil {
			return err
		}
		if err := change.record(tx, r.ID); err != nil {
			return err
		}
		if err := tx.CorrectTurn(ctx, r.ID, stepID, change.words, next.Response.UpdatedAt); err != nil {
			return err
		}
		analysis, err := followEvidence(ctx, tx, r.ID, evidence.Turn{Row: row, Text: rows[at].User}, change.words)
		if err != nil {
			return err
		}
		if err := followHighlights(ctx, tx, r.ID, row, change.words, placed); err != nil {
			return err
		}
		if s.TranslateAnswers {
			if err := next.EnqueueTranslation(ctx, tx); err != nil {
				return err
			}
		}
		if err := next.SaveDocuments(ctx, tx, analysis); err != nil {
			return err
		}
		return s.auditOne(ctx, tx, st, change.action, number, nil)
	})
}

// spokenStep returns the step of a row that was answered by a recording, with its transcript; ErrNotSpoken.
func spokenStep(ctx context.Context, view *store.View, responseID string, row int) (stepID string, said *transcript.Transcript, err error) {
	recorded, err := view.Recordings(ctx, responseID)
	if err != nil {
		return "", nil, err
	}
	transcribed, err := transcripts(ctx, view, responseID)
	if err != nil {
		return "", nil, err
	}
	for _, rec := range recorded {
		if t := transcribed[stepKind{rec.StepID, rec.Kind}]; t != nil && rec.Row == row {
			return rec.StepID, t, nil
		}
	}
	return "", nil, ErrNotSpoken
}

// followEvidence finds the quotes of an analysis in an answer that was corrected. A statement whose words do not stand there any more is not
// verified any more. It returns the analysis, nil if there is none.
func followEvidence(ctx context.Context, tx *store.Tx, responseID string, before evidence.Turn, words string) (*response.Analysis, error) {
	analysis, err := tx.Analysis(ctx, responseID)
	if err != nil || analysis == nil {
		return nil, err
	}
	was, now := evidence.Read([]evidence.Turn{before}), evidence.Read([]evidence.Turn{{Row: before.Row, Text: words}})
	changed := false
	for i := range analysis.Claims {
		claim := &analysis.Claims[i]
		var kept []evidence.Span
		for _, span := range claim.Spans {
			if span.Row == before.Row {
				changed = true
				found, ok := now.Locate(was.Text(span))
				if !ok {
					claim.Verified = false
					continue
				}
				span = found
			}
			kept = append(kept, span)
		}
		claim.Spans = kept
	}
	if changed {
		err = tx.SaveAnalysis(ctx, responseID, *analysis)
	}
	return analysis, err
}

// followHighlights finds the highlights of a row in its new text.
func followHighlights(ctx context.Context, tx *store.Tx, responseID string, row int, words string, placed []transcript.PlacedWord) error {
	all, err := tx.Annotations(ctx, responseID)
	if err != nil {
		return err
	}
	for _, a := range all {
		if a.Row != row {
			continue
		}
		a.Follow(words)
		if from, to := (evidence.Span{Start: a.Start, End: a.End}).UTF16(words); !a.Lost {
			a.Begins, a.Ends, _ = transcript.Times(placed, from, to)
		}
		if err := tx.MoveAnnotation(ctx, a); err != nil {
			return err
		}
	}
	return nil
}

// Reanalyse has the analysis of a response written again, after its answers were corrected; org.ErrRoleNeeded, response.ErrNotFound, and
// ErrUnderWay while the interview has not ended.
func (s *Service) Reanalyse(ctx context.Context, st Study, number int) (err error) {
	defer operation.Wrap(&err, "review.Reanalyse")
	return s.changeOne(ctx, st, number, func(tx *store.Tx, id string) error {
		r, err := tx.Response(ctx, st.OrgID, id)
		if err != nil {
			return err
		}
		if r.EndedAt.IsZero() {
			return ErrUnderWay
		}
		if err := jobs.Enqueue(ctx, tx, jobs.AnalyseArgs{ResponseID: id, OrgID: st.OrgID}); err != nil {
			return err
		}
		return s.auditOne(ctx, tx, st, org.AuditReanalysed, number, nil)
	})
}
