package fieldwork

import (
	"context"
	"errors"
	"time"
)

// YieldAfter is how long an interview without any answer keeps its credits when another one of the same wallet and
// organization needs them. So who begins interviews and never answers keeps nobody out for longer.
const YieldAfter = 30 * time.Second

// YieldAnsweredAfter is the same for an interview with answers whose participant gives no sign.
const YieldAnsweredAfter = 30 * time.Minute

// maxYields bounds how often one request takes the credits of another interview: others may be faster each time.
const maxYields = 10

// canYield reports whether a silent interview would give the credits of a wallet to another one now.
func (s *Service) canYield(ctx context.Context, walletID, orgID string) (bool, error) {
	id, err := s.Store.View().YieldingResponse(ctx, walletID, orgID, s.Store.Now().Add(-YieldAnsweredAfter), s.Store.Now().Add(-YieldAfter))
	return id != "", err
}

// makeRoom abandons the interview that was silent for longest, one without any answer first, of those that hold credits of a study's
// wallet for its organization. It reports whether trying again makes sense: those credits are back, or something has changed meanwhile.
func (s *Service) makeRoom(ctx context.Context, orgID, studyID string) (again bool, err error) {
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
		s.tell(Abandoned)
	}
	return err == nil, err
}

// withRoom runs write and, where it finds no credits to hold, makes room and runs it again.
func (s *Service) withRoom(ctx context.Context, orgID, studyID string, write func() error) error {
	for tries := 0; ; tries++ {
		err := write()
		if !errors.Is(err, ErrNotTakingParticipants) || tries == maxYields {
			return err
		}
		again, roomErr := s.makeRoom(ctx, orgID, studyID)
		if roomErr != nil {
			return roomErr
		}
		if !again {
			return err
		}
	}
}
