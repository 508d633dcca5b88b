package maxdiff_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"verbatim/internal/domain/maxdiff"
	"verbatim/internal/domain/maxdiff/maxdifftest"
)

func estimate(t *testing.T, d *maxdiff.Data) maxdiff.Fit {
	t.Helper()
	fit, err := maxdiff.Estimate(d)
	if err != nil {
		t.Fatal(err)
	}
	return fit
}

func add(t *testing.T, d *maxdiff.Data, id int, screens ...maxdiff.Screen) {
	t.Helper()
	if err := d.Add(id, 1, screens); err != nil {
		t.Fatal(err)
	}
}

func TestTwoOptionsByHand(t *testing.T) {
	t.Parallel()
	d := maxdiff.New(2)
	for id := range 40 {
		s := maxdiff.Screen{Shown: []int{0, 1}, Best: 0, Worst: 1}
		if id >= 30 {
			s.Best, s.Worst = 1, 0
		}
		add(t, d, id, s)
	}
	fit := estimate(t, d)
	half := math.Log(3) / 2 // 30 to 10, split to both sides of zero
	want := []float64{half, -half}
	if diff := cmp.Diff(want, fit.Utilities, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		t.Error(diff)
	}
	// The log odds have the variance 1/30 + 1/10, and a utility is half of them.
	alone := math.Sqrt(1.0/30+1.0/10) / 2
	if diff := cmp.Diff([]float64{alone, alone}, fit.Information, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(alone*math.Sqrt(40.0/39), fit.ByPerson[0], cmpopts.EquateApprox(0, 1e-9)); diff != "" || !fit.Clustered {
		t.Error("by person:", diff)
	}
	shares := fit.Shares()
	if math.Abs(shares[0].Percent-75) > 1e-6 || shares[0].Low > 60.5 || shares[0].Low < 59 || shares[0].High < 85 || shares[0].High > 87 {
		t.Errorf("share %+v", shares[0])
	}
	if want := 30*math.Log(0.75) + 10*math.Log(0.25); math.Abs(fit.LogLikelihood-want) > 1e-9 || math.Abs(fit.Chance-40*math.Log(0.5)) > 1e-9 {
		t.Errorf("log-likelihood %v beside %v", fit.LogLikelihood, fit.Chance)
	}
}

func TestRecovery(t *testing.T) {
	t.Parallel()
	runs := 60
	if testing.Short() {
		runs = 20
	}
	// The claim is proved over 500 runs by make bench-maxdiff. Over n runs the coverage of 12n intervals, which are
	// correlated within a run, has a standard deviation of about 0.75 % at 60 runs and 1.3 % at 20: the bounds are four of
	// those.
	r := maxdifftest.Recover(runs, 1, func(int) maxdifftest.Study {
		return maxdifftest.Study{Utilities: maxdifftest.Spaced(12, 1.5), PerScreen: 4, People: 300}
	})
	if r.Spearman < 0.98 || r.Unfinished > 0 {
		t.Errorf("Spearman %v, %d unfinished", r.Spearman, r.Unfinished)
	}
	allowed := 4 * 5.8 / math.Sqrt(float64(runs))
	for name, c := range map[string]maxdifftest.Coverage{"utilities": r.Utilities, "information": r.Alone, "shares": r.Shares} {
		if math.Abs(c.Percent()-95) > allowed {
			t.Errorf("%s: %.1f %% of the intervals hold the truth, want 95 within %.1f", name, c.Percent(), allowed)
		}
	}
}

// If people differ, the screens of one person are correlated: errors clustered by person must be larger than those that
// treat all screens as independent.
func TestErrorsByPersonIncludeCorrelation(t *testing.T) {
	t.Parallel()
	s := maxdifftest.Study{Utilities: maxdifftest.Spaced(8, 1), PerScreen: 4, People: 200, Spread: 1.5}
	fit := estimate(t, s.Answer(3))
	for i := range fit.ByPerson {
		if fit.ByPerson[i] < 1.15*fit.Information[i] {
			t.Errorf("option %d: %.4f by person, %.4f from the information", i, fit.ByPerson[i], fit.Information[i])
		}
	}
	s.People = 29
	if few := estimate(t, s.Answer(3)); few.Clustered || math.Abs(few.Errors[0]-max(few.Information[0], few.ByPerson[0])) > 1e-9 {
		t.Error("29 people are too few for errors by person")
	}
}

func TestGradientAndInformationAreThoseOfTheLikelihood(t *testing.T) {
	t.Parallel()
	d := maxdifftest.Study{Utilities: maxdifftest.Spaced(5, 1), PerScreen: 3, People: 7}.Answer(9)
	u := []float64{0.3, -0.2, 0.9, -1.1, 0.1}
	value, gradient, information := maxdiff.SlopeAt(d, u)
	const step = 1e-5
	for i := range u {
		up, down := slices.Clone(u), slices.Clone(u)
		up[i] += step
		down[i] -= step
		above, gradientAbove, _ := maxdiff.SlopeAt(d, up)
		below, gradientBelow, _ := maxdiff.SlopeAt(d, down)
		if numeric := (above - below) / (2 * step); math.Abs(numeric-gradient[i]) > 1e-5*(1+math.Abs(value)) {
			t.Errorf("gradient %d: %v, by differences %v", i, gradient[i], numeric)
		}
		for j := range u {
			if numeric := -(gradientAbove[j] - gradientBelow[j]) / (2 * step); math.Abs(numeric-information[i][j]) > 1e-5 {
				t.Errorf("information %d,%d: %v, by differences %v", i, j, information[i][j], numeric)
			}
		}
	}
}

func TestSeparationIsToldAndBounded(t *testing.T) {
	t.Parallel()
	s := maxdifftest.Study{Utilities: maxdifftest.Spaced(6, 1), PerScreen: 3, People: 50}
	s.Utilities[2], s.Utilities[4] = 60, -60
	fit := estimate(t, s.Answer(5))
	want := maxdiff.Separation{Groups: 3, Always: []int{2}, Never: []int{4}}
	if diff := cmp.Diff(want, fit.Separation); diff != "" || !fit.Unbounded {
		t.Error("separation:", diff)
	}
	for i, u := range fit.Utilities {
		if low, high := fit.Interval(i); !math.IsNaN(low) || !math.IsNaN(high) || !math.IsNaN(fit.Shares()[i].Low) || !math.IsNaN(fit.Differ(i, (i+1)%6)) {
			t.Errorf("option %d has an interval, though nothing bounds it", i)
		}
		if math.IsNaN(u) || math.Abs(u) > 12 || math.IsNaN(fit.Errors[i]) {
			t.Errorf("option %d: %v ± %v", i, u, fit.Errors[i])
		}
	}
	if order := slices.Index(fit.Utilities, slices.Max(fit.Utilities)); order != 2 {
		t.Errorf("option %d leads", order)
	}

	one := maxdiff.New(4)
	add(t, one, 1, maxdiff.Screen{Shown: []int{0, 1, 2}, Best: 0, Worst: 2})
	if fit := estimate(t, one); !fit.Unbounded || !slices.Equal(fit.Separation.Unseen, []int{3}) || math.Abs(fit.Utilities[3]) > 0.5 {
		t.Errorf("one screen: %+v", fit)
	}
	if _, err := maxdiff.Estimate(maxdiff.New(4)); !errors.Is(err, maxdiff.ErrNoAnswers) {
		t.Error(err)
	}
}

// The order of the options is irrelevant: estimates move with them.
func TestEstimatesMoveWithTheOptions(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		options := rapid.IntRange(3, 8).Draw(t, "options")
		moved := rapid.Permutation(maxdifftest.Spaced(options, 1)).Draw(t, "utilities")
		places := make([]int, options)
		for i := range places {
			places[i] = slices.Index(moved, maxdifftest.Spaced(options, 1)[i])
		}
		plain, permuted := maxdiff.New(options), maxdiff.New(options)
		for id := range rapid.IntRange(1, 6).Draw(t, "people") {
			var screens, same []maxdiff.Screen
			for _, shown := range maxdiff.Design(options, 3, id) {
				best := rapid.IntRange(0, len(shown)-1).Draw(t, "best")
				worst := (best + rapid.IntRange(1, len(shown)-1).Draw(t, "worst")) % len(shown)
				there := make([]int, len(shown))
				for i, option := range shown {
					there[i] = places[option]
				}
				screens = append(screens, maxdiff.Screen{Shown: shown, Best: shown[best], Worst: shown[worst]})
				same = append(same, maxdiff.Screen{Shown: there, Best: there[best], Worst: there[worst]})
			}
			if err := errors.Join(plain.Add(id, 1, screens), permuted.Add(id, 1, same)); err != nil {
				t.Fatal(err)
			}
		}
		a, err := maxdiff.Estimate(plain)
		b, err2 := maxdiff.Estimate(permuted)
		if err != nil || err2 != nil || a.Unbounded != b.Unbounded {
			t.Fatal(err, err2)
		}
		sum := 0.0
		for i, place := range places {
			sum += a.Utilities[i]
			if math.Abs(a.Utilities[i]-b.Utilities[place]) > 1e-5 || math.Abs(a.Errors[i]-b.Errors[place]) > 1e-5*(1+a.Errors[i]) {
				t.Fatalf("option %d: %v ± %v, moved %v ± %v", i, a.Utilities[i], a.Errors[i], b.Utilities[place], b.Errors[place])
			}
		}
		if math.Abs(sum) > 1e-9 {
			t.Fatalf("utilities sum to %v", sum)
		}
	})
}

