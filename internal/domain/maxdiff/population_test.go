package maxdiff_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"verbatim/internal/domain/maxdiff"
	"verbatim/internal/domain/maxdiff/maxdifftest"
)

// sampler is hierarchical Bayes by Markov chain Monte Carlo: another estimator of the same model, written for this test. Utilities of
// people move by Metropolis steps; means and variances are drawn from their conditional distributions, with flat and weak priors.
type sampler struct {
	screens         [][]maxdiff.Screen // by person
	u               [][]float64
	mean, deviation []float64
	chance          *rand.Rand
}

func (s *sampler) logDensity(person int, u []float64) (sum float64) {
	for _, screen := range s.screens[person] {
		best, worst := 0.0, 0.0
		for _, option := range screen.Shown {
			best += math.Exp(u[option])
			if option != screen.Best {
				worst += math.Exp(-u[option])
			}
		}
		sum += u[screen.Best] - math.Log(best) - u[screen.Worst] - math.Log(worst)
	}
	for j, x := range u {
		z := (x - s.mean[j]) / s.deviation[j]
		sum -= z * z / 2
	}
	return sum
}

func (s *sampler) step() {
	n, options := float64(len(s.u)), len(s.mean)
	for person, u := range s.u {
		now := s.logDensity(person, u)
		for range 2 {
			tried := slices.Clone(u)
			for j := range tried {
				tried[j] += 0.45 * s.deviation[j] * s.chance.NormFloat64()
			}
			if next := s.logDensity(person, tried); math.Log(s.chance.Float64()) < next-now {
				copy(u, tried)
				now = next
			}
		}
	}
	level := 0.0
	for j := range options {
		sum, squares := 0.0, 0.0
		for _, u := range s.u {
			sum += u[j]
		}
		s.mean[j] = sum/n + s.deviation[j]/math.Sqrt(n)*s.chance.NormFloat64()
		for _, u := range s.u {
			squares += (u[j] - s.mean[j]) * (u[j] - s.mean[j])
		}
		chi := 0.0
		for range len(s.u) {
			z := s.chance.NormFloat64()
			chi += z * z
		}
		s.deviation[j] = math.Sqrt((squares + 0.1) / chi)
		level += s.mean[j] / float64(options)
	}
	for j := range options { // nothing in the answers holds the level
		s.mean[j] -= level
	}
	for _, u := range s.u {
		for j := range u {
			u[j] -= level
		}
	}
}

func centred(u []float64) []float64 {
	mean := 0.0
	for _, x := range u {
		mean += x / float64(len(u))
	}
	out := make([]float64, len(u))
	for i, x := range u {
		out[i] = x - mean
	}
	return out
}

