package maxdiff

import (
	"math"
	"math/rand/v2"
	"slices"

	"verbatim/internal/domain/stats"
)

// Fitness is the consistency of one person's answers: the root likelihood (the geometric mean of the probabilities of
// the choices made) under utilities fitted to that person alone. It is high for people who prefer the same things on all
// screens, whatever they are, and low for people who click at random. Other people's answers do not affect it.
type Fitness struct {
	Person  int // the id given to Add
	Root    float64
	Screens int
	P       float64 // probability of a root likelihood as low for people who answer by the model, as its population does
	Flagged bool
}

// Consistency is the test of whether people answer less consistently than the model's population does, and of what the test can show.
type Consistency struct {
	Root      float64 // 5 in 100 simulated answerers of the population lie below
	Simulated int     // how many answerers of the population, and as many at random, were simulated
	Power     float64 // the share of answers at random that lie below Root
	Decisive  bool    // Power is at least MinPower; otherwise nobody is flagged
}

// MinPower is the power of the test below which nobody is flagged. Level is the share of those flagged that is expected to be
// wrong.
const (
	MinPower = 0.8
	Level    = 0.05
)

const (
	ownPrecision = 1.0 // of the prior on a person's own utilities: a few screens cannot determine many utilities by themselves
	simulated    = 1000
	nearEnough   = 1e-8 // of the maximum of one person, see optimizer
)

// FitPeople returns how consistent every person's answers are. It simulates people of the population, who answer the same screens by
// the model, and people who answer at random. Flagged are those whose answers are less consistent than the population's, after
// Benjamini's and Hochberg's adjustment for their number, if answers at random would be recognized. The same data and seed give the
// same result.
func FitPeople(d *Data, p *Population, seed uint64) ([]Fitness, Consistency) {
	if d.People() == 0 {
		return nil, Consistency{}
	}
	honest := d.simulate(seed, func(chance *rand.Rand) func(shown []uint16, best, worst int) (int, int) {
		u := p.draw(chance)
		return func(shown []uint16, _, _ int) (int, int) { return choose(chance, u, shown) }
	})
	random := d.simulate(seed+1, func(chance *rand.Rand) func(shown []uint16, best, worst int) (int, int) {
		return func(shown []uint16, _, _ int) (best, worst int) {
			best, worst = chance.IntN(len(shown)), chance.IntN(len(shown)-1)
			if worst >= best {
				worst++
			}
			return best, worst
		}
	})
	test := Consistency{Root: honest[int(Level*simulated)], Simulated: simulated}
	below, _ := slices.BinarySearch(random, test.Root)
	test.Power = float64(below) / simulated
	test.Decisive = test.Power >= MinPower

	people, tails := make([]Fitness, d.People()), make([]float64, d.People())
	d.parallel(len(people), func(own *personFit, i int) {
		root, screens := own.root(d, &d.people[i], func(_ []uint16, best, worst int) (int, int) { return best, worst })
		lower, _ := slices.BinarySearchFunc(honest, root, func(x, root float64) int { // how many are as low
			if x <= root {
				return -1
			}
			return 1
		})
		tails[i] = float64(lower+1) / (simulated + 1)
		people[i] = Fitness{Person: d.people[i].id, Root: root, Screens: screens, P: tails[i]}
	})
	for i, rejected := range stats.BenjaminiHochberg(tails, Level) {
		people[i].Flagged = rejected && test.Decisive
	}
	return people, test
}

// simulate returns the root likelihoods of simulated answerers, in ascending order. of makes one of them; each uses the screens of
// another person, spread evenly.
func (d *Data) simulate(seed uint64, of func(chance *rand.Rand) func(shown []uint16, best, worst int) (int, int)) []float64 {
	roots := make([]float64, simulated)
	d.parallel(simulated, func(own *personFit, i int) {
		chance := rand.New(rand.NewPCG(seed, uint64(i)))
		roots[i], _ = own.root(d, &d.people[i*d.People()/simulated], of(chance))
	})
	slices.Sort(roots)
	return roots
}

// personFit fits the utilities of one person after another in the same memory.
type personFit struct {
	u, unit    []float64
	odds       []float64
	flat       []uint16
	climber    *optimizer
	likelihood derivatives
}

func newPersonFit(options int) *personFit {
	o := &personFit{u: make([]float64, options), unit: make([]float64, options), odds: make([]float64, options), climber: newOptimizer(options), likelihood: newDerivatives(options)}
	o.climber.enough = nearEnough
	return o
}

// root returns the root likelihood of a person's screens as answered by the function answer, which receives what the person
// chose.
func (o *personFit) root(d *Data, p *person, answer func(shown []uint16, best, worst int) (int, int)) (root float64, screens int) {
	o.flat = o.flat[:0]
	d.each(p, func(shown []uint16, best, worst int) {
		best, worst = answer(shown, best, worst)
		o.flat = append(o.flat, uint16(len(shown)), uint16(best), uint16(worst))
		o.flat = append(o.flat, shown...)
		screens++
	})
	alone := Data{options: d.options, flat: o.flat}
	everything := person{end: len(o.flat)}
	at := func(u []float64, into *derivatives) {
		into.reset()
		alone.each(&everything, func(shown []uint16, best, worst int) { into.add(u, shown, best, worst) })
	}
	clear(o.u)
	o.climber.maximize(o.u, func(u []float64, into *derivatives) {
		at(u, into)
		into.ridge(u, ownPrecision)
	}, false) // with its prior the maximum always exists; if the precision ends short of it, the result is as near as possible
	at(o.u, &o.likelihood)
	return math.Exp(o.likelihood.value / float64(2*screens)), screens
}
