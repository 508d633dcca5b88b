package maxdiff_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/maxdiff"
	"verbatim/internal/domain/maxdiff/maxdifftest"
)

func TestAnswersAtRandomAreFlaggedAndTastesAreNot(t *testing.T) {
	t.Parallel()
	// Everybody has their own preferences, so that the people agree on nothing; the last hundred click at random.
	s := maxdifftest.Study{Utilities: make([]float64, 12), PerScreen: 4, People: 200, Spread: 3, Random: 100}
	people, cut := maxdiff.FitPeople(s.Answer(4), 1)
	if !cut.Decisive {
		t.Fatalf("12 options on 9 screens tell nothing: %+v", cut)
	}
	var flagged [2]int
	for i, p := range people {
		if p.Person != i || p.Screens != 9 || p.Root <= 0 || p.Root > 1 {
			t.Fatalf("person %d: %+v", i, p)
		}
		if p.Flagged {
			flagged[i/100]++
		}
	}
	if flagged[0] > 10 || flagged[1] < 85 {
		t.Errorf("%d of 100 with tastes and %d of 100 at random are flagged (cut-off %+v)", flagged[0], flagged[1], cut)
	}
	again, same := maxdiff.FitPeople(s.Answer(4), 1)
	if diff := cmp.Diff(people, again); diff != "" || same != cut {
		t.Error("another time it is told differently:", diff)
	}
}

func TestOneScreenIsNotDecisive(t *testing.T) {
	t.Parallel()
	s := maxdifftest.Study{Utilities: maxdifftest.Spaced(4, 2), PerScreen: 4, People: 40, Random: 20}
	people, cut := maxdiff.FitPeople(s.Answer(4), 1)
	if cut.Decisive {
		t.Errorf("one screen is decisive: %+v", cut)
	}
	for _, p := range people {
		if p.Flagged {
			t.Fatalf("%+v", p)
		}
	}
	if none, cut := maxdiff.FitPeople(maxdiff.New(3), 1); none != nil || cut != (maxdiff.Cutoff{}) {
		t.Error("nobody has a fit")
	}
}
