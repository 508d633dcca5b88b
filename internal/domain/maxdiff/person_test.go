package maxdiff_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/maxdiff"
	"verbatim/internal/domain/maxdiff/maxdifftest"
)

// fitPeople tests the consistency of people under the population that is estimated from them.
func fitPeople(t *testing.T, d *maxdiff.Data) ([]maxdiff.Fitness, maxdiff.Consistency) {
	t.Helper()
	fit, err := maxdiff.Estimate(d)
	if err != nil {
		t.Fatal(err)
	}
	population := d.Population(&fit)
	return maxdiff.FitPeople(d, &population, 1)
}

func named(people []maxdiff.Fitness, from, to int) (n int) {
	for _, p := range people[from:to] {
		if p.Flagged {
			n++
		}
	}
	return n
}

func TestAnswersAtRandomAreFlaggedAndTastesAreNot(t *testing.T) {
	t.Parallel()
	// Everybody has their own preferences, so that the people agree on nothing; the last thirty click at random.
	s := maxdifftest.Study{Utilities: make([]float64, 12), PerScreen: 4, People: 200, Spread: 4, Random: 30}
	people, test := fitPeople(t, s.Answer(4))
	if !test.Decisive || test.Power < maxdiff.MinPower {
		t.Fatalf("12 options on 9 screens tell nothing: %+v", test)
	}
	for i, p := range people {
		if p.Person != i || p.Screens != 9 || p.Root <= 0 || p.Root > 1 || p.P <= 0 || p.P > 1 {
			t.Fatalf("person %d: %+v", i, p)
		}
	}
	if honest, random := named(people, 0, 170), named(people, 170, 200); honest > 4 || random < 18 {
		t.Errorf("%d of 170 with tastes and %d of 30 at random are flagged (%+v)", honest, random, test)
	}
	again, same := fitPeople(t, s.Answer(4))
	if diff := cmp.Diff(people, again); diff != "" || same != test {
		t.Error("another time it is told differently:", diff)
	}
}

// Honest people are not accused, whether the test has power or not.
func TestHonestPeopleAreNotNamed(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		study    maxdifftest.Study
		decisive bool
	}{
		{"weak preferences", maxdifftest.Study{Utilities: maxdifftest.Spaced(12, 0.5), PerScreen: 4, People: 300}, false},
		{"strong preferences, tastes differ", maxdifftest.Study{Utilities: maxdifftest.Spaced(12, 1.5), PerScreen: 5, People: 300, Spread: 2.5}, true},
	} {
		people, test := fitPeople(t, tt.study.Answer(7))
		if n := named(people, 0, 300); n > 2 || test.Decisive != tt.decisive {
			t.Errorf("%s: %d of 300 honest people are named (%+v)", tt.name, n, test)
		}
	}
}

func TestOneScreenIsNotDecisive(t *testing.T) {
	t.Parallel()
	s := maxdifftest.Study{Utilities: maxdifftest.Spaced(4, 2), PerScreen: 4, People: 40, Random: 20}
	people, test := fitPeople(t, s.Answer(4))
	if test.Decisive || named(people, 0, 40) > 0 {
		t.Errorf("one screen is decisive: %+v", test)
	}
	if none, test := maxdiff.FitPeople(maxdiff.New(3), &maxdiff.Population{}, 1); none != nil || test != (maxdiff.Consistency{}) {
		t.Error("nobody has a fit")
	}
}
