package fieldwork

import (
	"context"
	"errors"
	"slices"
	"time"

	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/jobs"
	"verbatim/internal/service/webhooks"
)

// maxPause is the most that the gap between two actions of a participant adds to the duration: somebody who comes back the next
// day was not interviewed for a day.
const maxPause = 10 * time.Minute

// byParticipant reports whether turns of this kind come from the participant, not the moderator.
func byParticipant(kind interview.TurnKind) bool {
	return kind == interview.TurnAnswer || kind == interview.TurnContinue || kind == interview.TurnReply
}

// commit stores turns that were already applied to the session's state, with the decisions behind them and everything that
// changes with them, in one transaction. Of several turns the first is the participant's and the others are the moderator's. If the
// participant needs a place in a cell that is full, only the first turn is stored, and the interview ends with it.
//
// Errors: response.ErrMoved if another turn came first, an earlier answer received its transcript, or the response is being
// deleted; *interview.AnswerError if an upload that the answer names has ended; ErrNotTakingParticipants if the interview was
// abandoned and no hold can be placed again. After an error the session is invalid and must be read again.
func (s *Service) commit(ctx context.Context, sess *session, entries ...entry) error {
	var done *session // with what was stored
	var stored []entry
	var updatedAt *time.Time
	err := s.Store.Write(ctx, func(tx *store.Tx) (err error) {
		next, entries, err := takePlaces(ctx, tx, sess, slices.Clone(entries))
		if err != nil {
			return err
		}
		at := *next
		updatedAt, err = s.store(ctx, tx, &at, entries)
		done, stored = &at, entries
		return err
	})
	if err != nil {
		return err
	}
	*sess = *done
	if updatedAt != nil {
		sess.Response.UpdatedAt = *updatedAt
	}
	for i := range stored {
		sess.Turns = append(sess.Turns, stored[i].turn)
	}
	if kind := stored[0].turn.Kind; kind == interview.TurnAnswer || kind == interview.TurnReply {
		s.notify(Answered)
	}
	next := sess.State.Next()
	s.notifyEnd(next)
	if next.Kind != interview.StepProbe {
		s.subscribers.publishView(sess.view())
	}
	return nil
}

// store stores turns that were already applied to the session's state, and advances its response. updatedAt points to the time of the
// documents once the transaction has ended; it is nil if they did not change.
func (s *Service) store(ctx context.Context, tx *store.Tx, sess *session, entries []entry) (updatedAt *time.Time, err error) {
	ends := sess.State.Next().Ended()
	active := byParticipant(entries[0].turn.Kind)
	if ends && !sess.Response.Abandoned { // read before the transaction waits for the study lock, to hold that lock for less time
		if err := sess.findHold(ctx, tx); err != nil {
			return nil, err
		}
	}
	turns := make([]interview.Turn, len(entries))
	if active {
		entries[0].turn.Consent = sess.newConsent()
	}
	for i := range entries {
		entries[i].turn.At = tx.Now()
		turns[i] = entries[i].turn
	}
	if err := sess.Append(ctx, tx, turns...); err != nil {
		return nil, err
	}
	for i, e := range entries {
		if e.decision != nil {
			if err := tx.AppendDecision(ctx, sess.Response.ID, len(sess.Turns)+i, *e.decision); err != nil {
				return nil, err
			}
		}
		if err := useUploads(ctx, tx, sess, &turns[i]); err != nil {
			return nil, err
		}
	}
	sess.Response.TurnCount += len(entries)
	if active {
		sess.Response.Duration += min(max(turns[0].At.Sub(sess.lastActivity()), 0), maxPause)
	}
	if !active && !ends {
		return nil, nil
	}
	if sess.Response.Abandoned {
		if err := s.holdAgain(ctx, tx, sess); err != nil {
			return nil, err
		}
		sess.Response.Abandoned = false
	}
	return s.saveProgress(ctx, tx, sess)
}

// lastActivity returns the time of the participant's last turn, or of the start before the first.
func (sess *session) lastActivity() time.Time {
	for i := len(sess.Turns) - 1; i >= 0; i-- {
		if byParticipant(sess.Turns[i].Kind) {
			return sess.Turns[i].At
		}
	}
	return sess.Response.CreatedAt
}

// hold reserves the price of the response in the study's wallet. walletID is empty if the study is not billed.
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
func (s *Service) holdAgain(ctx context.Context, tx *store.Tx, sess *session) error {
	if err := s.checkLatest(ctx, tx, sess); err != nil {
		return err
	}
	billed, err := tx.Study(ctx, sess.Response.OrgID, sess.Response.StudyID)
	if err == nil {
		err = s.hold(ctx, tx, &sess.Response, billed.WalletID)
	}
	if err == nil && sess.State.Next().Ended() {
		err = sess.findHold(ctx, tx)
	}
	return err
}

// findHold loads the hold of the response, which the end of the interview settles or releases.
func (sess *session) findHold(ctx context.Context, tx *store.Tx) error {
	hold, err := tx.ActiveHold(ctx, sess.Response.ID)
	if errors.Is(err, wallet.ErrNoHold) { // a study without a wallet holds nothing
		sess.activeHold = nil
		return nil
	}
	sess.activeHold = &hold
	return err
}

// saveProgress stores the session's progress and its documents. At the end of the interview it also closes the hold and
// enqueues the analysis and, if the interview was held in another language than the study's, a translation. updatedAt points to
// the time of the documents once the transaction has ended.
func (s *Service) saveProgress(ctx context.Context, tx *store.Tx, sess *session) (updatedAt *time.Time, err error) {
	switch sess.State.Next().Kind {
	case interview.StepComplete:
		err = s.end(ctx, tx, sess, response.Complete)
	case interview.StepScreenedOut:
		err = s.end(ctx, tx, sess, response.ScreenedOut)
	}
	if err != nil {
		return nil, err
	}
	if s.TranslateAnswers {
		if err := sess.EnqueueTranslation(ctx, tx); err != nil {
			return nil, err
		}
	}
	return sess.Save(ctx, tx, tx.Now(), nil)
}

func (s *Service) end(ctx context.Context, tx *store.Tx, sess *session, progress response.Progress) error {
	r := &sess.Response
	r.Progress, r.EndedAt = progress, tx.Now()
	reason := wallet.Settle
	if progress == response.ScreenedOut {
		reason = wallet.Release
	} else if !r.Hidden {
		if err := tx.CountCompleted(ctx, r.StudyID, 1); err != nil {
			return err
		}
	}
	if progress == response.Complete && len(sess.cells) > 0 {
		if err := tx.CompletePlaces(ctx, r.ID); err != nil {
			return err
		}
	}
	if sess.activeHold != nil {
		if err := tx.CloseHold(ctx, *sess.activeHold, reason); err != nil {
			return err
		}
	}
	if err := sess.depart(ctx, tx); err != nil {
		return err
	}
	if err := webhooks.EmitEnd(ctx, tx, *r, sess.State.Next().QuotaFull != nil); err != nil {
		return err
	}
	return jobs.Enqueue(ctx, tx, jobs.AnalyseArgs{ResponseID: r.ID, OrgID: r.OrgID})
}
