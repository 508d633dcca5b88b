package fieldwork

import (
	"context"
	"errors"
	"time"

	"verbatim/internal/domain/document"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/translation"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
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
	var updatedAt *time.Time
	err := s.Store.Write(ctx, func(tx *store.Tx) error {
		ends := it.state.Next().Ended()
		deed := byParticipant(entries[0].turn.Kind)
		next := *it
		if ends && !next.response.Abandoned { // read before the transaction stands in line, so that nobody waits for it
			if err := next.findHold(ctx, tx); err != nil {
				return err
			}
		}
		turns := make([]interview.Turn, len(entries))
		for i := range entries {
			entries[i].turn.At = tx.Now()
			turns[i] = entries[i].turn
		}
		if err := tx.AppendTurns(ctx, it.response, turns...); err != nil {
			return err
		}
		for i, e := range entries {
			if e.decision != nil {
				if err := tx.AppendDecision(ctx, it.response.ID, len(it.turns)+i, *e.decision); err != nil {
					return err
				}
			}
			if err := useUploads(ctx, tx, it, &turns[i]); err != nil {
				return err
			}
		}
		next.response.TurnCount += len(entries)
		if deed {
			next.response.Duration += min(max(turns[0].At.Sub(it.lastActivity()), 0), maxPause)
		}
		var err error
		if deed || ends {
			if it.response.Abandoned {
				if err := s.holdAgain(ctx, tx, &next); err != nil {
					return err
				}
				next.response.Abandoned = false
			}
			updatedAt, err = s.saveProgress(ctx, tx, &next)
		}
		saved = next.response
		return err
	})
	if err == nil && updatedAt != nil {
		saved.UpdatedAt = *updatedAt
	}
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
			s.subscribers.moved(it.view())
		}
	}
	return err
}

// lastDeed is when the participant last did something.
func (it *run) lastActivity() time.Time {
	for i := len(it.turns) - 1; i >= 0; i-- {
		if byParticipant(it.turns[i].Kind) {
			return it.turns[i].At
		}
	}
	return it.response.CreatedAt
}

// hold reserves the price of the response in the wallet of its study; empty where the study is not billed.
func (s *Service) hold(ctx context.Context, tx *store.Tx, r *response.Response, walletID string) error {
	if walletID == "" {
		return nil
	}
	err := tx.PlaceHold(ctx, store.Hold{WalletID: walletID, OrgID: r.OrgID, StudyID: r.StudyID, ResponseID: r.ID, Amount: s.price()})
	if unfunded(err) {
		return ErrNotTakingParticipants
	}
	return err
}

// holdAgain reserves the price of a response that was abandoned.
func (s *Service) holdAgain(ctx context.Context, tx *store.Tx, it *run) error {
	billed, err := tx.Study(ctx, it.response.OrgID, it.response.StudyID)
	if err == nil {
		err = s.hold(ctx, tx, &it.response, billed.WalletID)
	}
	if err == nil && it.state.Next().Ended() {
		err = it.findHold(ctx, tx)
	}
	return err
}

// findHold finds the credits that are held for the response, which its end settles or releases.
func (it *run) findHold(ctx context.Context, tx *store.Tx) error {
	held, err := tx.ActiveHold(ctx, it.response.ID)
	if errors.Is(err, wallet.ErrNoHold) { // a study without a wallet holds nothing
		it.held = nil
		return nil
	}
	it.held = &held
	return err
}

// settle stores where the run stands, with its documents; at the end it closes the books and asks for the
// analysis and, where it was not held in the study's language, for a translation. updatedAt points to the time of the documents
// once the transaction has ended.
func (s *Service) saveProgress(ctx context.Context, tx *store.Tx, it *run) (updatedAt *time.Time, err error) {
	r := &it.response
	switch it.state.Next().Kind {
	case interview.StepComplete:
		err = s.end(ctx, tx, it, response.Complete)
	case interview.StepScreenedOut:
		err = s.end(ctx, tx, it, response.ScreenedOut)
	}
	if err != nil {
		return nil, err
	}
	if s.TranslateAnswers && r.Progress != response.InProgress && translation.Foreign(r.Language, translation.From(it.guide)) {
		job := store.Job{Kind: translation.JobKind, Args: translation.AnswersJob(r.ID), ResponseID: r.ID, OrgID: r.OrgID}
		if err := tx.Enqueue(ctx, job); err != nil {
			return nil, err
		}
	}
	return tx.SaveInterview(ctx, document.Source{
		Response: *r, Guide: it.guide, Answers: it.state.Answers(), Exchanges: it.state.Exchanges(),
	}, tx.Now())
}

func (s *Service) end(ctx context.Context, tx *store.Tx, it *run, how response.Progress) error {
	r := &it.response
	r.Progress, r.EndedAt = how, tx.Now()
	reason := wallet.Settle
	if how == response.ScreenedOut {
		reason = wallet.Release
	} else if !r.Hidden {
		if err := tx.CountCompleted(ctx, r.StudyID, 1); err != nil {
			return err
		}
	}
	if it.held != nil {
		if err := tx.CloseHold(ctx, *it.held, reason); err != nil {
			return err
		}
	}
	return tx.Enqueue(ctx, store.Job{Kind: JobAnalyse, Args: r.ID, ResponseID: r.ID, OrgID: r.OrgID})
}
