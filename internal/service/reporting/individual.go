package reporting

import (
	"cmp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"verbatim/internal/domain/maxdiff"
	"verbatim/internal/domain/tables"
)

const (
	// fitSeed is the seed of the simulated answerers. It is constant, so that a report can be reproduced.
	fitSeed = 1
	// maxFlagged limits the flagged people that are listed: those with the least consistent answers.
	maxFlagged = 100
	// maxFavourites limits the best options of a person that count for reach, and maxPortfolio the size of the largest set.
	maxFavourites, maxPortfolio = 3, 5
)

// people reports how consistent people's answers are, and what the test of it can show.
func (b *builder) people(s *tables.Section, part *slice, population *maxdiff.Population) {
	people, test := maxdiff.FitPeople(part.maxdiff, population, fitSeed)
	flagged := slices.DeleteFunc(slices.Clone(people), func(p maxdiff.Fitness) bool { return !p.Flagged })
	slices.SortStableFunc(flagged, func(a, b maxdiff.Fitness) int { return cmp.Compare(a.Root, b.Root) })
	mean := 0.0
	for _, p := range people {
		mean += p.Root / float64(len(people))
	}
	t := tables.New("fit"+part.key, "Fit of people"+part.about, builtInSource, "people", "People", "mean", "Mean root likelihood", "cutoff", "Below it lie few of those who answer by the model",
		"few", "Few, in %", "simulated", "Simulated answerers of each kind", "power", "Power: answers at random below it, in %", "needed", "Power needed to name somebody, in %",
		"flagged", "Named", "wrong", "Expected to be wrong among those named, at most, in %")
	t.Add(tables.Count(len(people)), tables.Fixed(mean, 3), tables.Fixed(test.Root, 3), tables.Percent(maxdiff.Level), tables.Count(test.Simulated), tables.Percent(test.Power),
		tables.Percent(maxdiff.MinPower), tables.Count(len(flagged)), tables.Percent(maxdiff.Level))
	s.Tables = append(s.Tables, t)
	if !test.Decisive {
		part.say(s, "Nobody is named for inconsistent answers: with these screens and preferences, the test would recognize only {} % of answers at random (needed are {} %).",
			t.At(0, "power"), t.At(0, "needed"))
		return
	}
	if len(flagged) == 0 {
		part.say(s, "Of {} people, nobody is named for answers less consistent than those of people with these preferences. The test would recognize {} % of answers at random.", t.At(0, "people"), t.At(0, "power"))
		return
	}
	part.say(s, "Of {} people, {} are named for answers less consistent than those of people with these preferences; at most {} % of those named are expected to be named wrongly. The test would recognize {} % of answers at random.",
		t.At(0, "people"), t.At(0, "flagged"), t.At(0, "wrong"), t.At(0, "power"))
	list := tables.New("flagged"+part.key, "People with less consistent answers, the lowest first"+part.about, builtInSource, "response", "Response", "root", "Root likelihood", "p", "p", "screens", "Screens")
	for _, p := range flagged[:min(len(flagged), maxFlagged)] {
		list.Add(tables.Count(p.Person), tables.Fixed(p.Root, 3), tables.Probability(p.P), tables.Count(p.Screens))
	}
	s.Tables = append(s.Tables, list)
}

