package fieldwork

import (
	"context"
	"errors"
	"time"

	"verbatim/internal/response"
	"verbatim/internal/store"
	"verbatim/internal/wallet"
)

// Withdraw takes everything back that the participant gave, at any time, also after the end: a deletion like the API's.
// A second call gets response.ErrGone.
func (s *Service) Withdraw(ctx context.Context, token string) error {
	id, hash, err := readToken(token)
	if err != nil {
		return err
	}
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		r, stored, err := tx.ParticipantResponse(ctx, id)
		if err != nil {
			return err
		}
		if !sameHash(stored, hash) {
			return response.ErrNotFound
		}
		if err := tx.ReleaseHold(ctx, r.ID); err != nil && !errors.Is(err, wallet.ErrNoHold) {
			return err
		}
		deletion, err := tx.CreateDeletion(ctx, r)
		if err != nil {
			return err
		}
		// Not tied to the response: a deletion drops the jobs of its response, and this one must outlive it.
		return tx.Enqueue(ctx, store.Job{Kind: JobErase, Args: deletion.ID})
	})
}

// sweepBatch is how many interviews one transaction of the sweep closes, so that participants never wait long for it.
const sweepBatch = 100

// Sweep abandons the interviews that gave no sign for AbandonAfter and gives their credits back. It tells how many.
// An abandoned interview stays in progress for the API; its participant may come back and go on as long as credits can
// be held again.
func (s *Service) Sweep(ctx context.Context) (swept int, err error) {
	after := s.AbandonAfter
	if after == 0 {
		after = 24 * time.Hour
	}
	for {
		batch := 0
		err := s.Store.Write(ctx, func(tx *store.Tx) error {
			idle, err := tx.IdleResponses(ctx, tx.Now().Add(-after), sweepBatch)
			if err != nil {
				return err
			}
			batch = len(idle)
			for _, r := range idle {
				if err := tx.ReleaseHold(ctx, r.ID); err != nil && !errors.Is(err, wallet.ErrNoHold) {
					return err
				}
				if err := tx.AbandonResponse(ctx, r.ID); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return swept, err
		}
		swept += batch
		if batch < sweepBatch {
			return swept, nil
		}
	}
}
