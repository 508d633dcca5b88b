package maxdiff

import "verbatim/internal/domain/stats"

// Count holds the counts of one option.
type Count struct {
	Shown, Best, Worst int // number of screens
	// Score is (Best - Worst) / Shown, from -1 to 1, with its confidence interval over people. NaN if it was never shown.
	Score, Low, High float64
}

// Counts returns the counts of every option, in the question's order.
func (d *Data) Counts() []Count {
	counts := make([]Count, d.options)
	ratios := make([]stats.Ratio, d.options)
	shown, won := make([]float64, d.options), make([]float64, d.options)
	for i := range d.people {
		clear(shown)
		clear(won)
		d.each(&d.people[i], func(screen []uint16, best, worst int) {
			for _, option := range screen {
				counts[option].Shown++
				shown[option]++
			}
			counts[screen[best]].Best++
			won[screen[best]]++
			counts[screen[worst]].Worst++
			won[screen[worst]]--
		})
		for option := range ratios {
			ratios[option].Add(d.people[i].weight*won[option], d.people[i].weight*shown[option])
		}
	}
	for option := range counts {
		r := &ratios[option]
		counts[option].Score = r.Mean()
		counts[option].Low, counts[option].High = r.Interval(-1, 1)
	}
	return counts
}
