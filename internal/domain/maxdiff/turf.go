package maxdiff

import (
	"cmp"
	"slices"
)

// Portfolio is a set of options with the people that it reaches: those who have one of their favourites in it (TURF, total unduplicated
// reach and frequency).
type Portfolio struct {
	Options   []int   // ascending
	Reach     float64 // share of the people
	Frequency float64 // favourites in the set, per person
	AllSets   bool    // every set of this size was looked at; otherwise options were added and exchanged one by one
}

// maxWork limits the product of the sets and the different lists of favourites that are looked at.
const maxWork = 30_000_000

// favourites of one kind, with the weight of the people who have them.
type liked struct {
	set    [2]uint64
	weight float64
}

func (l *liked) has(option int) bool { return l.set[option/64]&(1<<(option%64)) != 0 }

// Favourites returns the options with the highest utilities of a person, the highest first.
func (one *Individual) Favourites(n int) []int {
	order := make([]int, len(one.Utilities))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(one.Utilities[b], one.Utilities[a]) })
	return order[:min(n, len(order))]
}

// Turf returns the set of each size from 1 to largest that reaches most people, where a person's favourites are their best options.
// Of sets with the same reach the one with the higher frequency comes first, then the earlier one.
func Turf(people []Individual, favourites, largest int) []Portfolio {
	if len(people) == 0 {
		return nil
	}
	options := len(people[0].Utilities)
	kinds, all := gather(people, favourites)
	var best []Portfolio
	var previous []int
	for size := 1; size <= min(largest, options); size++ {
		p := Portfolio{AllSets: true}
		if choices(options, size)*len(kinds) <= maxWork {
			p.Options = everySet(kinds, options, size)
		} else {
			p.Options, p.AllSets = stepwise(kinds, options, previous), false
		}
		previous = p.Options
		reach, frequency := value(kinds, p.Options)
		p.Reach, p.Frequency = reach/all, frequency/all
		best = append(best, p)
	}
	return best
}

func gather(people []Individual, favourites int) (kinds []liked, all float64) {
	places := map[[2]uint64]int{}
	for i := range people {
		var set [2]uint64
		for _, option := range people[i].Favourites(favourites) {
			set[option/64] |= 1 << (option % 64)
		}
		place, known := places[set]
		if !known {
			place = len(kinds)
			places[set] = place
			kinds = append(kinds, liked{set: set})
		}
		kinds[place].weight += people[i].Weight
		all += people[i].Weight
	}
	return kinds, all
}

// value returns the weight of the people whom a set reaches, and of their favourites in it.
func value(kinds []liked, set []int) (reach, frequency float64) {
	for i := range kinds {
		n := 0.0
		for _, option := range set {
			if kinds[i].has(option) {
				n++
			}
		}
		if frequency += n * kinds[i].weight; n > 0 {
			reach += kinds[i].weight
		}
	}
	return reach, frequency
}

func better(reach, frequency, bestReach, bestFrequency float64) bool {
	const same = 1e-9
	return reach > bestReach+same || reach > bestReach-same && frequency > bestFrequency+same
}

// everySet looks at all sets of a size.
func everySet(kinds []liked, options, size int) []int {
	set := make([]int, size)
	for i := range set {
		set[i] = i
	}
	best := slices.Clone(set)
	bestReach, bestFrequency := value(kinds, set)
	for next(set, options) {
		if reach, frequency := value(kinds, set); better(reach, frequency, bestReach, bestFrequency) {
			bestReach, bestFrequency = reach, frequency
			copy(best, set)
		}
	}
	return best
}

// next moves to the following set in lexical order; it reports whether there is one.
func next(set []int, options int) bool {
	for i := len(set) - 1; i >= 0; i-- {
		if set[i] < options-len(set)+i {
			set[i]++
			for j := i + 1; j < len(set); j++ {
				set[j] = set[j-1] + 1
			}
			return true
		}
	}
	return false
}

// stepwise adds the best option to a set, then exchanges options while that helps.
func stepwise(kinds []liked, options int, begin []int) []int {
	set := append(slices.Clone(begin), -1)
	bestReach, bestFrequency := -1.0, -1.0
	try := func(place int) (changed bool) {
		kept := set[place]
		for option := range options {
			if slices.Contains(set, option) {
				continue
			}
			was := set[place]
			set[place] = option
			if reach, frequency := value(kinds, set); better(reach, frequency, bestReach, bestFrequency) {
				bestReach, bestFrequency = reach, frequency
				continue
			}
			set[place] = was
		}
		return set[place] != kept
	}
	for again := try(len(set) - 1); again; {
		again = false
		for place := range set {
			again = try(place) || again
		}
	}
	slices.Sort(set)
	return set
}

// choices returns how many sets of a size there are, at most maxWork + 1.
func choices(options, size int) int {
	n := 1
	for i := range size {
		if n = n * (options - i) / (i + 1); n > maxWork {
			return maxWork + 1
		}
	}
	return n
}