func TestIndividualUtilitiesAreThoseOfAnotherEstimator(t *testing.T) {
	t.Parallel()
	const people, options, burn, draws = 120, 6, 300, 900
	truth := maxdifftest.Spaced(options, 1.2)
	study := maxdifftest.Study{Utilities: truth, PerScreen: 3, People: people, Spread: 1.2}
	d := study.Answer(11)
	fit, err := maxdiff.Estimate(d)
	if err != nil {
		t.Fatal(err)
	}
	population := d.Population(&fit)
	individuals := d.Individuals(&population)

	s := &sampler{screens: make([][]maxdiff.Screen, people), chance: rand.New(rand.NewPCG(3, 3)), mean: make([]float64, options), deviation: make([]float64, options)}
	d.EachScreen(func(person, _ int, shown []uint16, best, worst int) bool {
		screen := maxdiff.Screen{Best: best, Worst: worst}
		for _, option := range shown {
			screen.Shown = append(screen.Shown, int(option))
		}
		s.screens[person] = append(s.screens[person], screen)
		return true
	})
	for range people {
		s.u = append(s.u, make([]float64, options))
	}
	for j := range s.deviation {
		s.deviation[j] = 1
	}
	mean, deviation := make([]float64, options), make([]float64, options)
	own := make([][]float64, people)
	for i := range own {
		own[i] = make([]float64, options)
	}
	for i := range burn + draws {
		if s.step(); i < burn {
			continue
		}
		for j := range options {
			mean[j] += s.mean[j] / draws
			deviation[j] += s.deviation[j] / draws
		}
		for person, u := range s.u {
			for j, x := range centred(u) {
				own[person][j] += x / draws
			}
		}
	}
	var xy, xx, yy float64
	for i, one := range individuals {
		for j, x := range one.Utilities {
			xy, xx, yy = xy+x*own[i][j], xx+x*x, yy+own[i][j]*own[i][j]
		}
	}
	if r, slope := xy/math.Sqrt(xx*yy), xy/yy; r < 0.985 || slope < 0.8 || slope > 1.15 {
		t.Errorf("individual utilities: correlation %.3f, slope %.3f", r, slope)
	}
	for j := range options {
		if math.Abs(population.Mean[j]-mean[j]) > 0.2 || math.Abs(math.Log(population.Deviation[j]/deviation[j])) > 0.35 {
			t.Errorf("option %d: mean %.2f and deviation %.2f, by sampling %.2f and %.2f (the truth is %.2f and 1.2)",
				j, population.Mean[j], population.Deviation[j], mean[j], deviation[j], truth[j])
		}
	}
	if !population.Converged {
		t.Errorf("not converged after %d steps", population.Steps)
	}
}

// Every set of options is looked at here, by counting people one by one.
func TestTurfFindsTheBestSets(t *testing.T) {
	t.Parallel()
	const options, favourites = 9, 3
	chance := rand.New(rand.NewPCG(5, 5))
	people := make([]maxdiff.Individual, 150)
	for i := range people {
		people[i] = maxdiff.Individual{Person: i, Weight: 0.5 + chance.Float64(), Utilities: make([]float64, options)}
		for j := range people[i].Utilities {
			people[i].Utilities[j] = chance.NormFloat64() + float64(j)/6
		}
	}
	best := make([]float64, options+1)
	all := 0.0
	for _, one := range people {
		all += one.Weight
	}
	for set := range 1 << options {
		size, reach := 0, 0.0
		for j := range options {
			size += set >> j & 1
		}
		for _, one := range people {
			order := make([]int, options)
			for j := range order {
				order[j] = j
			}
			slices.SortFunc(order, func(a, b int) int {
				if one.Utilities[a] > one.Utilities[b] {
					return -1
				}
				return 1
			})
			if slices.ContainsFunc(order[:favourites], func(j int) bool { return set>>j&1 == 1 }) {
				reach += one.Weight / all
			}
		}
		best[size] = max(best[size], reach)
	}
	for i, p := range maxdiff.Turf(people, favourites, 5) {
		if len(p.Options) != i+1 || !p.AllSets || math.Abs(p.Reach-best[i+1]) > 1e-9 {
			t.Errorf("%d options: %+v, the best reach is %.4f", i+1, p, best[i+1])
		}
	}
	if maxdiff.Turf(nil, 3, 5) != nil {
		t.Error("nobody is reached")
	}
}

// With many options the sets are built step by step.
func TestTurfOfManyOptions(t *testing.T) {
	t.Parallel()
	chance := rand.New(rand.NewPCG(6, 6))
	people := make([]maxdiff.Individual, 2000)
	for i := range people {
		people[i] = maxdiff.Individual{Person: i, Weight: 1, Utilities: make([]float64, 70)}
		for j := range people[i].Utilities {
			people[i].Utilities[j] = chance.NormFloat64()
		}
		people[i].Utilities[i%3*30] += 9 // a third each has one of these three as its favourite
	}
	p := maxdiff.Turf(people, 3, 4)
	if !p[1].AllSets || p[2].AllSets || !slices.Equal(p[2].Options, []int{0, 30, 60}) || p[2].Reach < 0.999 || len(p[3].Options) != 4 {
		t.Errorf("%+v", p)
	}
}