func TestSharesOfMarkedPeople(t *testing.T) {
	t.Parallel()
	d := maxdifftest.Study{Utilities: maxdifftest.Spaced(5, 1), PerScreen: 3, People: 101}.Answer(2)
	even, odd := d.WithMark(1), d.WithMark(2)
	if even.People() != 51 || odd.People() != 50 || d.WithMark(4).People() != 0 || d.Screens() != even.Screens()+odd.Screens() {
		t.Errorf("%d and %d people", even.People(), odd.People())
	}
}

func TestCounts(t *testing.T) {
	t.Parallel()
	d := maxdiff.New(4)
	for id := range 2 {
		add(t, d, id, maxdiff.Screen{Shown: []int{2, 0, 1}, Best: 0, Worst: 2}, maxdiff.Screen{Shown: []int{0, 1}, Best: 0, Worst: 1})
	}
	add(t, d, 3)
	got := d.Counts()
	want := []maxdiff.Count{
		{Shown: 4, Best: 4, Score: 1, Low: 1, High: 1},
		{Shown: 4, Worst: 2, Score: -0.5, Low: -0.5, High: -0.5},
		{Shown: 2, Worst: 2, Score: -1, Low: -1, High: -1},
		{Score: math.NaN(), Low: -1, High: 1},
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateNaNs(), cmpopts.EquateApprox(0, 1e-12)); diff != "" {
		t.Error(diff)
	}
	if d.People() != 2 {
		t.Errorf("%d people; one without screens is none", d.People())
	}
}

