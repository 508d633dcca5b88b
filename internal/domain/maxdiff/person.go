package maxdiff

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Fitness is how consistent the answers of one person are: the root likelihood (the geometric mean of the probabilities of
// the choices made) under utilities fitted to that person alone. It is high for people who prefer the same things on all
// screens, whatever they are, and low for people who click at random. Other people's answers do not affect it.
type Fitness struct {
	Person  int // the id given to Add
	Root    float64
	Screens int
	Flagged bool // below the cut-off
}

// Cutoff is the value below which a person's answers cannot be distinguished from random ones.
type Cutoff struct {
	Root            float64 // only 5 in 100 random answerers reach it on these screens
	Random          int     // how many random answerers were simulated
	ConsistentShare float64 // the share above Root of simulated answerers with a fixed order of preference, who never err
	Decisive        bool    // Steady is at least 0.8: the screens suffice to distinguish them; otherwise nobody is flagged
}

const (
	ownPrecision  = 1.0 // of the prior on a person's own utilities: a few screens cannot determine many utilities by themselves
	simulated     = 1000
	cutoffPart    = 0.95
	decisiveAbove = 0.8
)

// FitPeople returns how consistent every person's answers are, with the cut-off derived from random answers to the same
// screens. The same data and seed give the same result.
func FitPeople(d *Data, seed uint64) ([]Fitness, Cutoff) {
	if d.People() == 0 {
		return nil, Cutoff{}
	}
	own := newPersonFit(d.options)
	chance := rand.New(rand.NewPCG(seed, 0x6265737477))
	random := make([]float64, simulated)
	for i := range random {
		sampled := &d.people[i*d.People()/simulated] // use everybody's screens equally
		random[i], _ = own.root(d, sampled, func(shown []uint16, _, _ int) (best, worst int) {
			best = int(chance.Uint64() % uint64(len(shown)))
			worst = int(chance.Uint64() % uint64(len(shown)-1))
			if worst >= best {
				worst++
			}
			return best, worst
		})
	}
	slices.Sort(random)
	cut := Cutoff{Root: random[int(cutoffPart*simulated)], Random: simulated}
	above := 0
	for i := range simulated {
		liking := make([]float64, d.options)
		for option := range liking {
			liking[option] = float64(chance.Uint64() >> 11)
		}
		root, _ := own.root(d, &d.people[i*d.People()/simulated], func(shown []uint16, _, _ int) (best, worst int) {
			for place, option := range shown {
				if liking[option] > liking[shown[best]] {
					best = place
				}
				if liking[option] < liking[shown[worst]] {
					worst = place
				}
			}
			return best, worst
		})
		if root > cut.Root {
			above++
		}
	}
	cut.ConsistentShare = float64(above) / simulated
	cut.Decisive = cut.ConsistentShare >= decisiveAbove

	people := make([]Fitness, d.People())
	for i := range d.people {
		p := &d.people[i]
		root, screens := own.root(d, p, func(_ []uint16, best, worst int) (int, int) { return best, worst })
		people[i] = Fitness{Person: p.id, Root: root, Screens: screens, Flagged: cut.Decisive && root < cut.Root}
	}
	return people, cut
}

// personFit fits the utilities of one person after another in the same memory.
type personFit struct {
	u          []float64
	flat       []uint16
	climber    *optimizer
	likelihood derivatives
}

func newPersonFit(options int) *personFit {
	return &personFit{u: make([]float64, options), climber: newOptimizer(options), likelihood: newDerivatives(options)}
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