// individuals reports on the utilities of each person: how they differ between people, and which options reach most people together.
func (b *builder) individuals(s *tables.Section, c *counted, part *slice, population *maxdiff.Population) {
	if part.maxdiff.People() < tables.SmallBase {
		return
	}
	spread := tables.New("population"+part.key, "Utilities between people (empirical Bayes)"+part.about, builtInSource, "label", "Option", "mean", "Mean", "deviation", "Standard deviation between people")
	for i, label := range c.options.labels {
		spread.Add(tables.Text(label), tables.Fixed(population.Mean[i], 3), tables.Fixed(population.Deviation[i], 3))
	}
	people := part.maxdiff.Individuals(population)
	s.Tables = append(s.Tables, spread)
	if len(c.options.labels) > maxFavourites {
		b.reach(s, c, part, people)
	}
	columns := []string{"response", "Response"}
	for i, label := range c.options.labels {
		columns = append(columns, tables.GroupKey(i), label)
	}
	each := tables.New("individuals"+part.key, "Utilities of each person (empirical Bayes)"+part.about, builtInSource, columns...)
	each.Stream = func(row func(cells ...tables.Cell) bool) {
		for _, one := range people {
			cells := []tables.Cell{tables.Count(one.Person)}
			for _, u := range one.Utilities {
				cells = append(cells, tables.Fixed(u, 4))
			}
			if !row(cells...) {
				return
			}
		}
	}
	s.Tables = append(s.Tables, each)
}

// reach reports which sets of options reach most people.
func (b *builder) reach(s *tables.Section, c *counted, part *slice, people []maxdiff.Individual) {
	favourites := maxFavourites
	if len(c.options.labels) <= 2*maxFavourites {
		favourites = 1
	}
	t := tables.New("turf"+part.key, "Reach of sets of options (TURF)"+part.about, builtInSource, "size", "Options in the set", "options", "Options", "reach", "People reached, in %",
		"frequency", "Favourites in the set, per person", "favourites", "Favourites of a person", "people", "People", "search", "Found among")
	for _, p := range maxdiff.Turf(people, favourites, min(maxPortfolio, len(c.options.labels)-1)) {
		labels := make([]string, len(p.Options))
		for i, option := range p.Options {
			labels[i] = c.options.labels[option]
		}
		search := "all sets"
		if !p.AllSets {
			search = "sets built step by step"
		}
		t.Add(tables.Count(len(p.Options)), tables.Text(strings.Join(labels, "; ")), tables.Percent(p.Reach), tables.Fixed(p.Frequency, 2), tables.Count(favourites), tables.Count(len(people)), tables.Text(search))
	}
	s.Tables = append(s.Tables, t)
	last := min(2, len(t.Rows)-1)
	part.say(s, "By the estimated utilities of {} people, the set of {} options that reaches most of them is {}: for {} % one of their {} favourites is in it.",
		t.At(last, "people"), t.At(last, "size"), t.At(last, "options"), t.At(last, "reach"), t.At(last, "favourites"))
}

// screensTable holds every screen that somebody answered, so that anybody can estimate again.
func screensTable(c *counted, part *slice) *tables.Table {
	widest := 0
	part.maxdiff.EachScreen(func(_, _ int, shown []uint16, _, _ int) bool { widest = max(widest, len(shown)); return true })
	columns := []string{"response", "Response", "screen", "Screen", "best", "Best", "worst", "Worst"}
	for i := range widest {
		columns = append(columns, tables.GroupKey(i), "Shown "+string(rune('1'+i)))
	}
	t := tables.New("screens"+part.key, "Screens as shown and answered"+part.about, builtInSource, columns...)
	t.Stream = func(row func(cells ...tables.Cell) bool) {
		part.maxdiff.EachScreen(func(person, number int, shown []uint16, best, worst int) bool {
			cells := []tables.Cell{tables.Count(person), tables.Count(number), tables.Text(c.options.labels[best]), tables.Text(c.options.labels[worst])}
			for i := range widest {
				if i < len(shown) {
					cells = append(cells, tables.Text(c.options.labels[shown[i]]))
				} else {
					cells = append(cells, tables.None)
				}
			}
			return row(cells...)
		})
	}
	return t
}

// onAllProcessors runs do for parts of the numbers from 0 to n at the same time.
func onAllProcessors(n int, do func(begin, end int)) {
	workers := max(1, min(runtime.GOMAXPROCS(0), n/16))
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() { do(w*n/workers, (w+1)*n/workers) })
	}
	all.Wait()
}
