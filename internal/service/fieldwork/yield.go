package fieldwork

import (
	"context"
	"errors"
	"time"
)

// YieldAfter is how long an unanswered interview keeps its credits when another interview of the same wallet and organization
// needs them. So someone who begins interviews and never answers blocks others for no longer than this.
const YieldAfter = 30 * time.Second

// YieldAnsweredAfter is the same for an interview with answers whose participant is inactive.
const YieldAnsweredAfter = 30 * time.Minute

// maxYields limits how often one request tries to take over the credits of another interview: each time another request may be
// faster.
const maxYields = 10

// canYield reports whether an inactive interview would lose the credits it holds in a wallet now.
func (s *Service) canYield(ctx context.Context, walletID, orgID string) (bool, error) {
	id, err := s.Store.View().YieldingResponse(ctx, walletID, orgID, s.Store.Now().Add(-YieldAnsweredAfter), s.Store.Now().Add(-YieldAfter))
	return id != "", err
}

// reclaimHold abandons the longest inactive interview that holds credits of the study's wallet for its organization, preferring
// those without an answer. It reports whether a retry makes sense: the credits are back, or something has changed meanwhile.
func (s *Service) reclaimHold(ctx context.Context, orgID, studyID string) (again bool, err error) {
	view := s.Store.View()
	billed, err := view.Study(ctx, orgID, studyID)
	if err != nil {
		return false, err
	}
	now := s.Store.Now()
	before, unansweredBefore := now.Add(-YieldAnsweredAfter), now.Add(-YieldAfter)
	id, err := view.YieldingResponse(ctx, billed.WalletID, orgID, before, unansweredBefore)
	if err != nil || id == "" {
		return false, err
	}
	abandoned, err := s.abandon(ctx, id, before, unansweredBefore)
	if abandoned {
		s.notify(Abandoned)
	}
	return err == nil, err
}

// withReclaim runs write. If write finds no credits to hold, it reclaims a hold and runs write again.
func (s *Service) withReclaim(ctx context.Context, orgID, studyID string, write func() error) error {
	for tries := 0; ; tries++ {
		err := write()
		if !errors.Is(err, ErrNotTakingParticipants) || tries == maxYields {
			return err
		}
		again, reclaimErr := s.reclaimHold(ctx, orgID, studyID)
		if reclaimErr != nil {
			return reclaimErr
		}
		if !again {
			return err
		}
	}
}
