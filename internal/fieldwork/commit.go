package fieldwork

import (
	"context"
	"errors"
	"time"

	"verbatim/internal/document"
	"verbatim/internal/interview"
	"verbatim/internal/response"
	"verbatim/internal/store"
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

// commit stores the turns that the run's state has taken, and all that changes with them, in one transaction. Of several,
// the first is the participant's and the others the moderator's.
// response.ErrMoved when another turn came first, an earlier answer got the words that were heard in its recording, or the
// response is being deleted; *interview.AnswerError when an upload that
// the answer names has ended; ErrNotTakingParticipants when the interview was abandoned and no hold can be placed again.
// After an error the run is spent: read it again.
func (s *Service) commit(ctx context.Context, it *run, turns ...interview.Turn) error {
	var saved response.Response
	err := s.Store.Write(ctx, func(tx *store.Tx) error {
		for i := range turns {
			turns[i].At = tx.Now()
			if err := tx.AppendTurn(ctx, it.response.ID, len(it.turns)+i, turns[i]); err != nil {
				return err
			}
			if err := useUploads(ctx, tx, it, &turns[i]); err != nil {
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
		deed := byParticipant(turns[0].Kind)
		if deed {
			next.response.Duration += min(max(turns[0].At.Sub(it.lastDeed()), 0), maxPause)
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
		it.turns = append(it.turns, turns...)
		if kind := turns[0].Kind; kind == interview.TurnAnswer || kind == interview.TurnReply {
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

// settle stores where the run stands, with its documents; at the end it closes the books and asks for the analysis.
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
