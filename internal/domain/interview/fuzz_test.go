package interview_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/guide/guidetest"
	"verbatim/internal/domain/interview"
)

// FuzzReplay changes a valid log as the bytes say. A replay must refuse the result or lead to a consistent state, and the
// refused turn must be the first that does not fit.
func FuzzReplay(f *testing.F) {
	plan := interview.NewPlan(guidetest.Rich())
	valid := richLog(f, plan)
	f.Add(uint64(1), []byte{})
	f.Add(uint64(1), []byte{3, 1, 5, 9, 4, 0, 12, 7, 2})
	f.Add(uint64(2), []byte{0, 0, 0, 0, 8, 0, 0, 6, 1, 1, 5, 200, 10, 2, 11, 3})
	f.Fuzz(func(t *testing.T, seed uint64, bends []byte) {
		log := bend(slices.Clone(valid), bends)
		s, err := plan.Replay(seed, nil, log)
		if err != nil {
			if s != nil {
				t.Fatal("a state beside an error")
			}
			return
		}
		record := recordOf(s)
		if again, err := plan.Replay(seed, nil, log); err != nil || !cmp.Equal(record, recordOf(again)) {
			t.Fatalf("the second replay differs: %v", err)
		}
		if len(record.Answers) > len(log)+1 {
			t.Fatalf("%d answers from %d turns", len(record.Answers), len(log))
		}
		if _, err := playOn(s, rand.New(rand.NewPCG(seed, 1))); err != nil {
			t.Fatalf("it cannot go on: %v", err)
		}
		for n := range log {
			if _, err := plan.Replay(seed, nil, log[:n]); err != nil {
				t.Fatalf("%d turns of a good log: %v", n, err)
			}
		}
		if _, err := plan.Replay(seed, nil, append(log, log...)); len(log) > 0 && !errors.Is(err, interview.ErrStaleStep) {
			t.Fatalf("the log twice over: %v", err)
		}
	})
}

// bend changes the log as three bytes at a time say: what, at which turn, to which value.
func bend(log []interview.Turn, bends []byte) []interview.Turn {
	texts := []string{"", " ", "x", "daily", "other:tools", "s3", "\xff"}
	kinds := []interview.TurnKind{
		interview.TurnAnswer, interview.TurnContinue, interview.TurnProbe, interview.TurnDecline, interview.TurnReply, "", "odd",
	}
	for change := range slices.Chunk(bends, 3) {
		if len(change) < 3 || len(log) == 0 {
			break
		}
		at := int(change[1]) % len(log)
		turn, value := &log[at], int(change[2])
		text := texts[value%len(texts)]
		switch change[0] % 14 {
		case 0:
			log = log[:at]
		case 1:
			turn.Kind = kinds[value%len(kinds)]
		case 2:
			turn.StepID = text
		case 3:
			turn.ItemID = log[value%len(log)].ItemID
		case 4:
			turn.ConceptID = log[value%len(log)].ConceptID
		case 5:
			turn.Screen = value - 3
		case 6:
			turn.Answer = log[value%len(log)].Answer
		case 7:
			turn.Answer.Text = text
		case 8:
			turn.Answer.Selected = append(slices.Clone(turn.Answer.Selected), text)
		case 9:
			turn.Answer.Selected = turn.Answer.Selected[:value%(len(turn.Answer.Selected)+1)]
		case 10:
			turn.Answer.CustomText = text
		case 11:
			turn.Answer.Best, turn.Answer.Worst = turn.Answer.Worst, turn.Answer.Best
		case 12:
			turn.Answer.Cells = map[string]string{"r1": text}
		case 13:
			turn.Probe = text
		}
	}
	return log
}