func TestAddRefuses(t *testing.T) {
	t.Parallel()
	d := maxdiff.New(4)
	good := maxdiff.Screen{Shown: []int{0, 1, 2}, Best: 0, Worst: 1}
	for name, bad := range map[string]maxdiff.Screen{
		"best not shown": {Shown: []int{0, 1, 2}, Best: 3, Worst: 1}, "worst not shown": {Shown: []int{0, 1, 2}, Best: 0, Worst: 3},
		"both the same": {Shown: []int{0, 1, 2}, Best: 1, Worst: 1}, "alone": {Shown: []int{1}, Best: 1, Worst: 1},
		"unknown": {Shown: []int{0, 1, 4}, Best: 0, Worst: 1}, "negative": {Shown: []int{0, 1, -1}, Best: 0, Worst: 1},
		"twice": {Shown: []int{0, 1, 0}, Best: 0, Worst: 1},
	} {
		if err := d.Add(1, 0, []maxdiff.Screen{good, bad}); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	if d.People() != 0 || d.Screens() != 0 {
		t.Error("what was refused left something behind")
	}
}

func TestHundred(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in   []float64
		want []int
	}{
		{[]float64{100.0 / 3, 100.0 / 3, 100.0 / 3}, []int{334, 333, 333}},
		{[]float64{12.34, 87.66}, []int{123, 877}},
		{[]float64{0, 100}, []int{0, 1000}},
		{[]float64{0.04, 0.04, 99.92}, []int{1, 0, 999}},
	} {
		got := maxdiff.RoundTo100(tt.in)
		sum := 0
		for _, tenths := range got {
			sum += tenths
		}
		if sum != 1000 {
			t.Errorf("%v sums to %d", tt.in, sum)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%v: %v, want %v", tt.in, got, tt.want)
		}
	}
}

// Estimates need designs in which every option is compared, over chains, with every other: in both directions if answers
// vary. The design must ensure that the options are connected at all.
func TestDesignsCarryEstimates(t *testing.T) {
	t.Parallel()
	for options := 2; options <= 40; options++ {
		for perScreen := 3; perScreen <= 5; perScreen++ {
			d := maxdiff.New(options)
			for version := range maxdiff.Versions {
				screens := maxdiff.Design(options, perScreen, version)
				for turn := range perScreen { // every place is best once and worst once
					var answered []maxdiff.Screen
					for _, shown := range screens {
						n := len(shown)
						answered = append(answered, maxdiff.Screen{Shown: shown, Best: shown[turn%n], Worst: shown[(turn+1)%n]})
					}
					add(t, d, version*perScreen+turn, answered...)
				}
			}
			fit := estimate(t, d)
			if fit.Unbounded || fit.Separation.Groups != 1 {
				t.Errorf("%d options, %d a screen: %+v", options, perScreen, fit.Separation)
			}
		}
	}
}
