package fieldwork

import (
	"context"
	"errors"
	"time"

	"verbatim/internal/document"
	"verbatim/internal/interview"
	"verbatim/internal/response"
	"verbatim/internal/store"
	"verbatim/internal/translation"
	"verbatim/internal/wallet"
)

// Kinds of the jobs that fieldwork enqueues. Their arguments are the response's id and the deletion's.
const (
	JobAnalyse = "analyse"
	JobErase   = "erase"
)

// maxPause is the most that the silence between two deeds of a participant adds to the duration: who comes back the
// next day was not interviewed for a day.
const maxPause = 10 * time.Minute

// byParticipant tells a participant's turns from the moderator's.
func byParticipant(kind interview.TurnKind) bool {
	return kind == interview.TurnAnswer || kind == interview.TurnContinue || kind == interview.TurnReply
}

// commit stores the turns that the run's state has taken, with the decisions behind them and all that changes with them, in
// one transaction. Of several turns, the first is the participant's and the others the moderator's.
// response.ErrMoved when another turn came first, an earlier answer got the words that were heard in its recording, or the
// response is being deleted; *interview.AnswerError when an upload that
// the answer names has ended; ErrNotTakingParticipants when the interview was abandoned and no hold can be placed again.
// After an error the run is spent: read it again.
func (s *Service) commit(ctx context.Context, it *run, entries ...entry) error {
	var saved response.Response
	err := s.Store.Write(ctx, func(tx *store.Tx) error {
		for i := range entries {
			turn, decision, seq := &entries[i].turn, entries[i].decision, len(it.turns)+i
			turn.At = tx.Now()
			if err := tx.AppendTurn(ctx, it.response.ID, seq, *turn); err != nil {
				return err
			}
			if decision != nil {
				if err := tx.AppendDecision(ctx, it.response.ID, seq, *decision); err != nil {
					return err
				}
			}
			if err := useUploads(ctx, tx, it, turn); err != nil {
				return err
			}
		}
		r, err := tx.Response(ctx, it.response.OrgID, it.response.ID)
		if err != nil {
			return err
		}
		if !r.UpdatedAt.Equal(it.response.UpdatedAt) { // an answer was heard since the run was read
			return response.ErrMoved
		}
		next := *it
		next.response = r
		deed := byParticipant(entries[0].turn.Kind)
		if deed {
			next.response.Duration += min(max(entries[0].turn.At.Sub(it.lastDeed()), 0), maxPause)
		}
		if deed || it.state.Next().Ended() {
			if r.Abandoned {
				if err := s.hold(ctx, tx, &r); err != nil {
					return err
				}
				next.response.Abandoned = false
			}
			err = s.settle(ctx, tx, &next)
		}
		saved = next.response
		return err
	})
	if err == nil {
		it.response = saved
		for i := range entries {
			it.turns = append(it.turns, entries[i].turn)
		}
		if kind := entries[0].turn.Kind; kind == interview.TurnAnswer || kind == interview.TurnReply {
			s.tell(Answered)
		}
		next := it.state.Next()
		s.tellEnd(next)
		if next.Kind != interview.StepProbe {
			s.followers.moved(it.view())
		}
	}
	return err
}

// lastDeed is when the participant last did something.
func (it *run) lastDeed() time.Time {
	for i := len(it.turns) - 1; i >= 0; i-- {
		if byParticipant(it.turns[i].Kind) {
			return it.turns[i].At
		}
	}
	return it.response.CreatedAt
}

// hold reserves the price of the response, where the study is billed.
func (s *Service) hold(ctx context.Context, tx *store.Tx, r *response.Response) error {
	billed, err := tx.Study(ctx, r.OrgID, r.StudyID)
	if err != nil || billed.WalletID == "" {
		return err
	}
	err = tx.PlaceHold(ctx, store.Hold{
		WalletID: billed.WalletID, OrgID: r.OrgID, StudyID: r.StudyID, ResponseID: r.ID, Amount: s.price(),
	})
	if unfunded(err) {
		return ErrNotTakingParticipants
	}
	return err
}

// settle stores where the run stands, with its documents; at the end it closes the books and asks for the
// analysis and, where it was not held in the study's language, for a translation.
func (s *Service) settle(ctx context.Context, tx *store.Tx, it *run) error {
	r := &it.response
	var err error
	if r.UpdatedAt, err = tx.NextUpdate(ctx, r.StudyID); err != nil {
		return err
	}
	switch it.state.Next().Kind {
	case interview.StepComplete:
		err = s.end(ctx, tx, r, response.Complete)
	case interview.StepScreenedOut:
		err = s.end(ctx, tx, r, response.ScreenedOut)
	}
	if err != nil {
		return err
	}
	if err := tx.SaveProgress(ctx, *r, tx.Now()); err != nil {
		return err
	}
	if s.TranslateAnswers && r.Progress != response.InProgress && translation.Foreign(r.Language, translation.From(it.guide)) {
		job := store.Job{Kind: translation.JobKind, Args: translation.AnswersJob(r.ID), ResponseID: r.ID}
		if err := tx.Enqueue(ctx, job); err != nil {
			return err
		}
	}
	return tx.PutDocument(ctx, document.Source{
		Response: *r, Guide: it.guide, Answers: it.state.Answers(), Exchanges: it.state.Exchanges(),
	})
}

func (s *Service) end(ctx context.Context, tx *store.Tx, r *response.Response, how response.Progress) error {
	r.Progress, r.EndedAt = how, tx.Now()
	closeHold := tx.SettleHold
	if how == response.ScreenedOut {
		closeHold = tx.ReleaseHold
	} else if !r.Hidden {
		if err := tx.CountCompleted(ctx, r.StudyID, 1); err != nil {
			return err
		}
	}
	if err := closeHold(ctx, r.ID); err != nil && !errors.Is(err, wallet.ErrNoHold) { // a study without a wallet holds nothing
		return err
	}
	return tx.Enqueue(ctx, store.Job{Kind: JobAnalyse, Args: r.ID, ResponseID: r.ID})
}
